{#- The calendar units by which a table of buckets can be partitioned, narrowest first.

    days     the mean length
    slice    in seconds: a run computes whole slices of a changed partition, and keeps its other
             rows as they are -#}
{% macro _partition_units() %}
    {{- return([
        {'name': 'hour', 'days': 1 / 24, 'slice': 300},
        {'name': 'day', 'days': 1, 'slice': 3600},
        {'name': 'week', 'days': 7, 'slice': 21600},
        {'name': 'month', 'days': 30.44, 'slice': 86400},
        {'name': 'year', 'days': 365.25, 'slice': 604800},
    ]) -}}
{% endmacro %}

{#- The partition of a bucket: the first day of the day, week (a Monday), month or year in which it
    begins by its zone's clock, or the first instant of its hour. Days and weeks are computed for
    every row of large tables, so they use integer arithmetic; day 4 of 1970 was a Monday. -#}
{% macro _partition_of(ts, unit, time_zone) %}
    {%- if unit == 'hour' -%}
        {{- return(strandline._clock_bucket(ts, 3600, time_zone)) -}}
    {%- endif -%}
    {%- set day = strandline._local_day(strandline._local(ts, time_zone)) -%}
    {%- if unit == 'day' -%}{{- return("date_from_unix_date(" ~ day ~ ")") -}}{%- endif -%}
    {%- if unit == 'week' -%}
        {{- return("date_from_unix_date(" ~ day ~ " - pmod(" ~ day ~ " - 4, 7))") -}}
    {%- endif -%}
    {{- return("trunc(date_from_unix_date(" ~ day ~ "), '" ~ unit ~ "')") -}}
{% endmacro %}

{#- A partition as text; of an hour its Unix seconds, which do not depend on the session's time
    zone. -#}
{% macro _partition_text(partition, unit) %}
    {{- return('cast(' ~ ('unix_seconds(' ~ partition ~ ')' if unit == 'hour' else partition)
        ~ ' as string)') -}}
{% endmacro %}

{#- The distinct partitions of rows, as an aggregate that gives a text for `_partitions_in`. -#}
{% macro _partitions_text(partition, unit, condition=none) %}
    {{- return(strandline._distinct_texts(strandline._partition_text(partition, unit),
        condition)) -}}
{% endmacro %}

{#- The distinct texts of rows, or of those with a condition, with commas. -#}
{% macro _distinct_texts(text, condition) %}
    {{- return("array_join(collect_set(" ~ ('if(' ~ condition ~ ', ' ~ text ~ ', null)'
        if condition else text) ~ "), ',')") -}}
{% endmacro %}

{#- The partitions of such a text, sorted: dates such as 2013-02-04, or instants such as
    2013-02-04T05:00:00Z. -#}
{% macro _partitions_in(text, unit) %}
    {%- set partitions = [] -%}
    {%- for each in (text or '').split(',') | select -%}
        {%- do partitions.append(each if unit != 'hour'
            else (modules.datetime.datetime(1970, 1, 1)
                + modules.datetime.timedelta(seconds=each | int)).isoformat() ~ 'Z') -%}
    {%- endfor -%}
    {{- return(partitions | sort) -}}
{% endmacro %}

{#- A literal predicate on the partition column, by which Delta prunes. The Monday of 11 October
    1582 is selected by its neighbours: it does not exist in Java's calendar, and Delta would
    replace the partition of the 15th instead. -#}
{% macro _in_partitions(partitions, unit) %}
    {%- set type = 'timestamp' if unit == 'hour' else 'date' -%}
    {%- set listed = partitions | reject('equalto', '1582-10-11') | sort -%}
    {%- set conditions = [] -%}
    {%- if listed -%}
        {%- do conditions.append("agg_partition in (" ~ type ~ "'"
            ~ listed | join("', " ~ type ~ "'") ~ "')") -%}
    {%- endif -%}
    {%- if '1582-10-11' in partitions -%}
        {%- do conditions.append("agg_partition > date'1582-10-04' and agg_partition < "
            ~ "date'1582-10-18'") -%}
    {%- endif -%}
    {{- return(conditions[0] if conditions | length == 1
        else '(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The distinct slices of buckets, as an aggregate that gives a text for `_slices_in`. Slices are
    counted from 1970. -#}
{% macro _slices_text(bucket, unit, condition=none) %}
    {%- set length = strandline._partition_unit(unit).slice -%}
    {%- set seconds = 'unix_seconds(' ~ bucket ~ ')' -%}
    {{- return(strandline._distinct_texts('cast((' ~ seconds ~ ' - pmod(' ~ seconds ~ ', ' ~ length
        ~ ')) div ' ~ length ~ ' as string)', condition)) -}}
{% endmacro %}

{#- The spans of time of such a text, as [start, end) pairs of Unix seconds. Adjacent slices are one
    span. There are 100 spans at most, so that conditions stay short: the nearest are joined, across
    the gaps that are no longer than the 100th longest. -#}
{% macro _slices_in(text, unit) %}
    {%- set length = strandline._partition_unit(unit).slice -%}
    {%- set slices, gaps, spans = (text or '').split(',') | select | map('int') | sort, [], [] -%}
    {%- for slice in slices[1:] -%}
        {%- do gaps.append(slice - slices[loop.index0] - 1) -%}
    {%- endfor -%}
    {%- set joined = (gaps | sort(reverse=true))[99] if gaps | length > 99 else 0 -%}
    {%- for slice in slices -%}
        {%- if spans and gaps[loop.index0 - 1] <= joined -%}
            {%- do spans.append([spans.pop()[0], (slice + 1) * length]) -%}
        {%- else -%}
            {%- do spans.append([slice * length, (slice + 1) * length]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(spans) -}}
{% endmacro %}

{#- Whether an instant is in spans of time, up to `reach` seconds after the end of one; literal
    bounds, by which files and row groups are skipped. -#}
{% macro _in_spans(spans, ts, reach=0) %}
    {%- set conditions = [] -%}
    {%- for first, end in spans -%}
        {%- do conditions.append(ts ~ ' >= timestamp_seconds(' ~ first ~ ') and ' ~ ts
            ~ ' < timestamp_seconds(' ~ (end + reach) ~ ')') -%}
    {%- endfor -%}
    {{- return('(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The unit by which the table of a task is partitioned: that of its run, or the usual one. -#}
{% macro _width_of(task) %}
    {{- return(task.get('width') or strandline._usual_width(task)) -}}
{% endmacro %}

{#- The unit of a table of 0.1.0, and of one that had no rows when it was built. -#}
{% macro _usual_width(task) %}
    {{- return(task.partition if 'partition' in task
        else strandline._duration(task.duration).partition) -}}
{% endmacro %}

{#- The narrowest unit by which the table of a task can be partitioned: that of its buckets. -#}
{% macro _narrowest_partition(task) %}
    {%- if 'bucket' in task -%}
        {%- set micros = task.bucket | int -%}
        {{- return('hour' if micros <= 3600000000 else 'day' if micros <= 86400000000
            else 'week' if micros <= 604800000000 else 'month') -}}
    {%- endif -%}
    {%- set duration = strandline._duration(task.duration) -%}
    {{- return('hour' if duration.micros else 'week' if duration.days == 7
        else 'day' if duration.days else duration.partition) -}}
{% endmacro %}

{#- The unit of this name. -#}
{% macro _partition_unit(name) %}
    {{- return(strandline._partition_units() | selectattr('name', 'equalto', name) | first) -}}
{% endmacro %}

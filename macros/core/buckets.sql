{#- The start of the bucket of one duration that contains an instant. See _macros.yml. -#}
{% macro bucket_start(ts, duration, time_zone='UTC') %}
    {%- set form = 'write one of '
        ~ strandline._choices(strandline._durations() | map(attribute='name')) -%}
    {%- set read = strandline._arguments('bucket_start', kwargs, varargs, {
        'ts': ['any', ts, 'name the instant'],
        'duration': ['any', duration, form],
        'time_zone': ['zone', time_zone],
    }) -%}
    {%- set unit = strandline._duration(duration) -%}
    {%- if unit is none -%}
        {%- do read.faults.append("`duration` is '" ~ duration ~ "'; " ~ form) -%}
    {%- endif -%}
    {%- do strandline._refuse('bucket_start', read.faults) -%}
    {%- if unit.micros == 1000000 -%}
        timestamp_seconds(unix_seconds({{ ts }}))
    {%- elif unit.micros -%}
        {{- strandline._clock_bucket(ts, unit.micros // 1000000, time_zone) -}}
    {%- else -%}
        {{- strandline._calendar_bucket(ts, unit.name, time_zone) -}}
    {%- endif -%}
{% endmacro %}

{#- Minutes and hours: the instant less the part of its minute or hour that has passed on the zone's
    clock. Computing with instants keeps both passes of a repeated hour apart. Computing with the
    zone's UTC offset keeps every hour inside one local day, also if the offset is not a whole hour.
    If the offset changed within the hour by part of an hour, the computed start is not the start of
    an hour: it lies `passed` seconds after the start of an hour of the earlier offset. The bucket
    then starts at that hour, or at its end if the earlier hour was completed before the change. -#}
{% macro _clock_bucket(ts, length, time_zone) %}
    {%- set instant = "unix_seconds(" ~ ts ~ ")" -%}
    {%- if time_zone == 'UTC' -%}
        {{- return("timestamp_seconds(" ~ instant ~ " - pmod(" ~ instant ~ ", " ~ length ~ "))") -}}
    {%- endif -%}
    {%- set start = "(" ~ instant ~ " - "
        ~ strandline._passed(strandline._local("timestamp_seconds(" ~ instant ~ ")", time_zone),
            length) ~ ")" -%}
    {%- set passed = strandline._passed(strandline._local("timestamp_seconds(" ~ start ~ ")",
        time_zone), length) -%}
    {%- set last = start ~ " - " ~ passed ~ " + " ~ (length - 1) -%}
    {%- set is_completed = strandline._passed(strandline._local("timestamp_seconds(" ~ last ~ ")",
        time_zone), length) ~ " = " ~ (length - 1) -%}
    {{- return("timestamp_seconds(" ~ start ~ " - " ~ passed
        ~ " + if(" ~ passed ~ " > 0 and " ~ is_completed ~ ", " ~ length ~ ", 0))") -}}
{% endmacro %}

{#- The seconds of the current minute or hour that have passed on the zone's clock. -#}
{% macro _passed(local, length) %}
    {{- return("pmod(unix_seconds(" ~ local ~ "), " ~ length ~ ")") -}}
{% endmacro %}

{#- Days and longer: the instant at which the day began, or the first day of its month, quarter or
    year. Dates are counted from the epoch, so the session's time zone has no influence. The day is
    the last one that had begun. This differs from the local date if the clock went back across
    midnight (the later day goes on), or if a change skipped midnight (the earlier day goes on a
    little longer). -#}
{% macro _calendar_bucket(ts, name, time_zone) %}
    {%- set day = strandline._local_day(strandline._local(ts, time_zone)) -%}
    {%- if time_zone != 'UTC' -%}
        {%- set next = strandline._day_start(day ~ " + 1", time_zone) -%}
        {%- set own = strandline._day_start(day, time_zone) -%}
        {%- set day = "(" ~ day ~ " + if(" ~ next ~ " <= " ~ ts ~ ", 1, 0)"
            ~ " - if(" ~ own ~ " > " ~ ts ~ ", 1, 0))" -%}
    {%- endif -%}
    {%- if name == 'days' -%}{{- return(strandline._day_start(day, time_zone)) -}}{%- endif -%}
    {%- if name not in ['weeks', 'months', 'quarters', 'years'] -%}
        {%- do strandline._refuse('bucket_start', ["Spark cannot truncate a date to " ~ name]) -%}
    {%- endif -%}
    {%- set first = "unix_date(trunc(date_from_unix_date(" ~ day ~ "), '" ~ name[:-1] ~ "'))" -%}
    {{- return(strandline._day_start(first, time_zone)) -}}
{% endmacro %}

{#- The instant at which a day, counted from the epoch, begins: the first instant at which the
    zone's clock shows midnight, or would have shown it before a change that skips midnight. -#}
{% macro _day_start(day, time_zone) %}
    {%- set start = "timestamp_seconds((" ~ day ~ ") * 86400L)" -%}
    {%- if time_zone == 'UTC' -%}{{- return(start) -}}{%- endif -%}
    {{- return("to_utc_timestamp(" ~ start ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- An instant on the zone's clock, written as if it were UTC. -#}
{% macro _local(ts, time_zone) %}
    {{- return(ts if time_zone == 'UTC'
        else "from_utc_timestamp(" ~ ts ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- The date of an instant on the zone's clock (`_local`), as days since 1970-01-01. Integer
    arithmetic only: Spark's date functions depend on the session's time zone. -#}
{% macro _local_day(local) %}
    {%- set seconds = "unix_seconds(" ~ local ~ ")" -%}
    {{- return("cast((" ~ seconds ~ " - pmod(" ~ seconds ~ ", 86400)) div 86400 as int)") -}}
{% endmacro %}

{#- The first day of the week (a Monday), month or year in which a bucket begins by its zone's
    clock: the value by which an aggregation table is partitioned. Weeks are computed for every row
    of a table of seconds, so they use integer arithmetic; day 4 of 1970 was a Monday. -#}
{% macro _partition_of(ts, unit, time_zone) %}
    {%- set day = strandline._local_day(strandline._local(ts, time_zone)) -%}
    {%- if unit == 'week' -%}
        {{- return("date_from_unix_date(" ~ day ~ " - pmod(" ~ day ~ " - 4, 7))") -}}
    {%- endif -%}
    {{- return("trunc(date_from_unix_date(" ~ day ~ "), '" ~ unit ~ "')") -}}
{% endmacro %}

{#- A literal predicate on the partition column, by which Delta prunes. The Monday of 11 October
    1582 is selected by its neighbours: it does not exist in Java's calendar, and Delta would
    replace the partition of the 15th instead. -#}
{% macro _in_partitions(dates) %}
    {%- set listed = dates | reject('equalto', '1582-10-11') | sort -%}
    {%- set conditions = [] -%}
    {%- if listed -%}
        {%- do conditions.append("agg_partition in (date'" ~ listed | join("', date'") ~ "')") -%}
    {%- endif -%}
    {%- if '1582-10-11' in dates -%}
        {%- do conditions.append("agg_partition > date'1582-10-04' and agg_partition < "
            ~ "date'1582-10-18'") -%}
    {%- endif -%}
    {{- return(conditions[0] if conditions | length == 1
        else '(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The last day of the partition that begins at a date; both are Python dates. -#}
{% macro _partition_last(first, unit) %}
    {%- set one = modules.datetime.timedelta(days=1) -%}
    {%- if unit == 'week' -%}{{- return(first + 6 * one) -}}{%- endif -%}
    {%- set next = (first.replace(day=28) + 4 * one) if unit == 'month'
        else first.replace(month=12, day=28) + 4 * one -%}
    {{- return(next.replace(day=1) - one) -}}
{% endmacro %}

{#- The days that partitions cover, as [first, last] pairs of dates, extended by `slack` days on
    both sides. Adjacent pairs are joined, so that few literal ranges remain, by which files are
    skipped. -#}
{% macro _partition_spans(dates, unit, slack=0) %}
    {%- set day = modules.datetime.timedelta(days=1) -%}
    {%- set spans = [] -%}
    {%- for date in dates | sort -%}
        {%- set first = modules.datetime.date.fromisoformat(date) -%}
        {%- set last = strandline._partition_last(first, unit) + slack * day -%}
        {%- set first = first - slack * day -%}
        {%- if spans and first <= spans[-1][1] + day -%}
            {%- set joined = spans.pop() -%}
            {%- do spans.append([joined[0], last]) -%}
        {%- else -%}
            {%- do spans.append([first, last]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(spans) -}}
{% endmacro %}

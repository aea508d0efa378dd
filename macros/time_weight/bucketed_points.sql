{#- The points of a source that count, with their bucket in microseconds. Buckets are counted from
    Monday, 3 January 2000, so that weeks begin on Mondays. A point without an arrival fails the
    run. Points that do not count are in the table of late points. -#}
{% macro _bucketed_points(task, condition=none) -%}
    {%- set micros = strandline._point_micros(task) -%}
select
        {%- for key in task['keys'] %}
        upstream.{{ key }},
        {%- endfor %}
        {{ micros }} as agg_t,
        {%- if task.value %}
        upstream.{{ task.value }} as agg_value,
        {%- endif %}
        {{ strandline._point_arrival(task) }} as agg_arrival,
        {{ micros }} - pmod({{ micros }} - 946857600000000L, {{ task.bucket }}L) as agg_bucket
    from (select * from {{ task.upstream }}) as upstream
    where
        {%- for fault in strandline._point_faults(task) %}
        {{ 'and ' if not loop.first }}not ({{ fault.condition }})
        {%- endfor %}
    {%- if condition %}
        and {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The time of a point in microseconds; null if it cannot be read. -#}
{% macro _point_micros(task) %}
    {{- return('unix_micros(try_cast(upstream.' ~ task.ts ~ ' as timestamp))') -}}
{% endmacro %}

{#- The arrival of a point. A null arrival fails the run, because it cannot be compared with the
    watermark. -#}
{% macro _point_arrival(task) %}
    {%- set message = task.summary ~ "_table: a point of " ~ task.upstream_name ~ " has no "
        ~ task.arrival ~ "; every point needs an arrival that only grows" -%}
    {{- return("coalesce(upstream." ~ task.arrival ~ ", raise_error("
        ~ strandline._literal(message) ~ "))") -}}
{% endmacro %}

{#- The reasons why a point does not count: conditions, which are never null, with texts. The table
    and its late points share them, so that every point is in exactly one of them. A null key is a
    key. The range of years is that of the partitions' calendar. Delta's file statistics use Java's
    calendar, which skips from 4 to 15 October 1582. -#}
{% macro _point_faults(task) %}
    {%- set ts, micros = 'upstream.' ~ task.ts, strandline._point_micros(task) -%}
    {%- set faults = [
        [ts ~ ' is null', 'is null'],
        [micros ~ ' is null', 'cannot be read as a TIMESTAMP'],
        ['coalesce(' ~ micros ~ ' not between -62104060800000000L and 253370764799999999L, true)',
            'is outside the years 2 to 9998'],
        ['coalesce(' ~ strandline._is_skipped_time('try_cast(' ~ ts ~ ' as timestamp)') ~ ', true)',
            'is in 4 to 16 October 1582, which Delta cannot search by time'],
    ] -%}
    {%- set reasons = [] -%}
    {%- for condition, text in faults -%}
        {%- do reasons.append({'condition': condition,
            'reason': 'no time: ' ~ task.ts ~ ' ' ~ text}) -%}
    {%- endfor -%}
    {%- if task.value -%}
        {%- set kind = 'no state: ' if task.summary == 'state_agg' else 'no value: ' -%}
        {%- do reasons.append({'condition': 'upstream.' ~ task.value ~ ' is null',
            'reason': kind ~ task.value ~ ' is null'}) -%}
    {%- endif -%}
    {%- if task.summary == 'time_weight' -%}
        {%- do reasons.append({'condition': 'try_cast(upstream.' ~ task.value
            ~ ' as double) is null',
            'reason': 'no value: ' ~ task.value ~ ' cannot be read as a number'}) -%}
    {%- endif -%}
    {{- return(reasons) -}}
{% endmacro %}

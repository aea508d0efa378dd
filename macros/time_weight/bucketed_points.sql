{#- The points of a source that count, with their bucket in microseconds. Buckets are counted from
    Monday, 3 January 2000, so that weeks begin on Mondays. A point without an arrival fails the
    run. Points that do not count are in the table of late points. -#}
{% macro _bucketed_points(task, condition=none) -%}
    {%- set micros = strandline._point_micros(task) -%}
select
        {%- for key in task['keys'] %}
        __upstream.{{ strandline._quoted(key) }},
        {%- endfor %}
        {{ micros }} as __t,
        {%- if task.value %}
        __upstream.{{ strandline._quoted(task.value) }} as __value,
        {%- endif %}
        {{ strandline._point_arrival(task) }} as __arrival,
        {{ micros }} - pmod({{ micros }} - 946857600000000L, {{ task.bucket }}L) as __bucket
    from (select * from {{ task.upstream }}) as __upstream
    where
        {%- for fault in strandline._point_faults(task) %}
        {{ 'and ' if not loop.first }}not ({{ fault.condition }})
        {%- endfor %}
    {%- if condition %}
        and {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The time of a point as a TIMESTAMP; null if it cannot be read. -#}
{% macro _point_time(task) %}
    {{- return('try_cast(__upstream.' ~ strandline._quoted(task.ts) ~ ' as timestamp)') -}}
{% endmacro %}

{#- The time of a point in microseconds; null if it cannot be read. -#}
{% macro _point_micros(task) %}
    {{- return('unix_micros(' ~ strandline._point_time(task) ~ ')') -}}
{% endmacro %}

{#- The arrival of a point. A null arrival fails the run, because it cannot be compared with the
    watermark. -#}
{% macro _point_arrival(task) %}
    {%- set message = task.summary ~ "_table: a point of " ~ task.upstream_name ~ " has no "
        ~ task.arrival ~ "; every point needs an arrival that only grows" -%}
    {{- return("coalesce(__upstream." ~ strandline._quoted(task.arrival) ~ ", raise_error("
        ~ strandline._literal(message) ~ "))") -}}
{% endmacro %}

{#- Whether a point is above the watermark; none if there is no watermark yet. A point without an
    arrival also passes, so that it fails the run. -#}
{% macro _is_new_point(task, watermark) %}
    {%- set arrival = '__upstream.' ~ strandline._quoted(task.arrival) -%}
    {{- return('(' ~ arrival ~ ' > ' ~ watermark ~ ' or ' ~ arrival ~ ' is null)'
        if watermark else none) -}}
{% endmacro %}

{#- The reasons why a point does not count: conditions, which are never null, with texts. The table
    and its late points share them, so that every point is in exactly one of them. A null key is a
    key. The range of years is that of the partitions' calendar. Delta's file statistics use Java's
    calendar, which skips from 4 to 15 October 1582. -#}
{% macro _point_faults(task) %}
    {%- set ts = '__upstream.' ~ strandline._quoted(task.ts) -%}
    {%- set time, micros = strandline._point_time(task), strandline._point_micros(task) -%}
    {%- set reasons = [] -%}
    {%- for condition, text in [
        [ts ~ ' is null', 'is null'],
        [micros ~ ' is null', 'cannot be read as a TIMESTAMP'],
        ['coalesce(' ~ strandline._is_skipped_time(time) ~ ', false)',
            'is in 4 to 16 October 1582, which Delta cannot search by time'],
    ] -%}
        {%- do reasons.append({'condition': condition,
            'reason': 'no time: ' ~ task.ts ~ ' ' ~ text}) -%}
    {%- endfor -%}
    {%- if task.get('not_after') -%}
        {%- do reasons.append({'condition': 'coalesce(' ~ time ~ ' > (' ~ task.not_after
            ~ '\n), false)',
            'reason': 'from the future: ' ~ task.ts ~ ' is after ' ~ task.not_after}) -%}
    {%- endif -%}
    {%- do reasons.append({'condition': 'coalesce(' ~ micros
        ~ ' not between -62104060800000000L and 253370764799999999L, true)',
        'reason': 'no time: ' ~ task.ts ~ ' is outside the years 2 to 9998'}) -%}
    {%- if task.value -%}
        {%- set value = '__upstream.' ~ strandline._quoted(task.value) -%}
        {%- set kind = 'no state: ' if task.summary == 'state_agg' else 'no value: ' -%}
        {%- do reasons.append({'condition': value ~ ' is null',
            'reason': kind ~ task.value ~ ' is null'}) -%}
        {%- if task.summary == 'time_weight' -%}
            {%- do reasons.append({'condition': 'try_cast(' ~ value ~ ' as double) is null',
                'reason': 'no value: ' ~ task.value ~ ' cannot be read as a number'}) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(reasons) -}}
{% endmacro %}

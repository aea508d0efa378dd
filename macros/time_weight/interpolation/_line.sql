{#- The part of the line between two points that lies between two bounds: its length in microseconds (0 when a point is
    missing or the line spans a gap), and its mean value, which is the one at half its length. -#}
{% macro _line(t0, v0, t1, v1, lower, upper, gap) %}
    {%- set is_absent = t0 ~ ' is null or ' ~ t1 ~ ' is null or coalesce(' ~ t1 ~ ' - ' ~ t0 ~ ' > ' ~ gap ~ ', false)' -%}
    {{- return({
        'length': 'if(' ~ is_absent ~ ', 0L, ' ~ upper ~ ' - ' ~ lower ~ ')',
        'value': '(' ~ v0 ~ ' + (' ~ v1 ~ ' - ' ~ v0 ~ ') * (((' ~ lower ~ ' - ' ~ t0 ~ ') + (' ~ upper ~ ' - ' ~ t0
            ~ ')) / 2D) / (' ~ t1 ~ ' - ' ~ t0 ~ '))',
    }) -}}
{% endmacro %}

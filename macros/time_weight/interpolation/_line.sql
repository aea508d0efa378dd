{#- The part of the line between two points that lies between two bounds: its length in microseconds (0 when a point is
    missing or the line spans a gap), and its mean value, which is the one at half its length. Each point's share of it is
    computed before it is multiplied, so that great values stay in range and infinite ones stay infinite. -#}
{% macro _line(t0, v0, t1, v1, lower, upper, gap) %}
    {%- set is_absent = t0 ~ ' is null or ' ~ t1 ~ ' is null or coalesce(' ~ t1 ~ ' - ' ~ t0 ~ ' > ' ~ gap ~ ', false)' -%}
    {%- set both = '(2D * (' ~ t1 ~ ' - ' ~ t0 ~ '))' -%}
    {%- set share0 = '(((' ~ t1 ~ ' - ' ~ lower ~ ') + (' ~ t1 ~ ' - ' ~ upper ~ ')) / ' ~ both ~ ')' -%}
    {%- set share1 = '(((' ~ lower ~ ' - ' ~ t0 ~ ') + (' ~ upper ~ ' - ' ~ t0 ~ ')) / ' ~ both ~ ')' -%}
    {{- return({
        'length': 'if(' ~ is_absent ~ ', 0L, ' ~ upper ~ ' - ' ~ lower ~ ')',
        'value': 'if(' ~ v0 ~ ' = ' ~ v1 ~ ', ' ~ v0 ~ ', ' ~ v0 ~ ' * ' ~ share0 ~ ' + ' ~ v1 ~ ' * ' ~ share1 ~ ')',
    }) -}}
{% endmacro %}

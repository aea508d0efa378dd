{#- The column that stores one part of one argument: `agg_sum_price`, `agg_count` for `count(*)`.
    An expression gets a readable stem and a hash, so that two expressions never share a column. -#}
{% macro _part_column(kind, argument) %}
    {%- if argument == '*' -%}{{- return('agg_' ~ kind) -}}{%- endif -%}
    {%- if strandline._is_identifier(argument) -%}
        {{- return('agg_' ~ kind ~ '_' ~ argument | lower) -}}
    {%- endif -%}
    {%- set stem = modules.re.sub('[^a-z0-9]+', '_', argument | lower).strip('_')[:40].strip('_') -%}
    {{- return('agg_' ~ kind ~ '_' ~ stem ~ '_' ~ local_md5(argument)[:6]) -}}
{% endmacro %}

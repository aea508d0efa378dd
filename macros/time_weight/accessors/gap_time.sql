{#- The time between first and last point that does not count, in a unit. See _macros.yml. -#}
{% macro gap_time(summary, unit='second') -%}
    {%- set micros = '(unix_micros((' ~ summary ~ ').last_time) - unix_micros((' ~ summary ~ ').first_time) - (' ~ summary ~ ').elapsed)' -%}
    {{- strandline._in_unit(micros, unit, 'gap_time of ' ~ summary) }}
{%- endmacro %}

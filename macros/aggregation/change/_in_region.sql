{#- Whether a bucket begins in the stretch of time that is computed anew. -#}
{% macro _in_region(region, ts) -%}
    ({{ ts }} >= timestamp_micros({{ region.start }}){% if region.end is not none %} and {{ ts }} < timestamp_micros({{ region.end }}){% endif %})
{%- endmacro %}

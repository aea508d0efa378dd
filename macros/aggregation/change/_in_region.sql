{#- Whether a bucket begins in the range of time that is recomputed, and not before what has been
    purged. -#}
{% macro _in_region(region, ts) -%}
    ({{ ts }} >= timestamp_micros({{ region.start }})
        {%- if region.get('purged_before') %}
        and {{ ts }} >= timestamp'{{ region.purged_before }}'
        {%- endif %}
        {%- if region.end is not none %}
        and {{ ts }} < timestamp_micros({{ region.end }})
        {%- endif %})
{%- endmacro %}

{#- Whether a signal was alive at an instant; null outside of its range. See _macros.yml. -#}
{% macro live_at(summary, ts) -%}
    if({{ ts }} >= ({{ summary }}).start and {{ ts }} < ({{ summary }}).end,
        exists(({{ summary }}).ranges, x -> x.start <= {{ ts }} and {{ ts }} < x.end), null)
{%- endmacro %}

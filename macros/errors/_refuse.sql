{#- Raises every fault of a definition at once: who was called, then one line a fault.
    Does nothing when there is none, so that a validator ends in one call. -#}
{% macro _refuse(who, faults) %}
    {%- if faults -%}
        {%- do exceptions.raise_compiler_error(who ~ ":\n  - " ~ faults | join("\n  - ")) -%}
    {%- endif -%}
{% endmacro %}

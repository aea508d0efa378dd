{#- The unit of time that a spelling means (`MS`, `Seconds`, `date`), or none when it means none. -#}
{% macro _alignment_unit(spelling) %}
    {%- set wanted = spelling | trim | lower -%}
    {%- set singular = wanted[:-1] if wanted[-1:] == 's' else wanted -%}
    {%- for spelt in [wanted, singular] -%}
        {%- for unit in strandline._alignment_units() if spelt in unit.spellings -%}
            {{- return(unit) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

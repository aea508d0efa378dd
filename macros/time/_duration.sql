{#- The duration that a spelling means (`sec`, `Minutes`, …), or none when it means none. -#}
{% macro _duration(spelling) %}
    {%- set wanted = (spelling | string | trim | lower) -%}
    {%- for duration in strandline._durations() if wanted in duration.spellings -%}
        {{- return(duration) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

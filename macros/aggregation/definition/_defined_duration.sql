{#- The duration a spelling means, refused when the definition does not aggregate by it. -#}
{% macro _defined_duration(definition, spelling, who) %}
    {%- set duration = strandline._duration(spelling) -%}
    {%- if duration is none or duration.name not in definition.durations -%}
        {%- do strandline._refuse(who ~ " of '" ~ definition.name ~ "'", ["'" ~ spelling
            ~ "' is no duration of this aggregation; it is defined for "
            ~ strandline._choices(definition.durations)]) -%}
    {%- endif -%}
    {{- return(duration) -}}
{% endmacro %}

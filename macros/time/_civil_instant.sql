{#- The instant of a civil time `yyyy-MM-dd HH:mm:ss` at the offset that `text` ends with (GMT without one),
    as a TIMESTAMP; null when there is no such date, time or offset. The session's zone has no say,
    because Spark always finds a zone in the text. -#}
{% macro _civil_instant(civil, text) %}
    {%- set offset = strandline._text_offset(text) -%}
    {{- return("case when " ~ civil ~ " not like '0000%' then try_cast(concat(" ~ civil ~ ", if(" ~ offset ~ " = '', 'Z', "
        ~ offset ~ ")) as timestamp) end") -}}
{% endmacro %}

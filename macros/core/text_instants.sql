{#- A text `yyyy-MM-dd HH:mm:ss[ +HH:MM]` (GMT without an offset), or digits of Unix milliseconds, as a
    TIMESTAMP; null for anything else. It never raises. -#}
{% macro _text_instant(text) -%}
case
            when {{ text }} rlike '^[+-]?[0-9]{1,15}$'
                then {{ strandline._millis_instant('try_cast(' ~ text ~ ' as bigint)') }}
            when {{ text }} rlike '{{ strandline._text_form() }}'
                then {{ strandline._civil_instant('left(' ~ text ~ ', 19)', text) }}
        end
{%- endmacro %}

{#- The one form of a time in text, as a regular expression: a space and an offset may follow. No
    backslashes, because Spark reads those twice. -#}
{% macro _text_form() %}
    {{- return('^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

{#- The instant of a civil time `yyyy-MM-dd HH:mm:ss` at the offset that `text` ends with (GMT without one),
    as a TIMESTAMP; null when there is no such date, time or offset. The session's zone has no say,
    because Spark always finds a zone in the text. -#}
{% macro _civil_instant(civil, text) %}
    {%- set offset = strandline._text_offset(text) -%}
    {{- return("case when " ~ civil ~ " not like '0000%' then try_cast(concat(" ~ civil ~ ", if(" ~ offset ~ " = '', 'Z', "
        ~ offset ~ ")) as timestamp) end") -}}
{% endmacro %}

{#- The offset that stands behind a time in text, such as +05:30; empty without one. -#}
{% macro _text_offset(column) %}
    {{- return("trim(substring(trim(" ~ column ~ "), 20))") -}}
{% endmacro %}

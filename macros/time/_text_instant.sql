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

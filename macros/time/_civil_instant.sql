{#- The instant of a civil time `yyyy-MM-dd HH:mm:ss` at the offset with which `text` ends (GMT without
    one), as a TIMESTAMP; null when there is no such date, time or offset. The session's zone has
    no say, because Spark always finds a zone in the text. -#}
{% macro _civil_instant(civil, text) -%}
try_cast(concat({{ civil }}, coalesce(nullif(regexp_extract({{ text }}, '{{ strandline._offset_form() }}$', 1), ''), 'Z')) as timestamp)
{%- endmacro %}

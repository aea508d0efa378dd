{#- The one form of a time in text, as a regular expression: a space and an offset may follow. No
    backslashes, because Spark reads those twice. -#}
{% macro _text_form() %}
    {{- return('^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

{#- The regular expression of a pattern of `within`, for Spark: from the right, fields may be asterisks.
    See `_offset_form` for why there are no backslashes. -#}
{% macro _pattern_form() %}
    {%- set forms = [] -%}
    {%- for known in range(1, 7) -%}
        {%- set fields = ['(?!0000)[0-9]{4}'] + ['[0-9]{2}'] * (known - 1) + ['[*]{2}'] * (6 - known) -%}
        {%- do forms.append('%s-%s-%s %s:%s:%s' | format(*fields)) -%}
    {%- endfor -%}
    {{- return('^(' ~ forms | join('|') ~ ')( ?' ~ strandline._offset_form() ~ ')?$') -}}
{% endmacro %}

{#- The regular expression of a pattern of `within`, for Spark: from the right, fields may be asterisks.
    Like `_text_form`, which is its last case, it has no backslashes. -#}
{% macro _pattern_form() %}
    {%- set forms = [] -%}
    {%- for known in range(1, 7) -%}
        {%- set fields = ['[0-9]{4}'] + ['[0-9]{2}'] * (known - 1) + ['[*]{2}'] * (6 - known) -%}
        {%- do forms.append('%s-%s-%s %s:%s:%s' | format(*fields)) -%}
    {%- endfor -%}
    {{- return('^(' ~ forms | join('|') ~ ')( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

{#- The fault of one column of the request: null, or something that means nothing (`meaning` is null). -#}
{% macro _request_fault(column, meaning, form) -%}
case
                when b.{{ column }} is null then '{{ column }} is null'
                when b.{{ meaning }} is null then concat('{{ column }} \'', cast(b.{{ column }} as string), '\' {{ form }}')
            end
{%- endmacro %}

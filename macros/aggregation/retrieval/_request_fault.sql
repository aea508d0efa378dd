{#- The fault of one column of the request: null, or something that means nothing (`meaning` is null). -#}
{% macro _request_fault(column, meaning, form) -%}
case
                when b.{{ column }} is null then {{ strandline._literal(column ~ ' is null') }}
                when b.{{ meaning }} is null then concat({{ strandline._literal(column ~ " '") }}, cast(b.{{ column }} as string), {{ strandline._literal("' " ~ form) }})
            end
{%- endmacro %}

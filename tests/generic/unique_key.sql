{#- Rows that share a key, nulls counted as equal: a table's declared key is its identity. Also the
    keys with a null in one of the columns `not_null`. -#}
{% test unique_key(model, columns, not_null=[]) %}
    select
        {{ columns | join(',\n        ') }},
        count(*) as n_rows
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1
        {%- for column in not_null %} or count_if({{ column }} is null) > 0{% endfor %}
{% endtest %}

{#- Rows that share a key, nulls counted as equal: a table's declared key is its identity. -#}
{% test unique_key(model, columns) %}
    select
        {{ columns | join(',\n        ') }},
        count(*) as n_rows
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1
{% endtest %}

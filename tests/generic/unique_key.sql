{#- Rows that share a key, nulls counted as equal: a table's declared key is its identity. Also the
    keys with a null in one of the columns `not_null`. -#}
{% test unique_key(model, columns, not_null=[]) %}
    {%- set keys = strandline._tested_columns(model, columns) %}
    select
        {{ keys | join(',\n        ') }},
        count(*) as n_rows
    from {{ model }}
    group by {{ keys | join(', ') }}
    having count(*) > 1
        {%- for column in strandline._tested_columns(model, not_null) %}
        or count_if({{ column }} is null) > 0
        {%- endfor %}
{% endtest %}

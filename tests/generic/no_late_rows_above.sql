{#- The reasons of the rows of a table of late events or of a quarantine, if it has more than
    `at_most` rows. -#}
{% test no_late_rows_above(model, at_most=0, reason='late_reason') %}
    {%- set reason = strandline._tested_columns(model, [reason])[0] %}
    with __reasons as (
        select {{ reason }}, count(*) as number_of_rows from {{ model }} group by {{ reason }}
    )

    select * from __reasons where (select sum(number_of_rows) from __reasons) > {{ at_most }}
{% endtest %}

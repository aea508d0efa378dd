{#- Points with the time and the value before them, for lines, which need what counts of both times in one row: of one time the
    first to arrive stands first, and a second window passes over the others. -#}
{% macro _linear_rows(points, keys) -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival, agg_value' -%}
(
    select *, lag(if(is_first, agg_value, null)) ignore nulls over ({{ order }}) as agg_value_before
    from (
        select *, not agg_t <=> agg_t_before as is_first
        from (
            select *, lag(agg_t) over ({{ order }}) as agg_t_before
            from {{ points }}
        )
    )
)
{%- endmacro %}

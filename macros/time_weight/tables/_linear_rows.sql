{#- Points with how long since the one before, and with its value, for lines, which need what counts of both times in one row: of
    one time the first to arrive stands first, and a second window passes over the others. -#}
{% macro _linear_rows(points, keys) -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival, agg_value' -%}
(
    select *, lag(if(is_first, agg_value, null)) ignore nulls over ({{ order }}) as agg_value_before
    from (
        select *, not agg_length <=> 0 as is_first
        from (
            select *, agg_t - lag(agg_t) over ({{ order }}) as agg_length
            from {{ points }}
        )
    )
)
{%- endmacro %}

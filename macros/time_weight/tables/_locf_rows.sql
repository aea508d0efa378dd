{#- Points with the time and the value before them, for LOCF. Of one time the first to arrive stands last, so that the row before a
    new time is the one that counts: one window does it all. -#}
{% macro _locf_rows(points, keys) -%}
    {%- set order = 'partition by ' ~ keys ~ ' order by agg_t, agg_arrival desc, agg_value desc' -%}
(
    select
        *,
        lag(agg_t) over ({{ order }}) as agg_t_before,
        lag(agg_value) over ({{ order }}) as agg_value_before,
        not agg_t <=> lead(agg_t) over ({{ order }}) as is_first
    from {{ points }}
)
{%- endmacro %}

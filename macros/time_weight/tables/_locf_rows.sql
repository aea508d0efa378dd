{#- Points with how long until the next one, and with the value that is valid meanwhile, for LOCF: one look ahead does it all. Of one
    time the first to arrive stands last, so that it is the one whose value reaches to the next time. -#}
{% macro _locf_rows(points, keys) -%}
(
    select
        *,
        agg_value as agg_value_before,
        not agg_length <=> 0 as is_first
    from (
        select
            *,
            lead(agg_t) over (partition by {{ keys }} order by agg_t, agg_arrival desc, agg_value desc) - agg_t as agg_length
        from {{ points }}
    )
)
{%- endmacro %}

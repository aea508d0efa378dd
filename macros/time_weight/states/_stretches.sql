{#- The stretches of time in which each state of an array lasts, by microseconds. Two different states at one instant stop
    the query. -#}
{% macro _stretches(points, gap) -%}
    zip_with({{ points }}, slice({{ points }}, 2, greatest(size({{ points }}) - 1, 0)), (a, z) -> if(coalesce(a.t = z.t, false),
        raise_error(concat('state_agg: two states at ', timestamp_micros(a.t), ', ', a.state, ' and ', z.state,
            '; a signal is in one state at a time: group by its key as well, or decide between the two before')),
        named_struct('state', a.state, 'from', a.t, 'to', if(z is null, a.t, least(z.t, a.t + {{ gap }})))))
{%- endmacro %}

{#- A bucket's own weighted sum and elapsed time with those of its two edges; an edge without length adds nothing, also
    where its value is NaN. -#}
{% macro _with_edges(before, after) -%}
    named_struct(
                'weighted_sum', coalesce(b.weighted_sum, 0D)
                    + if({{ before.length }} = 0, 0D, {{ before.value }} * ({{ before.length }} / 1e6D))
                    + if({{ after.length }} = 0, 0D, {{ after.value }} * ({{ after.length }} / 1e6D)),
                'elapsed', coalesce(b.elapsed, 0L) + {{ before.length }} + {{ after.length }})
{%- endmacro %}

{#- The time weight of an array of points in the order of time; null when it is empty. -#}
{% macro _folded_points(points, method, gap) -%}
    {%- set length = 'p.t - s.lt' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
    aggregate(
        {{ points }},
        cast(null as struct<ws: double, el: bigint, gaps: bigint, ft: bigint, fv: double, lt: bigint, lv: double>),
        (s, p) -> case
            when s is null then named_struct('ws', 0D, 'el', 0L, 'gaps', 0L, 'ft', p.t, 'fv', p.value, 'lt', p.t, 'lv', p.value)
            when p.t = s.lt then s
            else named_struct(
                'ws', s.ws + {{ strandline._weight(method, 's.lv', 'p.value', counted) }},
                'el', s.el + {{ counted }},
                'gaps', s.gaps + if({{ length }} > {{ gap }}, 1L, 0L),
                'ft', s.ft, 'fv', s.fv, 'lt', p.t, 'lv', p.value)
            end,
        s -> if(s is null, null, named_struct(
            'method', {{ method }}, 'gap', {{ gap }}, 'weighted_sum', s.ws, 'elapsed', s.el, 'num_gaps', s.gaps,
            'first_time', timestamp_micros(s.ft), 'first_value', s.fv,
            'last_time', timestamp_micros(s.lt), 'last_value', s.lv)))
{%- endmacro %}

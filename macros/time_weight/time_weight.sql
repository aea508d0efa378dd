{#- The time-weight summary of the points of a group: an aggregate expression. See _macros.yml. -#}
{% macro time_weight(ts, value, method, gap=none, arrival=none) -%}
    {%- do strandline._check_call('time_weight', kwargs, varargs, {
        'ts': [ts, "name the column of the points' time"],
        'value': [value, "name the column of the points' value"],
        'method': [method, "write one of locf, linear, trapezoidal"],
    }, ['gap', 'arrival']) -%}
    {%- set faults = [] -%}
    {%- set method = strandline._read_method(method, faults) -%}
    {%- set gap = strandline._read_gap(gap, faults) -%}
    {%- do strandline._refuse('time_weight of ' ~ value, faults) -%}
    {{- strandline._folded_points(strandline._collected_points(ts, value, arrival), "'" ~ method ~ "'", gap) }}
{%- endmacro %}

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

{#- How much of the interval between two neighbouring points counts, in microseconds: under LOCF a value is
    valid for no longer than the gap; a line is drawn over no interval longer than it. -#}
{% macro _counted(method, gap, length) -%}
    if({{ length }} > {{ gap }}, if({{ method }} = 'locf', {{ gap }}, 0L), {{ length }})
{%- endmacro %}

{#- What counted microseconds between two neighbouring points add to the weighted sum, in value × seconds;
    nothing when none count, also where a value is NaN or infinite. -#}
{% macro _weight(method, before, after, counted) -%}
    if({{ counted }} = 0, 0D, if({{ method }} = 'locf', {{ before }}, ({{ before }} + {{ after }}) / 2) * (({{ counted }}) / 1e6D))
{%- endmacro %}

{#- The points of a group in the order of time, as an array. Those without a time or a value are left out.
    Among equal times the first to arrive stands first, and without an arrival the least value: any
    order of the rows gives the same. -#}
{% macro _collected_points(ts, value, arrival=none) -%}
    sort_array(collect_list(case when {{ ts }} is not null and {{ value }} is not null then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)),
        {%- if arrival %} 'arrival', {{ arrival }},{% endif %} 'value', cast({{ value }} as double)) end))
{%- endmacro %}

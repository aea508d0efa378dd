{#- The summary of the states of a group: an aggregate expression. See _macros.yml. -#}
{% macro state_agg(ts, state, gap=none, form='full') -%}
    {%- do strandline._check_call('state_agg', kwargs, varargs, {
        'ts': [ts, "name the column of the points' time"],
        'state': [state, "name the column of the points' state"],
    }, ['gap', 'form']) -%}
    {%- set faults = [] -%}
    {%- set gap = strandline._read_gap(gap, strandline._period(gap).fixed, faults) -%}
    {%- if form not in ['full', 'compact'] -%}
        {%- do faults.append("`form` is '" ~ form ~ "'; write 'full' (with the timeline) or 'compact' (durations only)") -%}
    {%- endif -%}
    {%- do strandline._refuse('state_agg of ' ~ state, faults) -%}
    {{- strandline._folded_states(strandline._collected_states(ts, state), gap, form == 'full') }}
{%- endmacro %}

{#- The states of a group in the order of time, as an array: points without a time or a state are
    left out, and the same state at the same instant is told once. -#}
{% macro _collected_states(ts, state) -%}
    sort_array(collect_set(case when {{ ts }} is not null and {{ state }} is not null then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)), 'state', {{ state }}) end))
{%- endmacro %}

{#- The summary of an array of states in the order of time; null when it is empty. A state lasts
    until the next one, at most for the gap; the last one has begun and not lasted yet. -#}
{% macro _folded_states(points, gap, is_full) -%}
    get(transform(filter(array({{ points }}), p -> size(p) > 0), p -> {{ strandline._state_summary(
        strandline._state_intervals('p', gap), {
            'gap': gap,
            'first_time': 'timestamp_micros(p[0].t)', 'first_state': 'p[0].state',
            'last_time': 'timestamp_micros(element_at(p, -1).t)', 'last_state': 'element_at(p, -1).state',
        }, is_full) }}), 0)
{%- endmacro %}

{#- The summary of states from their stretches in the order of time. `told` are its other
    fields. -#}
{% macro _state_summary(stretches, told, is_full) -%}
    transform(array({{ stretches }}), s -> named_struct(
        {%- for name, value in told.items() %}
        '{{ name }}', {{ value }},
        {%- endfor %}
        'durations', {{ strandline._durations_of('s') }},
        'timeline', {{ 'if(' ~ is_full ~ ', ' ~ strandline._joined_intervals('s') ~ ', null)' }}))[0]
{%- endmacro %}

{#- The stretches of time in which each state of an array lasts, by microseconds. Two different
    states at one instant stop the query. -#}
{% macro _state_intervals(points, gap) -%}
    zip_with({{ points }}, slice({{ points }}, 2, greatest(size({{ points }}) - 1, 0)), (a, z) -> if(coalesce(a.t = z.t, false),
        raise_error(concat('state_agg: two states at ', timestamp_micros(a.t), ', ', a.state, ' and ', z.state,
            '; a signal is in one state at a time: group by its key as well, or decide between the two before')),
        named_struct('state', a.state, 'from', a.t, 'to', if(z is null, a.t, least(z.t, a.t + {{ gap }})))))
{%- endmacro %}

{#- How long each state lasted in all, as an array sorted by state. -#}
{% macro _durations_of(stretches) -%}
    transform(
            array_sort(array_distinct(transform({{ stretches }}, x -> x.state))),
            state -> named_struct('state', state, 'duration',
                aggregate(filter({{ stretches }}, x -> x.state = state), 0L, (sum, x) -> sum + x.to - x.from)))
{%- endmacro %}

{#- Stretches in the order of time, neighbours of one state that touch made one: a stretch begins
    where the one before is of another state or has ended earlier, and ends where the one after
    begins anew. -#}
{% macro _joined_intervals(s) -%}
    zip_with(
            filter({{ s }}, (x, i) -> i = 0 or {{ s }}[i - 1].state <> x.state or {{ s }}[i - 1].to < x.from),
            filter({{ s }}, (x, i) -> i = size({{ s }}) - 1 or {{ s }}[i + 1].state <> x.state or x.to < {{ s }}[i + 1].from),
            (a, z) -> named_struct('state', a.state, 'start', timestamp_micros(a.from), 'end', timestamp_micros(z.to)))
{%- endmacro %}

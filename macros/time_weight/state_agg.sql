{#- The summary of the states of a group: an aggregate expression. See _macros.yml. -#}
{% macro state_agg(ts, state, gap=none, form='full') -%}
    {%- set read = strandline._arguments(strandline._caller('state_agg', state), kwargs, varargs, {
        'ts': ['any', ts, "name the column of the points' time"],
        'state': ['any', state, "name the column of the points' state"],
        'gap': strandline._gap_argument(gap),
        'form': strandline._form_argument(form),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- strandline._folded_states(strandline._collected_states(ts, state),
        strandline._gap_micros(read.gap), form == 'full') }}
{%- endmacro %}

{#- The argument `form`, for `_arguments`. -#}
{% macro _form_argument(form) %}
    {{- return(['choice', form, "write 'full' (with the timeline) or 'compact' (durations only)",
        {'of': ['full', 'compact']}]) -}}
{% endmacro %}

{#- The states of a group in the order of time, as an array. Points without a time or a state are
    ignored; equal states at the same instant are kept once. -#}
{% macro _collected_states(ts, state) -%}
    sort_array(collect_set(case when {{ ts }} is not null and {{ state }} is not null
        then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)), 'state', {{ state }}) end))
{%- endmacro %}

{#- The summary of an array of states in the order of time; null if it is empty. A state lasts until
    the next one, for at most the gap; the last one has no duration yet. -#}
{% macro _folded_states(points, gap, is_full) -%}
    get(transform(filter(array({{ points }}), p -> size(p) > 0), p -> {{ strandline._state_summary(
        strandline._state_intervals('p', gap), {
            'gap': gap,
            'first_time': 'timestamp_micros(p[0].t)', 'first_state': 'p[0].state',
            'last_time': 'timestamp_micros(element_at(p, -1).t)',
            'last_state': 'element_at(p, -1).state',
        }, is_full) }}), 0)
{%- endmacro %}

{#- The summary of states from their intervals in the order of time. `fields` are its other
    fields. -#}
{% macro _state_summary(intervals, fields, is_full) -%}
    transform(array({{ intervals }}), s -> named_struct(
        {%- for name, value in fields.items() %}
        '{{ name }}', {{ value }},
        {%- endfor %}
        'durations', {{ strandline._durations_of('s') }},
        'timeline', {{ 'if(' ~ is_full | lower ~ ', ' ~ strandline._joined_intervals('s')
            ~ ', null)' }}))[0]
{%- endmacro %}

{#- The intervals of the states of an array, in microseconds. Two different states at one instant
    fail the query. -#}
{% macro _state_intervals(points, gap) -%}
    zip_with({{ points }}, slice({{ points }}, 2, greatest(size({{ points }}) - 1, 0)),
        (a, z) -> if(coalesce(a.t = z.t, false), raise_error(concat(
        'state_agg: two states at ', timestamp_micros(a.t), ', ', a.state, ' and ', z.state,
        {{ strandline._literal('; a signal is in one state at a time: group by its key as well, '
            ~ 'or remove one of the two first') }})),
        named_struct('state', a.state, 'from', a.t,
            'to', if(z is null, a.t, least(z.t, a.t + {{ gap }})))))
{%- endmacro %}

{#- The total duration of each state, as an array sorted by state. -#}
{% macro _durations_of(intervals) -%}
    transform(
            array_sort(array_distinct(transform({{ intervals }}, x -> x.state))),
            state -> named_struct('state', state, 'duration',
                aggregate(filter({{ intervals }}, x -> x.state = state), 0L,
                    (sum, x) -> sum + x.to - x.from)))
{%- endmacro %}

{#- Intervals in the order of time, with adjacent intervals of one state joined: a joined interval
    begins where the previous interval has another state or ends earlier, and ends where the next
    one begins a new joined interval. -#}
{% macro _joined_intervals(s) -%}
    zip_with(
            filter({{ s }}, (x, i) -> i = 0 or {{ s }}[i - 1].state <> x.state
                or {{ s }}[i - 1].to < x.from),
            filter({{ s }}, (x, i) -> i = size({{ s }}) - 1 or {{ s }}[i + 1].state <> x.state
                or x.to < {{ s }}[i + 1].from),
            (a, z) -> named_struct('state', a.state, 'start', timestamp_micros(a.from),
                'end', timestamp_micros(z.to)))
{%- endmacro %}

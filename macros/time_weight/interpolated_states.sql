{#- The sequence of states of a whole bucket, as an array of structs (state, start, end). See
    _macros.yml. -#}
{% macro interpolated_state_timeline(summary, start, length=none, prev=none, end=none) -%}
    {{ strandline._interpolated_timeline(
        summary, start, length, prev, end, 'interpolated_state_timeline of ' ~ summary) }}
{%- endmacro %}

{#- The ranges in which a signal was in a state in a whole bucket, as an array of structs (start,
    end). See _macros.yml. -#}
{% macro interpolated_state_periods(summary, state, start, length=none, prev=none, end=none) -%}
    {%- set who = 'interpolated_state_periods of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    transform(
        filter({{ strandline._interpolated_timeline(summary, start, length, prev, end, who) }},
            x -> x.state = {{ literal }}),
        x -> named_struct('start', x.start, 'end', x.end))
{%- endmacro %}

{#- The timeline of a whole bucket. A compact summary has none and fails the query. -#}
{% macro _interpolated_timeline(summary, start, length, prev, end, who) -%}
    transform(array({{ strandline._interpolated_states(summary, start, length, prev, end, who) }}),
        i -> {{ strandline._timeline('i', who) }})[0]
{%- endmacro %}

{#- The states of a whole bucket as a struct that the accessors of states read: the last state of
    the summary before it, its own states, and its last state until the end of the bucket. The
    states at the edges last for at most the gap, counted from their own time. -#}
{% macro _interpolated_states(summary, start, length, prev, end, who) -%}
    {%- set before = {
        'state': 'b.prev.last_state',
        'from': 'if(b.prev is null, null, b.from)',
        'to': 'least(coalesce(unix_micros(b.own.first_time), b.to), '
            ~ 'coalesce(unix_micros(b.prev.last_time) + b.prev.gap, b.to))'} -%}
    {%- set after = {
        'state': 'b.own.last_state',
        'from': 'unix_micros(b.own.last_time)',
        'to': 'least(b.to, coalesce(unix_micros(b.own.last_time) + b.own.gap, b.to))'} -%}
    {%- set timeline = "transform(e.own.timeline, t -> named_struct('state', t.state, "
        ~ "'from', unix_micros(t.start), 'to', unix_micros(t.end)))" -%}
    {%- set durations = "transform(e.own.durations, d -> named_struct('state', d.state, "
        ~ "'from', 0L, 'to', d.duration))" -%}
    transform(transform(
        array(named_struct(
            'own', {{ summary }},
            'prev', {{ prev or 'if(false, ' ~ summary ~ ', null)' }},
            'from', unix_micros(cast({{ start }} as timestamp)),
            'to', {{ strandline._bucket_end(start, length, end, who) }})),
        b -> case
            when b.from is null or b.to is null or (b.own is null and b.prev is null) then null
            when {{ strandline._is_outside_bucket() }} then {{ strandline._refused_bucket(who) }}
            else named_struct(
                'own', b.own, 'has_timeline', coalesce(b.own, b.prev).timeline is not null,
                'before', {{ strandline._edge_interval(before) }},
                'after', {{ strandline._edge_interval(after) }})
            end),
        e -> if(e is null, null, named_struct(
            'last_time', e.own.last_time, 'last_state', e.own.last_state,
            'durations', transform({{ strandline._present(['e.before', durations, 'e.after']) }},
                s -> {{ strandline._durations_of('s') }})[0],
            'timeline', if(e.has_timeline,
                transform({{ strandline._present(['e.before', timeline, 'e.after']) }},
                    s -> filter({{ strandline._joined_intervals('s') }}, x -> x.start < x.end))[0],
                null))))[0]
{%- endmacro %}

{#- An interval at the edge of a bucket as an array; empty if the interval has no length. -#}
{% macro _edge_interval(edge) -%}
    filter(array(named_struct(
                    'state', {{ edge.state }}, 'from', {{ edge.from }}, 'to', {{ edge.to }})),
                    x -> x.from < x.to)
{%- endmacro %}

{#- The concatenation of arrays, ignoring nulls, wrapped in an array so that a lambda can name
    it. -#}
{% macro _present(arrays) -%}
    array(flatten(filter(array({{ arrays | join(', ') }}), p -> p is not null)))
{%- endmacro %}

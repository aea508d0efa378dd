{#- The time spent in a state, in seconds, in total or in a range. See _macros.yml. -#}
{% macro duration_in(summary, state, start=none, length=none, end=none) -%}
    {%- set who = 'duration_in of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    {%- if start is none and length is none and end is none -%}
    if({{ summary }} is null, null,
        coalesce(get(filter(({{ summary }}).durations, x -> x.state = {{ literal }}), 0).duration,
            0L) / 1e6D)
    {%- elif start is none -%}
        {%- do strandline._refuse(who,
            ["`start` is missing; write where the range begins, or leave `length` and `end` out as "
                ~ "well"]) -%}
    {%- else -%}
    {{- strandline._state_duration(strandline._timeline(summary, 'duration_in'), literal, start,
        strandline._bucket_end(start, length, end, who)) }}
    {%- endif -%}
{%- endmacro %}

{#- All states with their durations in seconds, as an array of structs (state, duration). See
    _macros.yml. -#}
{% macro into_values(summary) -%}
    transform(({{ summary }}).durations,
        x -> named_struct('state', x.state, 'duration', x.duration / 1e6D))
{%- endmacro %}

{#- The state at an instant; null outside the summary and in a gap. See _macros.yml. -#}
{% macro state_at(summary, ts) -%}
    transform(array(named_struct('own', {{ summary }},
        'timeline', {{ strandline._timeline(summary, 'state_at') }},
        'at', cast({{ ts }} as timestamp))),
        s -> if(s.at = s.own.last_time, s.own.last_state,
            get(filter(s.timeline, x -> x.start <= s.at and s.at < x.end), 0).state))[0]
{%- endmacro %}

{#- The ranges in which a signal was in a state, as an array of structs (start, end). See
    _macros.yml. -#}
{% macro state_periods(summary, state) -%}
    transform(filter({{ strandline._timeline(summary, 'state_periods') }},
        x -> x.state = {{ strandline._state_literal(state, 'state_periods of ' ~ summary) }}),
        x -> named_struct('start', x.start, 'end', x.end))
{%- endmacro %}

{#- The sequence of states, as an array of structs (state, start, end). See _macros.yml. -#}
{% macro state_timeline(summary) -%}
    {{ strandline._timeline(summary, 'state_timeline') }}
{%- endmacro %}

{#- The timeline of a summary. A compact summary has none and fails the query. -#}
{% macro _timeline(summary, who) -%}
    if({{ summary }} is not null and ({{ summary }}).timeline is null,
        raise_error({{ strandline._literal(who
            ~ ": the summary is compact and has no timeline; build it with form='full'") }}),
            ({{ summary }}).timeline)
{%- endmacro %}

{#- The seconds spent in a state between a start and an end; null if one of them is null. The user's
    expressions are outside the lambda, whose variable names they might use. -#}
{% macro _state_duration(timeline, state, start, end) -%}
    transform(array(named_struct('timeline', {{ timeline }},
        'from', unix_micros(cast({{ start }} as timestamp)), 'to', {{ end }})),
        r -> if(r.from is null or r.to is null, null, aggregate(
            filter(r.timeline, x -> x.state = {{ state }}), 0L,
            (sum, x) -> sum + greatest(least(unix_micros(x.end), r.to)
                - greatest(unix_micros(x.start), r.from), 0L))))[0] / 1e6D
{%- endmacro %}

{#- A state as an SQL literal: text in quotes, whole numbers unchanged. Fails for anything else. -#}
{% macro _state_literal(state, who) %}
    {%- if state is string -%}{{- return(strandline._literal(state)) -}}{%- endif -%}
    {%- if state is integer and state is not boolean -%}{{- return(state | string) -}}{%- endif -%}
    {%- do strandline._refuse(who, ["`state` is " ~ state ~ "; write a text or a whole number"]) -%}
{% endmacro %}

{#- The time spent in a state in a whole bucket, in seconds: including the last state of the summary
    before it, and its own last state until the end of the bucket, each for at most the gap. See
    _macros.yml. -#}
{% macro interpolated_duration_in(summary, state, start, length=none, prev=none, end=none) -%}
    {%- set who = 'interpolated_duration_in of ' ~ summary -%}
    {%- set literal = strandline._state_literal(state, who) -%}
    transform(array(named_struct(
            'own', {{ summary }}, 'prev', {{ prev or 'if(false, ' ~ summary ~ ', null)' }},
            'from', unix_micros(cast({{ start }} as timestamp)),
            'to', {{ strandline._bucket_end(start, length, end, who) }})),
        b -> case
            when b.from is null or b.to is null or (b.own is null and b.prev is null) then null
            when {{ strandline._is_outside_bucket() }} then {{ strandline._refused_bucket(who) }}
            else
                coalesce(get(filter(b.own.durations, x -> x.state = {{ literal }}), 0).duration, 0L)
                + if(b.prev.last_state = {{ literal }}, greatest(0L, least(
                    coalesce(unix_micros(b.own.first_time), b.to),
                    coalesce(unix_micros(b.prev.last_time) + b.prev.gap, b.to)) - b.from), 0L)
                + if(b.own.last_state = {{ literal }}, least(
                    b.to,
                    coalesce(unix_micros(b.own.last_time) + b.own.gap, b.to))
                    - unix_micros(b.own.last_time), 0L)
            end)[0] / 1e6D
{%- endmacro %}

{#- Whether a bucket's summary of states, or the one before it, cannot belong to the bucket. -#}
{% macro _is_outside_bucket() -%}
    coalesce(unix_micros(b.own.first_time) < b.from or unix_micros(b.own.last_time) >= b.to
            or unix_micros(b.prev.last_time) >= b.from, false)
        or (b.own is not null and b.prev is not null and not b.own.gap <=> b.prev.gap)
        or b.from >= b.to
{%- endmacro %}

{#- Fails the query with the reason why a summary of states does not belong to its bucket. -#}
{% macro _refused_bucket(who) -%}
    raise_error(concat({{ strandline._literal(who ~ ': the bucket is [') }},
        timestamp_micros(b.from), ', ', timestamp_micros(b.to), '), its summary lasts from ',
        coalesce(cast(b.own.first_time as string), 'nothing'), ' to ',
        coalesce(cast(b.own.last_time as string), 'nothing'),
        ' (gap ', {{ strandline._gap_text('b.own.gap') }}, '), and `prev` to ',
        coalesce(cast(b.prev.last_time as string), 'nothing'),
        ' (gap ', {{ strandline._gap_text('b.prev.gap') }},
        '); a summary must be in its bucket, `prev` before it, with the same gap'))
{%- endmacro %}

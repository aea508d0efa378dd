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

{#- The body of an incremental model of summaries of states by key and bucket. See _macros.yml. -#}
{% macro state_agg_table(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none) %}
    {{- strandline._points_table(strandline._state_agg_task(strandline._arguments(
        strandline._caller('state_agg_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._state_agg_arguments(state, gap, form))))) }}
{% endmacro %}

{#- The body of the model of points that a state_agg_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro state_agg_late(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none, table=none) %}
    {{- strandline._late_points_table(strandline._state_agg_task(strandline._arguments(
        strandline._caller('state_agg_late'), kwargs, varargs, strandline._late_points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._state_agg_arguments(state, gap, form), table)))) }}
{% endmacro %}

{#- The arguments of a table of states beside those of all tables of points. -#}
{% macro _state_agg_arguments(state, gap, form) %}
    {{- return({
        'state': ['column', state, "name the column of the points' state"],
        'gap': strandline._gap_argument(gap),
        'form': strandline._form_argument(form),
    }) -}}
{% endmacro %}

{#- What was read of them, with the task of the materialization. -#}
{% macro _state_agg_task(read) %}
    {{- return(strandline._points_task('state_agg', read, read.state,
        {'gap': strandline._gap_micros(read.gap), 'form': read.form})) -}}
{% endmacro %}

{#- The summary of states of an array of parts in the order of time. The last state of a part lasts
    until the next part begins, for at most the gap. Parts that overlap, or have different gaps,
    fail the query. -#}
{% macro _merged_state_aggs(parts) -%}
    {%- set carried = "named_struct('state', a.part.last_state, "
        ~ "'from', unix_micros(a.part.last_time), "
        ~ "'to', least(unix_micros(z.part.first_time), "
        ~ "coalesce(unix_micros(a.part.last_time) + a.part.gap, unix_micros(z.part.first_time))))"
        -%}
    get(transform(filter(array({{ parts }}), p -> size(p) > 0), p -> transform(
        array(zip_with(p, slice(p, 2, greatest(size(p) - 1, 0)), (a, z) -> case
            when z is null then null
            when {{ strandline._is_incompatible_states('a.part', 'z.part') }}
                then {{ strandline._refused_states('a.part', 'z.part') }}
            else {{ carried }} end)),
        carried -> {{ strandline._merged_intervals('p', 'carried') }})[0]), 0)
{%- endmacro %}

{#- The summary of states from compatible parts, and the intervals that continue their last states.
    With timelines it has a joined timeline; without them only durations are added. -#}
{% macro _merged_intervals(parts, carried) -%}
    {%- set timeline = 'flatten(zip_with(' ~ parts ~ ', ' ~ carried
        ~ ", (x, c) -> concat(transform(x.part.timeline, t -> named_struct('state', t.state, "
        ~ "'from', unix_micros(t.start), 'to', unix_micros(t.end))), "
        ~ "filter(array(c), c -> c is not null))))" -%}
    {%- set lengths = 'flatten(zip_with(' ~ parts ~ ', ' ~ carried
        ~ ", (x, c) -> concat(transform(x.part.durations, d -> named_struct('state', d.state, "
        ~ "'from', 0L, 'to', d.duration)), filter(array(c), c -> c is not null))))" -%}
    named_struct(
            'gap', {{ parts }}[0].part.gap,
            'first_time', {{ parts }}[0].part.first_time,
            'first_state', {{ parts }}[0].part.first_state,
            'last_time', element_at({{ parts }}, -1).part.last_time,
            'last_state', element_at({{ parts }}, -1).part.last_state,
            'durations', transform(array({{ lengths }}),
                s -> {{ strandline._durations_of('s') }})[0],
            'timeline', if({{ parts }}[0].part.timeline is null, null,
                transform(array({{ timeline }}), s -> {{ strandline._joined_intervals('s') }})[0]))
{%- endmacro %}

{#- Fails the query with the reason why two adjacent summaries of states cannot be merged. -#}
{% macro _refused_states(a, b) -%}
    raise_error(concat('state_agg: ', case
                when not {{ a }}.gap <=> {{ b }}.gap then
                    concat('one part has a gap of ', {{ strandline._gap_text(a ~ '.gap') }},
                        ' and the next of ', {{ strandline._gap_text(b ~ '.gap') }})
                when {{ a }}.last_time > {{ b }}.first_time then
                    concat('parts overlap: one lasts to ', {{ a }}.last_time,
                        ' and the next begins at ', {{ b }}.first_time)
                when {{ a }}.last_time = {{ b }}.first_time then
                    concat('two states at ', {{ a }}.last_time, ', ', {{ a }}.last_state, ' and ',
                        {{ b }}.first_state)
                else 'one part is compact and the next is full'
                end, '; merge only summaries with the same gap and form that do not overlap'))
{%- endmacro %}

{#- Whether two adjacent summaries of states cannot be merged. They may share an instant if the
    state is the same. -#}
{% macro _is_incompatible_states(a, b) -%}
    not {{ a }}.gap <=> {{ b }}.gap or {{ a }}.last_time > {{ b }}.first_time
        or ({{ a }}.last_time = {{ b }}.first_time and {{ a }}.last_state <> {{ b }}.first_state)
        or ({{ a }}.timeline is null) <> ({{ b }}.timeline is null)
{%- endmacro %}

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

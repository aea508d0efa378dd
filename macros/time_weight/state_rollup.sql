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

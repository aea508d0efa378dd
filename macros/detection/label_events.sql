{#- Detections with the names of the events that they overlap, such as holidays, as labels. See
    _macros.yml. -#}
{% macro label_events(detections, events, name='name', start='starts_at', end='ends_at',
    before=none, after=none, keys=[],
    time_zone='UTC', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_events'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, {
        'events': strandline._label_source(events),
        'name': ['column', name, none, {'of': 'events'}],
        'start': ['column', start, none, {'of': 'events', 'type': 'timestamp'}],
        'end': ['column', end, none, {'of': 'events', 'type': 'timestamp'}],
        'before': strandline._label_length(before, optional=true),
        'after': strandline._label_length(after, optional=true),
        'keys': strandline._label_keys(keys, ['detections', 'events']),
        'time_zone': ['zone', time_zone],
    })) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set margins = [strandline._label_period(before), strandline._label_period(after)] -%}
{#- The events are one array, so that a detection that overlaps several events stays one row. -#}
{{ strandline._with_labels(detections, strandline._matched_events(keys), ignore,
    'cross join (' ~ strandline._events_value(
    events, {'name': name, 'start': start, 'end': end}, margins, keys, time_zone
) ~ ') as __calendar') }}
{%- endmacro %}

{#- The names of the events that a detection overlaps. -#}
{% macro _matched_events(keys) %}
    {{- return("array_distinct(transform(filter(__calendar.__events, __event -> __event.__first < "
        ~ "unix_micros(__given.ends_at) and __event.__last > unix_micros(__given.starts_at) and "
        ~ strandline._keys_equal(keys, '__event') ~ "), __event -> __event.__name))") -}}
{% endmacro %}

{#- All events as one array: name, keys, and the microseconds [first, last) with their margins. An
    event of length zero lasts one microsecond, so that it contains its instant. An invalid event
    fails the query. -#}
{% macro _events_value(events, columns, margins, keys, time_zone) %}
    {%- set columns = {'name': strandline._quoted(columns.name),
        'start': strandline._quoted(columns.start), 'end': strandline._quoted(columns.end)} -%}
    {%- set is_invalid = columns.start ~ ' is null or ' ~ columns.end ~ ' is null or '
        ~ columns.name ~ ' is null or ' ~ columns.end ~ ' < ' ~ columns.start -%}
    {%- set error -%}
raise_error(concat({{ strandline._literal(strandline._caller('label_events')
    ~ ': there is an event ') }}, coalesce(cast({{ columns.name }} as string), 'null'), ' from ',
        coalesce(cast({{ columns.start }} as string), 'null'), ' to ',
        coalesce(cast({{ columns.end }} as string), 'null'),
        '; an event has a name, a start and an end that is not before it'))
    {%- endset -%}
    {%- set first = strandline._shifted_micros(columns.start, margins[0], '-', time_zone) -%}
    {%- set last = strandline._shifted_micros(columns.end, margins[1], '+', time_zone) -%}
select collect_list(struct(
        if({{ is_invalid }}, {{ error }}, cast({{ columns.name }} as string)) as __name,
        {{ first }} as __first, greatest({{ last }}, {{ first }} + 1) as __last
        {%- for key in keys %}, {{ strandline._quoted(key) }}{% endfor %}
    )) as __events
    from {{ events }}
{%- endmacro %}

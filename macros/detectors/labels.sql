{#- Detections with a label if their value, or the value of another metric at their start, is beyond
    a bound. See _macros.yml. -#}
{% macro label_threshold(detections, min=none, max=none, value='current_value', source=none,
    ts=none, keys=[], inclusive=false,
    label='threshold', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_threshold'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, dict({
        'value': ['column', value, none,
            {'type': 'number', 'of': 'detections' if source is none else 'source'}],
        'source': strandline._label_source(source, optional=true),
        'ts': ['column', ts, none, {'type': 'timestamp', 'optional': source is none}],
        'keys': strandline._label_keys(keys, 'detections' if source is none
            else ['detections', 'source']),
        'label': strandline._label_text(label),
    }, **strandline._bounds_arguments(min, max, inclusive, 'counts')))) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- if source is none and (ts is not none or keys) -%}
        {%- do read.faults.append("`ts` and `keys` are columns of `source`, which is missing; give "
            ~ "it, or leave them out") -%}
    {%- endif -%}
    {%- set or_equal = '=' if inclusive else '' -%}
    {%- set number = "nullif(cast(" ~ strandline._quoted(value) ~ " as double), double('NaN'))" -%}
    {%- set beyond = [] -%}
    {%- set bounds = strandline._bounds(read) -%}
    {%- for name, sign in {'min': ' <', 'max': ' >'}.items() if bounds[name] is not none -%}
        {%- do beyond.append(number ~ sign ~ or_equal ~ ' ' ~ bounds[name]) -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set is_beyond = beyond | join(' or ') -%}
    {%- if source is none -%}
{{ strandline._with_labels(detections, strandline._label_if(is_beyond, label), ignore) }}
    {%- else -%}
    {%- set others -%}left join (
        select distinct
            {{ strandline._quoted(ts) }} as __at
            {%- for key in keys %}, {{ strandline._quoted(key) }}{% endfor %}
        from {{ source }}
        where {{ is_beyond }}
    ) as __other on __given.starts_at = __other.__at
        and {{ strandline._same_columns(keys, '__given', '__other') }}{%- endset -%}
{{ strandline._with_labels(detections,
    strandline._label_if('__other.__at is not null', label), ignore, others) }}
    {%- endif -%}
{%- endmacro %}

{#- Detections with a label if they begin on given days of the week, or at given hours. See
    _macros.yml. -#}
{% macro label_time_of_week(detections, days=[], hours=[], day_hours={}, time_zone='UTC',
    label='time of week', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_time_of_week'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, {
        'days': ['any', days], 'hours': ['any', hours], 'day_hours': ['any', day_hours],
        'time_zone': ['zone', time_zone],
        'label': strandline._label_text(label),
    })) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- set faults = read.faults -%}
    {%- set local = strandline._local('__given.starts_at', time_zone) -%}
    {%- set day = 'pmod(' ~ strandline._local_day(strandline._local('__given.starts_at', time_zone))
        ~ ' + 3, 7)' -%}
    {%- set hour = 'pmod(unix_seconds(' ~ local ~ '), 86400) div 3600' -%}
    {%- set times = [] -%}
    {%- set weekdays = strandline._weekdays('days', days, faults) -%}
    {%- if weekdays -%}
        {%- do times.append(day ~ ' in (' ~ weekdays | join(', ') ~ ')') -%}
    {%- endif -%}
    {%- set chosen_hours = strandline._hours('hours', hours, faults) -%}
    {%- if chosen_hours -%}
        {%- do times.append(hour ~ ' in (' ~ chosen_hours | join(', ') ~ ')') -%}
    {%- endif -%}
    {%- if day_hours is not mapping -%}
        {%- do faults.append("`day_hours` is '" ~ day_hours
            ~ "'; write hours by day, such as {'sunday': [22, 23]}") -%}
    {%- endif -%}
    {%- for name, given_hours in (day_hours.items() if day_hours is mapping else []) -%}
        {%- set weekdays = strandline._weekdays('day_hours', [name], faults) -%}
        {%- set chosen_hours = strandline._hours('day_hours', given_hours, faults) -%}
        {%- if weekdays and chosen_hours -%}
            {%- do times.append(day ~ ' = ' ~ weekdays[0] ~ ' and ' ~ hour ~ ' in ('
                ~ chosen_hours | join(', ') ~ ')') -%}
        {%- elif given_hours == [] -%}
            {%- do faults.append("`day_hours` has no hour for '" ~ name
                ~ "'; list some, or name the day in `days`") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not times and not faults -%}
        {%- do faults.append("`days`, `hours` and `day_hours` are all empty; write at least one, "
            ~ "such as days=['saturday', 'sunday']") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, faults) -%}
{{ strandline._with_labels(detections,
    strandline._label_if('(' ~ times | join(') or (') ~ ')', label), ignore) }}
{%- endmacro %}

{#- Names of days of the week as numbers, from 0 for Monday. -#}
{% macro _weekdays(argument, names, faults) %}
    {%- set known = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday',
        'sunday'] -%}
    {%- set weekdays = [] -%}
    {%- if names is string or names is mapping or names is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` is '" ~ names
            ~ "'; list days of the week, such as ['saturday', 'sunday']") -%}
        {{- return(weekdays) -}}
    {%- endif -%}
    {%- for name in names -%}
        {%- if name | string | lower in known -%}
            {%- do weekdays.append(known.index(name | lower)) -%}
        {%- else -%}
            {%- do faults.append("`" ~ argument ~ "` has the day '" ~ name ~ "'; write one of "
                ~ strandline._choices(known)
                ~ strandline._nearest(name, known)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(weekdays) -}}
{% endmacro %}

{#- Hours of a day, from 0 to 23. -#}
{% macro _hours(argument, hours, faults) %}
    {%- if hours is string or hours is mapping or hours is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` has '" ~ hours
            ~ "'; list hours from 0 to 23, such as [22, 23]") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for hour in hours if hour is not integer or hour is boolean or not 0 <= hour <= 23 -%}
        {%- do faults.append("`" ~ argument ~ "` has the hour '" ~ hour
            ~ "'; write whole numbers from 0 to 23") -%}
    {%- endfor -%}
    {{- return(hours | list) -}}
{% endmacro %}

{#- Detections with a label if they begin within a period after the first data, when too little
    history exists. See _macros.yml. -#}
{% macro label_cold_start(detections, source, ts, period, keys=[], label='cold start',
    time_zone='UTC', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_cold_start'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, {
        'source': strandline._label_source(source),
        'ts': ['column', ts, "name the column of its time", {'type': 'timestamp'}],
        'period': strandline._label_length(period),
        'keys': strandline._label_keys(keys, ['detections', 'source']),
        'label': strandline._label_text(label),
        'time_zone': ['zone', time_zone],
    })) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set length = strandline._label_period(period) -%}
    {%- set first_data %}left join (
        select
            {%- for key in keys %} {{ strandline._quoted(key) }},{% endfor %}
            {{ strandline._shifted_micros('min(' ~ strandline._quoted(ts) ~ ')', length, '+',
                time_zone) }}
                as __cold_until
        from {{ source }}
        {% if keys %}group by {{ strandline._all_quoted(keys) | join(', ') }}{% endif %}
    ) as __first_data
        on {{ strandline._same_columns(keys, '__given', '__first_data') }}{% endset -%}
{{ strandline._with_labels(detections,
    strandline._label_if('unix_micros(__given.starts_at) < __first_data.__cold_until', label),
    ignore, first_data) }}
{%- endmacro %}

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
    read.who, events, {'name': name, 'start': start, 'end': end}, margins, keys, time_zone
) ~ ') as __calendar') }}
{%- endmacro %}

{#- The names of the events that a detection overlaps. -#}
{% macro _matched_events(keys) %}
    {{- return("array_distinct(transform(filter(__calendar.__events, __event -> "
        ~ strandline._overlaps('__event', '__given.starts_at', '__given.ends_at', keys)
        ~ "), __event -> __event.__name))") -}}
{% endmacro %}

{#- Whether an event overlaps a time [start, end) of the row `__given`, whose keys it has. -#}
{% macro _overlaps(event, start, end, keys) %}
    {{- return(event ~ '.__first < unix_micros(' ~ end ~ ') and ' ~ event
        ~ '.__last > unix_micros(' ~ start ~ ') and '
        ~ strandline._same_columns(keys, '__given', event)) -}}
{% endmacro %}

{#- All events as one array: name if they have one, keys, and the microseconds [first, last) with
    their margins. An event of length zero lasts one microsecond, so that it contains its instant.
    An invalid event fails the query in the name of `who`. -#}
{% macro _events_value(who, events, columns, margins, keys, time_zone) %}
    {%- set has_name = 'name' in columns -%}
    {%- set columns = {'name': strandline._quoted(columns.name) if has_name else "''",
        'start': strandline._quoted(columns.start), 'end': strandline._quoted(columns.end)} -%}
    {%- set is_invalid = columns.start ~ ' is null or ' ~ columns.end ~ ' is null or '
        ~ columns.name ~ ' is null or ' ~ columns.end ~ ' < ' ~ columns.start -%}
    {%- set error -%}
raise_error(concat({{ strandline._literal(who ~ ': there is '
    ~ ('an event ' if has_name else 'a range')) }},
        coalesce(cast({{ columns.name }} as string), 'null'), ' from ',
        coalesce(cast({{ columns.start }} as string), 'null'), ' to ',
        coalesce(cast({{ columns.end }} as string), 'null'),
        {{ strandline._literal('; ' ~ ('an event has a name, a' if has_name else 'a range has a')
            ~ ' start and an end that is not before it') }}))
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

{#- The query of every label macro: the detections, with what the macro adds to `labels` and, with
    `ignore`, to `is_ignored`. `added` is an expression for an array of text over the detection,
    whose alias is `__given`; `joined` is a join that it needs.

    The natural join with an empty relation adds both columns as nulls to detections that lack them,
    and does not change existing ones. Spark removes it from the plan. -#}
{% macro _with_labels(detections, added, ignore, joined='') %}
select
    * except (labels, is_ignored, __added),
    array_sort(array_union(coalesce(cast(labels as array<string>), array()), __added))
        as labels,
    coalesce(cast(is_ignored as boolean),
        false){{ ' or size(__added) > 0' if ignore else '' }} as is_ignored
from (
    select __given.*, {{ added }} as __added
    from (
        select *
        from (select * from {{ detections }})
        natural left join (select null as labels, null as is_ignored where false)
    ) as __given
    {{ joined }}
)
{%- endmacro %}

{#- One label if a condition holds; null is false. -#}
{% macro _label_if(condition, label) %}
    {{- return('if(' ~ condition ~ ', array(' ~ strandline._literal(label) ~ '), array())') -}}
{% endmacro %}

{#- A time shifted by a period, in Unix microseconds. Days are those of the zone's calendar, of 23
    to 25 hours. -#}
{% macro _shifted_micros(ts, period, sign, time_zone) %}
    {%- set moved = 'unix_micros(' ~ ts ~ ')' -%}
    {%- if period.days -%}
        {%- set local = 'unix_micros(' ~ strandline._local(ts, time_zone) ~ ') ' ~ sign ~ ' '
            ~ period.days * 86400000000 ~ 'L' -%}
        {%- set moved = local if time_zone == 'UTC'
            else "unix_micros(to_utc_timestamp(timestamp_micros(" ~ local ~ "), '" ~ time_zone
                ~ "'))" -%}
    {%- endif -%}
    {{- return('(' ~ moved ~ ' ' ~ sign ~ ' ' ~ period.micros ~ 'L)') -}}
{% endmacro %}

{#- The arguments of a label macro, for `_arguments`: those that all of them have, and its `own`
    ones. The keys are columns of the detections and of the relation that `of` names. -#}
{% macro _label_arguments(detections, ignore, own) %}
    {{- return(dict({
        'detections': ['relation', detections, "write ref(…), source(...) or a query in "
            ~ "parentheses", {'query': true}],
        'ignore': ['flag', ignore,
            'write true (detections with the label are ignored and not notified) or false'],
    }, **own)) -}}
{% endmacro %}

{#- The arguments `source` or `events` of a label macro, its keys and its label. -#}
{% macro _label_source(relation, optional=false) %}
    {{- return(['relation', relation, 'write ref(…), source(...) or a query in parentheses',
        {'query': true, 'optional': optional}]) -}}
{% endmacro %}

{% macro _label_keys(keys, of) %}
    {{- return(['columns', keys, "list the columns that both sides have, such as ['carrier'], or "
        ~ "[]", {'type': 'comparable', 'of': of}]) -}}
{% endmacro %}

{% macro _label_text(label) %}
    {{- return(['text', label, "write the text of the label, such as 'weekend'"]) -}}
{% endmacro %}

{#- The argument of a margin or a period, for `_arguments`. -#}
{% macro _label_length(length, optional=false) %}
    {{- return(['length', length, "write a length of time such as '1 day' or 'PT12H' (months and "
        ~ "years have no fixed length)", {'optional': optional}]) -}}
{% endmacro %}

{#- A period as days of the calendar and microseconds; zero for none. -#}
{% macro _label_period(text) %}
    {{- return({'days': 0, 'micros': 0} if text is none else strandline._period(text)) -}}
{% endmacro %}

{#- Appends faults of the columns that label macros read or add to in every relation of
    detections. -#}
{% macro _check_detection_columns(read) %}
    {%- set types = read.types.detections -%}
    {%- for column in ['starts_at', 'ends_at'] -%}
        {%- do strandline._check_column('detections', column, read.detections, types,
            {'type': 'timestamp'}, read.faults) -%}
    {%- endfor -%}
    {%- for column, type in {'labels': 'array<string>', 'is_ignored': 'boolean'}.items()
        if types.get(column, type) != type -%}
        {%- do read.faults.append(read.detections.identifier ~ "." ~ column ~ " is "
            ~ types[column] | upper ~ ", and label macros add to " ~ type | upper ~ "; "
            ~ ("make it array(" ~ column ~ ")" if types[column] == 'string'
                else "rename or cast it") ~ " in a staging model") -%}
    {%- endfor -%}
{% endmacro %}

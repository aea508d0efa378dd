{#- The definition of an aggregation. All of it is checked; one error names all faults. See
    _macros.yml. -#}
{% macro aggregation(name, source, select, ts, keys=[], every='sec...year', arrival='arrival',
    event_id=none, buffer_size=none, ignore_events_older_than_buffer=false, time_zone='UTC',
    mutability_period=none, retention={}, not_after=none, arrival_lookback=none) %}
    {%- set who = "aggregation" ~ (" '" ~ name ~ "'" if name is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'name': [name, "begin the names of its tables, such as 'trade_aggregation'"],
        'source': [source, "pass a relation: ref('trades') or source('shop', 'trades')"],
        'select': [select, "write a mapping from output to aggregate, such as {'avg_price': "
            ~ "'avg(price)'}"],
        'ts': [ts, "name the column of the events' time, or write none to use "
            ~ "the time of arrival"],
    }, ['keys', 'every', 'arrival', 'event_id', 'buffer_size',
        'ignore_events_older_than_buffer', 'time_zone', 'mutability_period', 'retention',
        'not_after', 'arrival_lookback']) -%}
    {%- set faults = [] -%}
    {%- set keys = strandline._named_columns(name, source, ts, keys, arrival, event_id, faults) -%}
    {%- if time_zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`time_zone` is '" ~ time_zone
            ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}

    {%- set durations = strandline._duration_range(every, faults) -%}
    {%- set outputs = strandline._outputs(select, keys, faults) -%}
    {%- set mutability = strandline._mutability(mutability_period, buffer_size, faults) -%}
    {%- set buffer = strandline._buffer(buffer_size, ignore_events_older_than_buffer, ts, durations,
        faults) -%}
    {%- if buffer and not buffer.drops
        and outputs | selectattr('function', 'equalto', 'time_weight') | list -%}
        {%- do faults.append("`select` has a time_weight, and `buffer_size` counts an old event in "
            ~ "a later bucket than its own; a time weight needs the events' own times: remove the "
            ~ "buffer, or set `ignore_events_older_than_buffer` to true") -%}
    {%- endif -%}
    {%- set retention = strandline._retention(retention, durations, faults) -%}
    {%- set lookback = strandline._arrival_lookback(arrival_lookback, event_id, buffer_size,
        retention, faults) -%}
    {%- if not_after is not none -%}
        {%- do faults.extend(strandline._not_after_faults(not_after, ts)) -%}
    {%- endif -%}
    {%- do strandline._refuse("aggregation '" ~ name ~ "'", faults) -%}

    {{- return({
        'name': name, 'source': source, 'keys': keys, 'ts': ts,
        'durations': durations, 'arrival': arrival, 'event_id': event_id, 'buffer': buffer,
        'time_zone': time_zone, 'mutability_seconds': mutability, 'retention': retention,
        'not_after': not_after, 'arrival_lookback': lookback,
        'outputs': outputs, 'parts': strandline._distinct_parts(outputs),
    }) -}}
{% endmacro %}

{#- The faults of `not_after`, as far as they can be seen without the source. -#}
{% macro _not_after_faults(not_after, ts) %}
    {%- if not_after is not string or not not_after | trim
        or not strandline._is_balanced(not_after) -%}
        {{- return(["`not_after` is '" ~ not_after ~ "'; write one SQL expression over the columns "
            ~ "of the source, such as 'received_at + interval 1 hour'"]) -}}
    {%- endif -%}
    {{- return(["`not_after` is given, and the aggregation uses the time of arrival (`ts` is "
        ~ "none); remove it"] if ts is none else []) -}}
{% endmacro %}

{#- Checks the names in a definition: its own name, its source, its columns. Returns the keys. -#}
{% macro _named_columns(name, source, ts, keys, arrival, event_id, faults) %}
    {%- if not strandline._is_identifier(name) -%}
        {%- do faults.append("`name` is '" ~ name
            ~ "'; it begins the names of the tables, so write letters, digits and underscores, "
            ~ "such as 'trade_aggregation'") -%}
    {%- endif -%}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; pass a relation: ref('trades') or source('shop', 'trades')") -%}
    {%- endif -%}
    {%- if keys is string or keys is mapping -%}
        {%- do faults.append("`keys` is '" ~ keys
            ~ "'; write a list of columns, such as ['symbol']") -%}
    {%- endif -%}
    {%- set keys = [] if keys is string or keys is mapping else keys or [] -%}
    {%- for column in [ts, arrival, event_id] + keys -%}
        {%- if (column is not string or not column | trim)
            and not (loop.index in [1, 3] and column is none) -%}
            {%- do faults.append("'" ~ column
                ~ "' is given as a column in `ts`, `arrival`, `event_id` or `keys`; write the name "
                ~ "of a column (compute expressions in a staging model)") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for column in keys if column is string
        and (column | lower).startswith(('agg_', '__')) -%}
        {%- do faults.append("`keys` names '" ~ column
            ~ "'; names that begin with agg_ or __ are reserved") -%}
    {%- endfor -%}
    {{- return(keys) -}}
{% endmacro %}

{#- The stored parts of all outputs without duplicates: an average and a sum of the same argument
    share the sum. -#}
{% macro _distinct_parts(outputs) %}
    {%- set parts = {} -%}
    {%- for output in outputs -%}
        {%- for kind, column in output.columns.items() -%}
            {%- do parts.update({column: {'column': column, 'kind': kind,
                'argument': output.argument}}) -%}
            {%- if kind == 'time_weight' -%}
                {%- do parts[column].update(output.option) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(parts.values() | list) -}}
{% endmacro %}

{#- The mutability period in seconds, or none. Months and years fail because they have no fixed
    length. -#}
{% macro _mutability(period, buffer_size, faults) %}
    {%- if period is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = strandline._period(period).fixed or 0 -%}
    {%- if not micros or micros % 1000000 -%}
        {%- do faults.append("`mutability_period` is '" ~ period
            ~ "'; write a length of time of whole seconds, such as '3 days' or 'PT12H' (months and "
            ~ "years have no fixed length)") -%}
    {%- endif -%}
    {%- if buffer_size is not none -%}
        {%- do faults.append("`mutability_period` and `buffer_size` exclude each other: a buffer "
            ~ "depends on the order of arrival, which rows that change later do not keep; remove "
            ~ "one of them") -%}
    {%- endif -%}
    {{- return(micros // 1000000) -}}
{% endmacro %}

{#- The buffer of a definition: how many buckets stay open, and whether older events are dropped.
    None if every event counts in its own bucket, however late. -#}
{% macro _buffer(size, drops, ts, durations, faults) %}
    {%- if drops is not boolean -%}
        {%- do faults.append("`ignore_events_older_than_buffer` is '" ~ drops
            ~ "'; write true or false") -%}
    {%- endif -%}
    {%- if size is none and drops is not true -%}{{- return(none) -}}{%- endif -%}
    {%- set given = "`buffer_size` is '" ~ size ~ "'" if size is not none
        else "`ignore_events_older_than_buffer` is true" -%}
    {%- if size is not none and (size is not integer or size is boolean or size < 0) -%}
        {%- do faults.append(given ~ "; write how many buckets stay open behind the newest, a "
            ~ "whole number from 0") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- if ts is none -%}
        {%- do faults.append(given ~ ", and the aggregation uses the time of arrival (`ts` is "
            ~ "none), which is never out of order; remove it") -%}
    {%- endif -%}
    {%- if durations and strandline._duration(durations[0]).months -%}
        {%- do faults.append(given ~ ", and the shortest duration is " ~ durations[0]
            ~ "; a buffer needs seconds, minutes, hours or days: begin `every` with one of these, "
            ~ "or remove it") -%}
    {%- endif -%}
    {{- return({'size': size or 0, 'drops': drops}) -}}
{% endmacro %}

{#- The definition of an aggregation. All of it is checked; one error names all faults. See
    _macros.yml. -#}
{% macro aggregation(name, source, select, ts, keys=[], every='sec...year', arrival='arrival',
    event_id=none, buffer_size=none, ignore_events_older_than_buffer=false, time_zone='UTC',
    mutability_period=none, retention={}, not_after=none, arrival_lookback=none) %}
    {%- set read = strandline._arguments(
        "aggregation" ~ (" '" ~ name ~ "'" if name is defined else ''), kwargs, varargs, {
        'name': ['name', name, "it begins the names of the tables, so write letters, digits and "
            ~ "underscores, such as 'trade_aggregation'"],
        'source': ['relation', source,
            "pass a relation: ref('trades') or source('shop', 'trades')", {'unread': true}],
        'select': ['any', select, "write a mapping from output to aggregate, such as {'avg_price': "
            ~ "'avg(price)'}"],
        'ts': ['column', ts, "name the column of the events' time, or write none to use the time "
            ~ "of arrival", {'optional': true}],
        'keys': ['columns', keys, "write a list of columns, such as ['symbol']",
            {'reserved': {'prefix': 'agg_',
                'why': 'and names that begin with agg_ are columns of the tables'}}],
        'every': ['any', every],
        'arrival': ['column', arrival],
        'event_id': ['column', event_id, none, {'optional': true}],
        'buffer_size': ['count', buffer_size, "write how many buckets stay open behind the newest, "
            ~ "a whole number from 0", {'optional': true, 'from': 0}],
        'ignore_events_older_than_buffer': ['flag', ignore_events_older_than_buffer],
        'time_zone': ['zone', time_zone],
        'mutability_period': ['length', mutability_period, "write a length of time of whole "
            ~ "seconds, such as '3 days' or 'PT12H' (months and years have no fixed length)",
            {'optional': true, 'step': 1000000}],
        'retention': ['any', retention],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
        'arrival_lookback': ['any', arrival_lookback],
    }) -%}
    {%- set faults = read.faults -%}
    {%- set durations = strandline._duration_range(every, faults) -%}
    {%- set outputs = strandline._outputs(select, read['keys'], faults) -%}
    {%- set buffer = strandline._buffer(read, durations) -%}
    {%- set retention = strandline._retention(retention, durations, faults) -%}
    {%- set lookback = strandline._arrival_lookback(arrival_lookback, event_id, buffer_size,
        retention, faults) -%}
    {%- if mutability_period is not none and buffer_size is not none -%}
        {%- do faults.append("`mutability_period` and `buffer_size` exclude each other: a buffer "
            ~ "depends on the order of arrival, which rows that change later do not keep; remove "
            ~ "one of them") -%}
    {%- endif -%}
    {%- if buffer and not buffer.drops
        and outputs | selectattr('function', 'equalto', 'time_weight') | list -%}
        {%- do faults.append("`select` has a time_weight, and `buffer_size` counts an old event in "
            ~ "a later bucket than its own; a time weight needs the events' own times: remove the "
            ~ "buffer, or set `ignore_events_older_than_buffer` to true") -%}
    {%- endif -%}
    {%- if not_after is not none and ts is none -%}
        {%- do faults.append("`not_after` is given, and the aggregation uses the time of arrival "
            ~ "(`ts` is none); remove it") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, faults) -%}

    {{- return({
        'name': name, 'source': source, 'keys': read['keys'], 'ts': ts,
        'durations': durations, 'arrival': arrival, 'event_id': event_id, 'buffer': buffer,
        'time_zone': time_zone, 'retention': retention, 'not_after': not_after,
        'mutability_seconds': none if mutability_period is none
            else read.mutability_period // 1000000,
        'arrival_lookback': lookback,
        'outputs': outputs, 'parts': strandline._distinct_parts(outputs),
    }) -}}
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

{#- The buffer of a definition: how many buckets stay open, and whether older events are dropped.
    None if every event counts in its own bucket, however late. -#}
{% macro _buffer(read, durations) %}
    {%- set size, drops = read.buffer_size, read.ignore_events_older_than_buffer -%}
    {%- if size is none and drops is not sameas true -%}{{- return(none) -}}{%- endif -%}
    {%- set given = "`buffer_size` is '" ~ size ~ "'" if size is not none
        else "`ignore_events_older_than_buffer` is true" -%}
    {%- if read.ts is none -%}
        {%- do read.faults.append(given ~ ", and the aggregation uses the time of arrival (`ts` is "
            ~ "none), which is never out of order; remove it") -%}
    {%- endif -%}
    {%- if durations and strandline._duration(durations[0]).months -%}
        {%- do read.faults.append(given ~ ", and the shortest duration is " ~ durations[0]
            ~ "; a buffer needs seconds, minutes, hours or days: begin `every` with one of these, "
            ~ "or remove it") -%}
    {%- endif -%}
    {{- return({'size': size or 0, 'drops': drops}) -}}
{% endmacro %}

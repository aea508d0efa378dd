{#- The definition of an aggregation: checked whole, every fault named at once. See _macros.yml. -#}
{% macro aggregation(name, source, select, aggregate_by, group_by=[], every='sec...year', arrival='arrival', event_id=none,
    buffer_size=none, ignore_events_older_than_buffer=false, time_zone='UTC', mutability_period=none, retention={}) %}
    {%- set who = "aggregation" ~ (" '" ~ name ~ "'" if name is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'name': [name, "begin the names of its tables, such as 'trade_aggregation'"],
        'source': [source, "hand in a relation: ref('trades') or source('shop', 'trades')"],
        'select': [select, "write a mapping from output to aggregate, such as {'avg_price': "
            ~ "'avg(price)'}"],
        'aggregate_by': [aggregate_by, "name the column of the events' time, or write none to go "
            ~ "by the time of arrival"],
    }, ['group_by', 'every', 'arrival', 'event_id', 'buffer_size',
        'ignore_events_older_than_buffer', 'time_zone', 'mutability_period', 'retention']) -%}
    {%- set faults = [] -%}
    {%- set group_by = strandline._named_columns(name, source, aggregate_by, group_by, arrival, event_id, faults) -%}
    {%- if time_zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`time_zone` is '" ~ time_zone ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}

    {%- set durations = strandline._duration_range(every, faults) -%}
    {%- set outputs = strandline._outputs(select, group_by, faults) -%}
    {%- set mutability = strandline._mutability(mutability_period, buffer_size, faults) -%}
    {%- set buffer = strandline._buffer(buffer_size, ignore_events_older_than_buffer, aggregate_by, durations, faults) -%}
    {%- if buffer and not buffer.drops and outputs | selectattr('function', 'equalto', 'time_weight') | list -%}
        {%- do faults.append("`select` has a time_weight, and `buffer_size` counts an old event in a bucket that is not its own; a time weight goes by "
            ~ "the events' own times: drop the buffer, or set `ignore_events_older_than_buffer` to true") -%}
    {%- endif -%}
    {%- set retention = strandline._retention(retention, durations, faults) -%}
    {%- do strandline._refuse("aggregation '" ~ name ~ "'", faults) -%}

    {{- return({
        'name': name, 'source': source, 'group_by': group_by, 'aggregate_by': aggregate_by,
        'durations': durations, 'arrival': arrival, 'event_id': event_id, 'buffer': buffer,
        'time_zone': time_zone, 'mutability_seconds': mutability, 'retention': retention,
        'outputs': outputs, 'parts': strandline._distinct_parts(outputs),
    }) -}}
{% endmacro %}

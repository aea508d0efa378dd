{#- When a group was alive, from its heartbeats: an aggregate expression. See _macros.yml. -#}
{% macro heartbeat_agg(ts, start, length, interval) -%}
    {%- do strandline._check_call('heartbeat_agg', kwargs, varargs, {
        'ts': [ts, "name the column of the heartbeats' time"],
        'start': [start, "write where the range begins, such as 'hour'"],
        'length': [length, "write how long the range is, such as '1 hour'"],
        'interval': [interval, "write how long a heartbeat keeps alive, such as '10 minutes'"],
    }) -%}
    {%- set who = 'heartbeat_agg of ' ~ ts -%}
    {%- set faults = [] -%}
    {%- set micros = strandline._read_liveness(interval, faults) -%}
    {%- if strandline._interval_micros(length) is none -%}
        {%- do faults.append("`length` is '" ~ length ~ "'; write how long the range that begins at `start` is, such as '1 hour'") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    transform(array(named_struct(
            'beats', sort_array(collect_set(unix_micros(cast({{ ts }} as timestamp)))),
            'from', min(unix_micros(cast({{ start }} as timestamp))), 'to', min({{ strandline._bucket_end(start, length, none, who) }}))),
        b -> case
            when b.from is null then null
            when get(b.beats, 0) < b.from or array_max(b.beats) >= b.to then {{ strandline._refused_beat() }}
            else {{ strandline._told_heartbeats('b.from', 'b.to', micros ~ 'L', 'get(b.beats, 0)', 'array_max(b.beats)',
                strandline._joined_ranges("transform(b.beats, t -> named_struct('from', t, 'to', t + " ~ micros ~ "L))")) }}
            end)[0]
{%- endmacro %}

{#- The microseconds for which a heartbeat keeps alive; adds a fault for what is no length of time. -#}
{% macro _read_liveness(interval, faults) %}
    {%- set micros = strandline._interval_micros(interval) -%}
    {%- if micros is none -%}
        {%- do faults.append("`interval` is '" ~ interval ~ "'; write how long a heartbeat keeps alive, such as '10 minutes'") -%}
    {%- endif -%}
    {{- return(micros) -}}
{% endmacro %}

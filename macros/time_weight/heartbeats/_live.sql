{#- The live ranges of heartbeats between their start and end, in microseconds; with `prev`, also what its last heartbeat
    keeps alive beyond it. -#}
{% macro _live(summary, prev=none) -%}
    {%- set ranges = 'h.own.ranges' -%}
    {%- if prev -%}
        {%- set ranges = "if(" ~ strandline._is_unlike_before() ~ ", " ~ strandline._refused_before() ~ ", concat(h.own.ranges, if(h.prev.last_time is null, array(),
            array(named_struct('start', h.prev.last_time, 'end', timestamp_micros(unix_micros(h.prev.last_time) + h.prev.interval))))))" -%}
    {%- endif -%}
    transform(array(named_struct('own', {{ summary }}{% if prev %}, 'prev', {{ prev }}{% endif %})), h -> filter(
        transform({{ strandline._joined_ranges(strandline._micro_ranges(ranges)) }}, x -> named_struct(
            'from', greatest(x.from, unix_micros(h.own.start)), 'to', least(x.to, unix_micros(h.own.end)))), x -> x.from < x.to))[0]
{%- endmacro %}

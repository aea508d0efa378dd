{#- Stops the query with the first heartbeat that lies outside of its range. -#}
{% macro _refused_beat() -%}
    raise_error(concat('heartbeat_agg: a heartbeat at ', timestamp_micros(if(b.beats[0] < b.from, b.beats[0], array_max(b.beats))),
                ' lies outside of [', timestamp_micros(b.from), ', ', timestamp_micros(b.to), '); group by the bucket that begins at `start`'))
{%- endmacro %}

{#- The summary of states from parts that may follow one another, and from what their last states last beyond them. The
    timeline is told when the parts have one; else only durations add up. -#}
{% macro _rolled_stretches(parts, carried) -%}
    {%- set timeline = 'flatten(zip_with(' ~ parts ~ ', ' ~ carried ~ ", (x, c) -> concat(transform(x.part.timeline, t -> "
        ~ "named_struct('state', t.state, 'from', unix_micros(t.start), 'to', unix_micros(t.end))), filter(array(c), c -> c is not null))))" -%}
    {%- set lengths = 'flatten(zip_with(' ~ parts ~ ', ' ~ carried ~ ", (x, c) -> concat(transform(x.part.durations, d -> "
        ~ "named_struct('state', d.state, 'from', 0L, 'to', d.duration)), filter(array(c), c -> c is not null))))" -%}
    named_struct(
            'gap', {{ parts }}[0].part.gap,
            'first_time', {{ parts }}[0].part.first_time, 'first_state', {{ parts }}[0].part.first_state,
            'last_time', element_at({{ parts }}, -1).part.last_time, 'last_state', element_at({{ parts }}, -1).part.last_state,
            'durations', transform(array({{ lengths }}), s -> {{ strandline._durations_of('s') }})[0],
            'timeline', if({{ parts }}[0].part.timeline is null, null, transform(array({{ timeline }}), s -> {{ strandline._joined_stretches('s') }})[0]))
{%- endmacro %}

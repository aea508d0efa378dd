{#- Merges summaries in the order of time into one: an aggregate expression. See _macros.yml. -#}
{% macro rollup(summary, of='time_weight') -%}
    {%- do strandline._check_call('rollup', kwargs, varargs, {
        'summary': [summary, "name the column of the summaries"],
    }, ['of']) -%}
    {%- set kinds = ['time_weight', 'state_agg', 'heartbeat_agg'] -%}
    {%- if of not in kinds -%}
        {%- do strandline._refuse('rollup of ' ~ summary,
            ["`of` is '" ~ of ~ "'; write which kind of summary it is: "
            ~ strandline._choices(kinds)]) -%}
    {%- endif -%}
    {%- set parts = strandline._collected_parts(summary) -%}
    {%- if of == 'time_weight' -%}{{ strandline._merged_time_weights(parts) }}
    {%- elif of == 'state_agg' -%}{{ strandline._merged_state_aggs(parts) }}
    {%- else -%}{{ strandline._merged_heartbeat_aggs(parts) }}
    {%- endif -%}
{%- endmacro %}

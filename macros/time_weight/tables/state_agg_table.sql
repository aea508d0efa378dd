{#- The body of an incremental model of summaries of states by key and bucket. See _macros.yml. -#}
{% macro state_agg_table(source, keys, ts, state, bucket, gap=none, form='full', arrival='arrival') %}
    {%- set faults = [] -%}
    {%- if form not in ['full', 'compact'] -%}
        {%- do faults.append("`form` is '" ~ form ~ "'; write 'full' (with the timeline) or 'compact' (durations only)") -%}
    {%- endif -%}
    {%- set task = strandline._points_task('state_agg', source, keys, ts, state, gap, bucket, arrival, faults) -%}
    {%- do task.update({'form': form}) -%}
    {{- strandline._points_table(task, faults) }}
{% endmacro %}

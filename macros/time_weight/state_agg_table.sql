{#- The body of an incremental model of summaries of states by key and bucket. See _macros.yml. -#}
{% macro state_agg_table(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none) %}
    {%- set who = 'state_agg_table' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': [ts, "name the column of the points' time"],
        'state': [state, "name the column of the points' state"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['keys', 'gap', 'form', 'arrival', 'not_after']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._state_agg_task(
        source, keys, ts, state, bucket, gap, form, arrival, not_after, faults) -%}
    {{- strandline._points_table(task, source, faults) }}
{% endmacro %}

{#- What the materialization needs to know of a table of summaries of states. -#}
{% macro _state_agg_task(source, keys, ts, state, bucket, gap, form, arrival, not_after, faults) %}
    {%- if form not in ['full', 'compact'] -%}
        {%- do faults.append("`form` is '" ~ form
            ~ "'; write 'full' (with the timeline) or 'compact' (durations only)") -%}
    {%- endif -%}
    {%- set task = strandline._points_task('state_agg', source, keys, ts, state, gap, bucket,
        arrival, not_after, faults) -%}
    {%- do task.update({'form': form}) -%}
    {{- return(task) -}}
{% endmacro %}

{#- The body of the model of points that a state_agg_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro state_agg_late(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none, table=none) %}
    {%- do strandline._check_call('state_agg_late'
        ~ (' of ' ~ model.name if model is defined else ''), kwargs, varargs, {
        'source': [source, "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': [ts, "name the column of the points' time"],
        'state': [state, "name the column of the points' state"],
        'bucket': [bucket, "write the length of a bucket such as '1 hour'"],
    }, ['keys', 'gap', 'form', 'arrival', 'not_after', 'table']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._state_agg_task(
        source, keys, ts, state, bucket, gap, form, arrival, not_after, faults) -%}
    {{- strandline._late_points_table(task, source, table, faults) }}
{% endmacro %}

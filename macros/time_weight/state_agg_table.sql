{#- The body of an incremental model of summaries of states by key and bucket. See _macros.yml. -#}
{% macro state_agg_table(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none) %}
    {{- strandline._points_table(strandline._state_agg_task(strandline._arguments(
        strandline._caller('state_agg_table'), kwargs, varargs, strandline._points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._state_agg_arguments(state, gap, form))))) }}
{% endmacro %}

{#- The body of the model of points that a state_agg_table does not count, with the reason. It has
    the table's arguments, so that both can share them. See _macros.yml. -#}
{% macro state_agg_late(source, ts, state, bucket, keys=[], gap=none, form='full',
    arrival='arrival', not_after=none, table=none) %}
    {{- strandline._late_points_table(strandline._state_agg_task(strandline._arguments(
        strandline._caller('state_agg_late'), kwargs, varargs, strandline._late_points_arguments(
            source, ts, bucket, keys, arrival, not_after,
            strandline._state_agg_arguments(state, gap, form), table)))) }}
{% endmacro %}

{#- The arguments of a table of states beside those of all tables of points. -#}
{% macro _state_agg_arguments(state, gap, form) %}
    {{- return({
        'state': ['column', state, "name the column of the points' state"],
        'gap': strandline._gap_argument(gap),
        'form': strandline._form_argument(form),
    }) -}}
{% endmacro %}

{#- What was read of them, with the task of the materialization. -#}
{% macro _state_agg_task(read) %}
    {{- return(strandline._points_task('state_agg', read, read.state,
        {'gap': strandline._gap_micros(read.gap), 'form': read.form})) -}}
{% endmacro %}

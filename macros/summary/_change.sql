{#- What a run has to write into a summary table: none when nothing is new, else a mapping.
    `sql` gives the rows (or is none); with `partitions` they replace what these hold, without they
    are appended. `token` tells Delta which state the rows were computed from, or is none.
    `column` is the one whose greatest value is that state, where it is not agg_arrival. `properties`
    are set on the table after its rows are written. Each kind of task has its macro, `_<kind>_change`. -#}
{% macro _change(relation, task, properties) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task, properties)) -}}
{% endmacro %}

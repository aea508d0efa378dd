{#- What a run has to write into a summary table: none when nothing is new, else a mapping.
    `sql` gives the rows (or is none); with `partitions` they replace what these hold, without they
    are appended. `consumed` is how far the table was when the change was worked out, by the greatest
    value of `column` (agg_arrival unless it is given); with `presumes` that is not known, but taken to be so, and `presumes` is the
    error with which the write stops where it is not: the change is then asked for once more, with `asks` in the task. `properties` are set on the table after its
    rows are written. Each kind of task has its macro, `_<kind>_change`. -#}
{% macro _change(relation, task, properties) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task, properties)) -}}
{% endmacro %}

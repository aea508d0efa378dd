{#- What a run has to write into a summary table: none when nothing is new, else a mapping.
    `sql` gives the rows (or is none); with `partitions` they replace what these hold, without they
    are appended. `consumed` is how far the table was when the change was worked out, by the greatest
    value of `column` (agg_arrival unless it is given). `properties` are set on the table after its
    rows are written. Each kind of task has its macro, `_<kind>_change`. -#}
{% macro _change(relation, task, properties) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task, properties)) -}}
{% endmacro %}

{#- What a run has to write into a summary table: none when nothing is new, else a mapping.
    `sql` gives the rows. Without `keys` they are appended; with them they are merged: `keys` is the
    row's identity, compared null-safe, `only` a literal predicate on the target that prunes to
    what is touched (or none), and `assignments` the expression of each column of a row that is
    there already. Each kind of task has its macro, `_<kind>_change`. -#}
{% macro _change(relation, task) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task)) -}}
{% endmacro %}

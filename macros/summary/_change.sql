{#- What a run has to merge into a summary table: none when nothing is new, else
    `sql` (the rows), `keys` (the row's identity, compared null-safe), `only` (a literal predicate
    on the target that prunes to what is touched) and `assignments` (an expression for each column). -#}
{% macro _change(relation, task) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task)) -}}
{% endmacro %}

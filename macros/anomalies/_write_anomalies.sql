{#- Writes what a run changes, in one commit or, when nothing differs, in none, and tells how many rows. The mark follows in a
    commit of its own, and only when it moves: it may lag behind the rows, and never leads. -#}
{% macro _write_anomalies(relation, task, run) %}
    {%- set changes = strandline._staged_changes(relation, task, run, 'select * from ' ~ relation) -%}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(old_ends_at), max(ends_at))) from ' ~ changes).rows[0] -%}
    {%- if found[0] -%}
        {%- do run_query(strandline._merge_anomalies(relation, task, changes, found[1] | int)) -%}
    {%- endif -%}
    {%- if run.mark != run.mark_before -%}
        {%- do strandline._set_properties(relation, {'strandline.mark': strandline._micros_text(run.mark)}) -%}
    {%- endif -%}
    {{- return(found[0] | int) -}}
{% endmacro %}

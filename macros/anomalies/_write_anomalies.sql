{#- Writes what a run changes, in one commit or, when nothing differs, in none; gives its message. Two runs that begin from one
    version of the table write under the same token, and Delta lets one of them through. The mark follows in a commit of
    its own, and only when it moves: it may lag behind the rows, and never leads. -#}
{% macro _write_anomalies(relation, task, run, build) %}
    {%- set version = strandline._version_of(relation) -%}
    {%- set changes = strandline._staged_changes(relation, task, run, 'select * from ' ~ relation) -%}
    {%- set found = run_query('select count(*), unix_micros(coalesce(min(old_ends_at), max(ends_at))), unix_micros(coalesce(max(old_ends_at), max(ends_at))) from '
        ~ changes).rows[0] if changes is not none else [0] -%}
    {%- if found[0] -%}
        {%- set merge = strandline._merge_anomalies(relation, task, changes, found[1] | int, found[2] | int) -%}
        {%- if not strandline._write_once(merge, build, version) -%}
            {{- return('left to the next run: another one has written') -}}
        {%- endif -%}
    {%- endif -%}
    {%- if run.mark != run.mark_before -%}
        {%- do strandline._set_properties(relation, {'strandline.mark': strandline._micros_text(run.mark)}) -%}
    {%- endif -%}
    {{- return('wrote ' ~ found[0] | int ~ (' row' if found[0] == 1 else ' rows') if found[0] else 'nothing new') -}}
{% endmacro %}

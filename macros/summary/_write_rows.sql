{#- Writes rows in one commit. Two runs that start from the same state write under the same token, and
    Delta lets only one of them through: the other's write is passed over, and what it had to say is
    found by the next run. The token belongs to one build of the table. A table that was put back
    to an earlier version would pass over an honest write too: when nothing was committed since
    before its state was read (`seen`), the table gets a new name for its build, and the rows are
    written under that. -#}
{% macro _write_rows(relation, change, properties, seen) %}
    {%- do strandline._write_once(relation, change, properties['strandline.build']) -%}
    {%- if change.token is not none and strandline._last_commit(relation) == seen -%}
        {%- set build = invocation_id ~ '-' ~ change.token -%}
        {%- do strandline._set_properties(relation, {'strandline.build': build}) -%}
        {%- do strandline._write_once(relation, change, build) -%}
    {%- endif -%}
{% endmacro %}

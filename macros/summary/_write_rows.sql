{#- Writes rows in one commit. Two runs that start from the same state write under the same token, and
    Delta lets only one of them through: the other's write is passed over, and what it had to say is
    found by the next run. The token belongs to one build of the table. A table that was put back
    to an earlier version would pass over an honest write too: when the state is still the one that
    the token was made of, the table gets a new name for its build, and the rows are written
    under that. Tells whether the rows were written. -#}
{% macro _write_rows(relation, change, properties) %}
    {%- set is_written = strandline._write_once(relation, change, properties['strandline.build']) -%}
    {%- if not is_written and strandline._arrival_token(strandline._stored_arrival(relation, change.column or 'agg_arrival')) == change.token -%}
        {%- set build = invocation_id ~ '-' ~ change.token -%}
        {%- do strandline._set_properties(relation, {'strandline.build': build}) -%}
        {{- return(strandline._write_once(relation, change, build)) -}}
    {%- endif -%}
    {{- return(is_written) -}}
{% endmacro %}

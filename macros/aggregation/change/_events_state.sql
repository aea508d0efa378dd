{#- What an incremental run must know of the events before it judges new ones: with event ids, the
    range to search for earlier ones, and the last arrival it was asked for (`until`): an event that arrives later
    is left to the next run, because its own earlier ones may lie outside; with a buffer, the newest bucket so
    far, which the finest table itself holds (`relation`; none for the table of late events, which remembers it). -#}
{% macro _events_state(relation, task, is_new) %}
    {%- set state = {} -%}
    {%- if not is_new -%}{{- return(state) -}}{%- endif -%}
    {%- if task.event_id -%}
        {%- set row = run_query("select " ~ strandline._exact_text('first') ~ ", " ~ strandline._exact_text('last') ~ ", typeof(first), "
            ~ strandline._exact_text('until') ~ ", typeof(until) from (select min(" ~ task.event_id ~ ") as first, max(" ~ task.event_id
            ~ ") as last, max(" ~ task.arrival ~ ") as until from (select * from " ~ task.feed ~ ") as feed where " ~ is_new ~ ")").rows[0] -%}
        {%- do state.update({'until': strandline._typed_literal(row[3], row[4]) or 'null'}) -%}
        {%- if row[0] is not none -%}
            {%- do state.update({'ids': [strandline._typed_literal(row[0], row[2]), strandline._typed_literal(row[1], row[2])]}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if task.buffer and relation is not none -%}
        {%- set row = run_query("select cast(max(unix_seconds(agg_timestamp)) as string) from " ~ relation
            ~ " where agg_partition = (select max(agg_partition) from " ~ relation ~ ")").rows[0] -%}
        {%- if row[0] is not none -%}{%- do state.update({'newest': row[0] ~ 'L'}) -%}{%- endif -%}
    {%- endif -%}
    {{- return(state) -}}
{% endmacro %}

{#- The watermark of a table: the greatest arrival in its own rows, as an expression for
    comparisons; none while the table is empty. Delta answers a bare `max` from the file statistics,
    but reads all rows for a `max` inside another expression. The condition keeps Spark from merging
    the two queries into one. -#}
{% macro _watermark(relation, column='agg_arrival') %}
    {%- set rows = run_query("select " ~ strandline._exact_text('arrival')
        ~ ", typeof(arrival) from (select max(" ~ column
        ~ ") as arrival from " ~ relation ~ ") where arrival is not null").rows -%}
    {{- return(strandline._typed_literal(rows[0][0], rows[0][1]) if rows else none) -}}
{% endmacro %}

{#- Whether an event is above the watermark. An event without an arrival also passes, so that it
    fails the run. -#}
{% macro _is_new(task, watermark) %}
    {%- set arrival = 'upstream.' ~ strandline._quoted(task.arrival) -%}
    {{- return('(' ~ arrival ~ ' > ' ~ watermark ~ ' or ' ~ arrival ~ ' is null)' if watermark
        else none) -}}
{% endmacro %}

{#- Fails the statement if another run has committed rows above the watermark that this run read:
    the change was computed without these rows. Files whose statistics show no later arrival are
    skipped. Two simultaneous commits are left to Delta's conflict check: each reads what the other
    replaces. -#}
{% macro _assert_no_concurrent_write(relation, watermark, column='agg_arrival') -%}
    {%- set message = relation.identifier
        ~ ": another run has written to this table since this run read its watermark; nothing was "
        ~ "written; run it again" -%}
    coalesce((
        select cast(raise_error({{ strandline._literal(message) }}) as boolean)
        from {{ relation }}
        where {{ column }} {{ '> ' ~ watermark if watermark else 'is not null' }}
        limit 1
    ), true)
{%- endmacro %}

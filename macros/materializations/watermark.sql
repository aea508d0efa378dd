{#- How far a table has consumed its feed: the greatest arrival in its own rows, as an expression
    ready to compare with; none while the table is empty. Delta answers a bare `max` from the
    statistics of its files, and reads all rows for one inside another expression: the condition keeps
    Spark from making the two queries one. -#}
{% macro _watermark(relation, column='agg_arrival') %}
    {%- set rows = run_query("select " ~ strandline._exact_text('arrival') ~ ", typeof(arrival) from (select max(" ~ column
        ~ ") as arrival from " ~ relation ~ ") where arrival is not null").rows -%}
    {{- return(strandline._typed_literal(rows[0][0], rows[0][1]) if rows else none) -}}
{% endmacro %}

{#- Whether an event has not been consumed yet; one without an arrival is looked at as well, so that
    it stops the run. -#}
{% macro _is_new(task, consumed) %}
    {{- return('(feed.' ~ task.arrival ~ ' > ' ~ consumed ~ ' or feed.' ~ task.arrival ~ ' is null)' if consumed else none) -}}
{% endmacro %}

{#- A condition that holds while a table is still as far as it was when this run asked it, and else stops the run: another one has
    written meanwhile, and what this one has to write was worked out without that. Files without
    a later row are not opened. Two runs that write at the very same time are for Delta to tell apart: each
    has read what the other changes. -#}
{% macro _assert_no_concurrent_write(relation, consumed, column='agg_arrival') -%}
    {%- set told = relation.identifier ~ ": another run has written to this table since this one asked how far it is; "
        ~ "nothing was written, and nothing is lost: run it again" -%}
    coalesce((
        select cast(raise_error({{ strandline._literal(told) }}) as boolean)
        from {{ relation }}
        where {{ column }} {{ '> ' ~ consumed if consumed else 'is not null' }}
        limit 1
    ), true)
{%- endmacro %}

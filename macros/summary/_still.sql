{#- A condition that holds while a table is still as far as it was when this run asked it, and else stops the run: another one has
    written meanwhile, and what this one has to write was worked out without that. Files without
    a later row are not opened. Two runs that write at the very same time are for Delta to tell apart: each
    has read what the other changes. -#}
{% macro _still(relation, consumed, column='agg_arrival') -%}
    {%- set told = relation.identifier ~ ": another run has written to this table since this one asked how far it is; "
        ~ "nothing was written, and nothing is lost: run it again" -%}
    coalesce((
        select cast(raise_error({{ strandline._literal(told) }}) as boolean)
        from {{ relation }}
        where {{ column }} {{ '> ' ~ consumed if consumed else 'is not null' }}
        limit 1
    ), true)
{%- endmacro %}

{#- The rows of one table of an aggregation with the outputs computed from their parts. The table is
    wrapped, because dbt gives it an alias of its own under `--empty` and `--sample`. -#}
{% macro _retrieved_rows(definition, duration, conditions) -%}
select
        agg_timestamp,
        agg_timezone
        {%- for key in definition.group_by %},
        {{ key }}
        {%- endfor %}
        {%- for output in definition.outputs %},
        {{ strandline._read_output(output, duration == definition.durations[0]) }} as {{ output.name }}
        {%- endfor %}
    from (select * from {{ ref(definition.name ~ '_' ~ duration) }}) as stored
    {%- for condition in conditions %}
    {{ 'where' if loop.first else '    and' }} {{ condition }}
    {%- endfor %}
{%- endmacro %}

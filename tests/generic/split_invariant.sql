{#- Buckets of an aggregation table that differ from those which a full refresh would give from its
    source, or from its upstream table. Doubles may differ by 1e-9 of their size; structs and arrays
    that hold doubles are not compared. Not for tables with a retention: a full refresh would bring
    back what was purged. -#}
{% test split_invariant(model) %}
    {#- A table that is not built yet has no task. `dbt compile` goes on, `dbt test` fails. -#}
    {%- if not execute or load_cached_relation(model) is none -%}
    select * from {{ model }}
    {%- else -%}
    {%- set task = strandline._stored_task(model) -%}
    {%- set columns = adapter.get_columns_in_relation(model)
        | rejectattr('column', 'in', ['agg_timezone', 'agg_arrival', 'agg_partition']) | list -%}
    with rebuilt as (
        {{ strandline._aggregation_rows(task) }}
    ),

    compared as (
        select
            coalesce(stored.agg_timestamp, rebuilt.agg_timestamp) as agg_timestamp,
            case
                when stored.agg_timestamp is null then 'missing'
                when rebuilt.agg_timestamp is null then 'only stored'
                {%- for column in columns if not ('double' in column.dtype
                    and ('struct' in column.dtype or 'array' in column.dtype)) %}
                {%- set stored, rebuilt = 'stored.' ~ column.quoted, 'rebuilt.' ~ column.quoted %}
                when {{ 'not coalesce(abs(' ~ stored ~ ' - ' ~ rebuilt ~ ') <= 1e-9 * greatest(abs('
                    ~ stored ~ '), abs(' ~ rebuilt ~ ')), ' ~ stored ~ ' <=> ' ~ rebuilt ~ ')'
                    if column.dtype in ['double', 'float']
                    else 'not ' ~ stored ~ ' <=> ' ~ rebuilt }} then '{{ column.column }}'
                {%- endfor %}
            end as difference
        from {{ model }} as stored
        full outer join rebuilt
            on stored.agg_timestamp = rebuilt.agg_timestamp
            {%- for key in task['keys'] %}
            and stored.{{ key }} <=> rebuilt.{{ key }}
            {%- endfor %}
    )

    select * from compared where difference is not null
    {%- endif -%}
{% endtest %}

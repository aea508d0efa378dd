{#- Buckets of an aggregation table that differ from those which a full refresh would give from its
    source, or from its upstream table. Doubles may differ by 1e-9 of their size; structs and arrays
    with doubles are not compared. Not for tables with a retention: a full refresh would bring
    back what was purged. With dbt's `where` the buckets that it selects are compared. -#}
{% test split_invariant(model) %}
    {%- set table = strandline._tested_relation(model) -%}
    {#- A table that is not built yet has no task. `dbt compile` goes on, `dbt test` fails. -#}
    {%- if not execute or load_cached_relation(table) is none -%}
    select * from {{ model }}
    {%- else -%}
    {#- Which arrivals were read is not compared, and need not be computed. -#}
    {%- set task = dict(strandline._stored_task(table), keeps_arrivals=none) -%}
    {%- set where = config.get('where') -%}
    {%- set columns = adapter.get_columns_in_relation(table)
        | rejectattr('column', 'in', ['agg_timezone', 'agg_arrival', 'agg_partition']
            + strandline._lookback_columns()) | list -%}
    with __rebuilt as (
        select * from (
        {{ strandline._aggregation_rows(task) }}
        ){% if where %}
        where {{ where }}{% endif %}
    ),

    __compared as (
        select
            coalesce(__stored.agg_timestamp, __rebuilt.agg_timestamp) as agg_timestamp,
            case
                when __stored.agg_timestamp is null then 'missing'
                when __rebuilt.agg_timestamp is null then 'only stored'
                {%- for column in columns if not ('double' in column.dtype
                    and ('struct' in column.dtype or 'array' in column.dtype)) %}
                {%- set stored = '__stored.' ~ column.quoted %}
                {%- set rebuilt = '__rebuilt.' ~ column.quoted %}
                when {{ 'not coalesce(abs(' ~ stored ~ ' - ' ~ rebuilt ~ ') <= 1e-9 * greatest(abs('
                    ~ stored ~ '), abs(' ~ rebuilt ~ ')), ' ~ stored ~ ' <=> ' ~ rebuilt ~ ')'
                    if column.dtype in ['double', 'float']
                    else 'not ' ~ stored ~ ' <=> ' ~ rebuilt }}
                    then {{ strandline._literal(column.column) }}
                {%- endfor %}
            end as difference
        from (select * from {{ model }}) as __stored
        full outer join __rebuilt
            on __stored.agg_timestamp = __rebuilt.agg_timestamp
            {%- for key in task['keys'] %}
            and __stored.{{ strandline._quoted(key) }} <=> __rebuilt.{{ strandline._quoted(key) }}
            {%- endfor %}
    )

    select * from __compared where difference is not null
    {%- endif -%}
{% endtest %}

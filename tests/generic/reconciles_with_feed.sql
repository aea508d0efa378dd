{#- Rows of an aggregation table that differ from the roll-up of their upstream rows, and buckets
    that exist on one side only. The compared columns come from the task that is stored with the
    table. -#}
{% test reconciles_with_feed(model) %}
    {%- if execute -%}
    {%- set task = fromjson(run_query("show tblproperties " ~ model
        ~ " ('strandline.task')").rows[0][1]) -%}
    {%- do task.update({'upstream': api.Relation.create(schema=model.schema,
        identifier=task.upstream_name) | string}) -%}
    {%- set columns = (['agg_timestamp'] + task['keys']
        + task.parts | map(attribute='column') | list) | join(', ') -%}
    with rolled_up as (
        {{ strandline._aggregation_rows(task) }}
    ),

    only_stored as (
        select {{ columns }} from {{ model }}
        except all
        select {{ columns }} from rolled_up
    ),

    only_rolled_up as (
        select {{ columns }} from rolled_up
        except all
        select {{ columns }} from {{ model }}
    )

    select 'only stored' as side, * from only_stored
    union all
    select 'only rolled up' as side, * from only_rolled_up
    {%- endif -%}
{% endtest %}

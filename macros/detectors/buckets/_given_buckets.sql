{#- The buckets of the relation: key, start, place and value. A time at which no bucket begins stops the query: it would be
    compared with others than its own. -#}
{% macro _given_buckets(task) -%}
{%- set ts = 'bucket.' ~ task.ts -%}
select
        {%- for column in task.key %}
        bucket.{{ column }},
        {%- endfor %}
        {{ ts }} as strandline_start,
        {{ strandline._place(ts, task) }} as strandline_place,
        nullif(cast(bucket.{{ task.value }} as double), double('NaN')) as strandline_value
    from (select * from {{ task.relation }}) as bucket
    where {{ strandline._is_start(ts, task) }}
{%- endmacro %}

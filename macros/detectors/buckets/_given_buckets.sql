{#- The buckets of the relation: key, start, place and value. Where they are put in order, a time at which no bucket begins stops the
    query: it would be compared with others than its own. -#}
{% macro _given_buckets(task) -%}
{%- set ts = 'bucket.' ~ task.ts -%}
select
        {%- for column in task.key %}
        bucket.{{ column }},
        {%- endfor %}
        {{ ts }} as strandline_start,
        {{ strandline._started(strandline._place(ts, task), ts, task) if task.is_ordered else strandline._place(ts, task) }} as strandline_place,
        nullif(cast(bucket.{{ task.value }} as double), double('NaN')) as strandline_value
    from (select * from {{ task.relation }}) as bucket
{%- endmacro %}

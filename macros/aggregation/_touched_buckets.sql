{#- Narrows the finer rows to the buckets (of the coarser duration, with their group) that hold
    something new. -#}
{% macro _touched_buckets(task, is_new, partitions) %}
    {%- if partitions -%}feed.{{ strandline._in_partitions(partitions) }}
        and {% endif -%}
    exists (
            select 1
            from (select * from {{ task.feed }}) as changed
            where changed.{{ is_new }}
                and {{ strandline.bucket_start('changed.agg_timestamp', task.duration, task.time_zone) }}
                = {{ strandline.bucket_start('feed.agg_timestamp', task.duration, task.time_zone) }}
                {%- for key in task.group_by %}
                and changed.{{ key }} <=> feed.{{ key }}
                {%- endfor %}
        )
{%- endmacro %}

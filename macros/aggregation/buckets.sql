{#- Rows of one aggregation table, aggregated from events (`how` is take) or from stored rows (roll).
    `source` is a query in brackets or a name. The finest table's own rows are added up as they
    are: a stored start begins its own bucket. Grouping by the partition as well costs nothing, as
    a bucket lies in one; with `spread` the rows are dealt out by partition before they are
    grouped, so that each file is written once. -#}
{% macro _aggregation_buckets(task, source, how, spread=false) -%}
    {%- set is_own = how == 'roll' and task.from_events -%}
    {%- set bucket = 'agg_event_bucket' if how == 'take' else 'agg_timestamp' if is_own
        else strandline.bucket_start('agg_timestamp', task.duration, task.time_zone) -%}
    {%- set partition = 'agg_partition' if is_own else strandline._rolled_partition(task) if how == 'roll'
        else strandline._partition_of(bucket, strandline._duration(task.duration).partition, task.time_zone) -%}
    select
        {{ bucket }} as agg_timestamp,
        {%- for key in task.group_by %}
        {{ key }},
        {%- endfor %}
        max({{ 'agg_event_arrival' if how == 'take' else 'agg_arrival' }}) as agg_arrival,
        {%- for part in task.parts %}
        {{ strandline._part_expression(task, part, how) }} as {{ part.column }},
        {%- endfor %}
        {{ partition }} as agg_partition
    from {% if spread %}(select * from {{ source }} distribute by {{ partition }}){% else %}{{ source }}{% endif %}
    group by {{ bucket }}, {{ partition }}{% for key in task.group_by %}, {{ key }}{% endfor %}
{%- endmacro %}

{#- The partition of a coarser bucket, of a row of its feed: the feed's own where both are laid out alike and no clock
    ever changes, so that no bucket begins on another day than what it holds. -#}
{% macro _rolled_partition(task) %}
    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- if task.time_zone == 'UTC' and strandline._duration(task.feed_duration).partition == unit -%}{{- return('agg_partition') -}}{%- endif -%}
    {{- return(strandline._partition_of(strandline.bucket_start('agg_timestamp', task.duration, task.time_zone), unit, task.time_zone)) -}}
{% endmacro %}

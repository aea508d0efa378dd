{#- Why an event counts in no bucket; null for one that counts. -#}
{% macro _late_reason(task) -%}
    {%- set column = task.aggregate_by -%}
    {%- set usable = {
        'text': 'is no time yyyy-MM-dd HH:mm:ss[ +HH:MM] of the years 2 to 9998',
    }.get(task.time_kind, 'is outside the years 2 to 9998') -%}
case
            when agg_event_arrival is null then 'no arrival' -- never seen: asking is what stops the run
            when {{ column }} is null then 'no event time: {{ column }} is null'
            when agg_event_time is null and {{ strandline._is_skipped_time(strandline._read_time(task, column)) }}
                then 'no event time: {{ column }} is in 4 to 16 October 1582, which Delta cannot search by time'
            when agg_event_time is null then 'no event time: {{ column }} {{ usable }}'
            {%- if task.event_id %}
            when {{ task.event_id }} is null then 'no event id: {{ task.event_id }} is null'
            when agg_copy > 1 then 'duplicate: an event of this {{ task.event_id }} came before'
            {%- endif %}
            {%- if task.get('purged_before') %}
            when {{ strandline._event_bucket(task) }} < timestamp'{{ task.purged_before }}' then 'late: its bucket is older than what is kept'
            {%- endif %}
            {%- if task.buffer and task.buffer.drops %}
            when {{ strandline.bucket_start('agg_event_time', task.finest, task.time_zone) }} < {{ strandline._oldest_open(task) }}
                then 'late: older than the buffer of {{ task.buffer.size }} {{ task.finest }}'
            {%- endif %}
        end
{%- endmacro %}

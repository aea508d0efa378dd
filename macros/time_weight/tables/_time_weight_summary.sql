{#- Time weights by key and bucket, by windows rather than collected arrays: one sort by bucket and time, and no group has to fit
    into memory. Of points of one time the first to arrive counts; the others have an interval of no length, and only move the
    mark. No aggregate needs more than numbers. -#}
{% macro _time_weight_summary(task, source, keys) %}
    {%- set method, gap, length = "'" ~ task.method ~ "'", task.gap, 'agg_length' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
    {%- set summary -%}
    named_struct(
        'method', {{ method }}, 'gap', {{ gap }},
        'weighted_sum', coalesce(sum({{ strandline._weight(method, 'agg_value_before', 'agg_value', counted) }}), 0D),
        'elapsed', coalesce(sum({{ counted }}), 0L),
        'num_gaps', count_if({{ length }} > {{ gap }}),
        'first_time', timestamp_micros(min(agg_t)), 'first_value', min_by(agg_value, agg_t) filter (where is_first),
        'last_time', timestamp_micros(max(agg_t)), 'last_value', max_by(agg_value, agg_t) filter (where is_first))
    {%- endset -%}
    {%- set points = '(select * except (agg_value), cast(agg_value as double) as agg_value from ' ~ source ~ ')' -%}
    {{- return({'summary': summary, 'rows': strandline['_' ~ task.method ~ '_rows'](points, keys)}) -}}
{% endmacro %}

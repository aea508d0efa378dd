{#- Stops the query with why a summary of states does not belong to its bucket. -#}
{% macro _refused_bucket(who) -%}
    raise_error(concat({{ strandline._literal(who ~ ': the bucket is [') }}, timestamp_micros(b.from), ', ', timestamp_micros(b.to), '), its summary lasts from ',
                coalesce(cast(b.own.first_time as string), 'nothing'), ' to ', coalesce(cast(b.own.last_time as string), 'nothing'),
                ' (gap ', {{ strandline._told_gap('b.own.gap') }}, '), and `prev` to ', coalesce(cast(b.prev.last_time as string), 'nothing'),
                ' (gap ', {{ strandline._told_gap('b.prev.gap') }}, '); a summary lies in its bucket, `prev` before it, under one gap'))
{%- endmacro %}

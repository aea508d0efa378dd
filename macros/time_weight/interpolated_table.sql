{#- Every bucket of a range for every key, including buckets without points, with values from its
    neighbours: a sub-query. See _macros.yml. -#}
{% macro interpolated_table(source, length, within, keys=[], bucket='agg_timestamp',
    summary='summary', of='time_weight') -%}
    {%- do strandline._check_call('interpolated_table', kwargs, varargs, {
        'source': [source, "pass a source of summaries: ref('signal_hours')"],
        'length': [length, "write the length of the relation's buckets, such as '1 hour'"],
        'within': [within, "write a pair such as ['2014-02-15 00:00:00', '2014-03-16 00:00:00'] "
            ~ "or a pattern such as '2018-01-** **:**:**'"],
    }, ['keys', 'bucket', 'summary', 'of']) -%}
    {%- set who = 'interpolated_table of ' ~ source -%}
    {%- set faults = [] -%}
    {%- set keys = strandline._read_keys(keys, faults) -%}
    {%- set micros = strandline._period(length).fixed -%}
    {%- if micros is none -%}
        {%- do faults.append("`length` is '" ~ length
            ~ "'; write the length of the relation's buckets, such as '1 hour'") -%}
    {%- endif -%}
    {%- if of not in ['time_weight', 'state_agg', 'heartbeat_agg'] -%}
        {%- do faults.append("`of` is '" ~ of ~ "'; write which kind of summary it is: "
            ~ "time_weight, state_agg, heartbeat_agg") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set bounds = strandline._within_bounds(within, who) -%}
    {%- set from, to = bounds[0] ~ '000L', bounds[1] ~ '000L' -%}
    {%- set order = ('partition by ' ~ keys | join(', ') ~ ' ' if keys else '')
        ~ 'order by agg_bucket' -%}
    {#- A dead bucket has no heartbeat to carry forward; use the last bucket that has one. -#}
    {%- set before = 'if(summary.last_time is null, null, summary)' if of == 'heartbeat_agg'
        else 'summary' -%}
    {%- set key_list = (keys | join(', ') ~ ', ') if keys else '' -%}
(
    with stored as (
        select {{ key_list }}unix_micros({{ bucket }}) as agg_bucket,
        {{ summary }} as summary from (select * from {{ source }}) as source
    ),

    first_buckets as (
        select {{ key_list }}{{ from }}
            + pmod(min(agg_bucket) - {{ from }}, {{ micros }}L) as agg_bucket
        from stored
        {%- if keys %}
        group by {{ keys | join(', ') }}
        {%- endif %}
    ),

    buckets as (
        select {{ key_list }}explode(sequence(agg_bucket, {{ to }} - 1L, {{ micros }}L))
            as agg_bucket
        from first_buckets
        where agg_bucket < {{ to }}
    ),

    rows as (
        select
            {%- for key in keys %}
            coalesce(stored.{{ key }}, buckets.{{ key }}) as {{ key }},
            {%- endfor %}
            coalesce(stored.agg_bucket, buckets.agg_bucket) as agg_bucket,
            stored.summary
        from stored
        full outer join buckets on stored.agg_bucket = buckets.agg_bucket
            {%- for key in keys %} and stored.{{ key }} <=> buckets.{{ key }}{% endfor %}
    ),

    neighbours as (
        select
            {{ key_list }}timestamp_micros(agg_bucket) as {{ bucket }}, agg_bucket, summary,
            last_value({{ before }}, true)
                over ({{ order }} rows between unbounded preceding and 1 preceding) as prev
            {%- if of == 'time_weight' %},
            first_value(summary, true) over ({{ order }}
                rows between 1 following and unbounded following) as next
            {%- endif %}
        from rows
    )

    select {{ key_list }}{{ bucket }}, summary,
        {{ strandline._interpolated_bucket(of, bucket, length) }} as interpolated
    from neighbours
    where agg_bucket >= {{ from }} and agg_bucket < {{ to }}
)
{%- endmacro %}

{#- The state of a bucket from its start to its end, including its neighbours' part, as the
    accessors of its kind read it. -#}
{% macro _interpolated_bucket(of, bucket, length) -%}
    {%- set who = 'interpolated_table' -%}
    {%- if of == 'time_weight' -%}
        {{ strandline._interpolated('summary', bucket, length, 'prev', 'next', none, who) }}
    {%- elif of == 'state_agg' -%}
        {{ strandline._interpolated_states('summary', bucket, length, 'prev', none, who) }}
    {%- elif of == 'heartbeat_agg' -%}
        {%- set dead = strandline._dead_bucket(bucket, length, 'prev.interval', who) -%}
        {%- set own = 'coalesce(summary, if(prev is null, null, ' ~ dead ~ '))' -%}
        {{ strandline.interpolate(own, 'prev') }}
    {%- endif -%}
{%- endmacro %}

{#- The summary of a bucket without heartbeats. -#}
{% macro _dead_bucket(bucket, length, interval, who) -%}
    {%- set no_ranges = 'cast(array() as array<struct<from: bigint, to: bigint>>)' -%}
    {{ strandline._heartbeat_summary(
        'unix_micros(' ~ bucket ~ ')', strandline._bucket_end(bucket, length, none, who), interval,
        'cast(null as bigint)', 'cast(null as bigint)', no_ranges) }}
{%- endmacro %}

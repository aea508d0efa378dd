{#- Every bucket of a range for every key, including buckets without points, with values from its
    neighbours: a sub-query. See _macros.yml. -#}
{% macro interpolated_table(source, length, within, keys=[], bucket='agg_timestamp',
    summary='summary', of='time_weight') -%}
    {%- set of_source = source | string if source is defined else none -%}
    {%- set read = strandline._arguments(strandline._caller('interpolated_table', of_source),
        kwargs, varargs, {
        'source': ['any', source, "pass a source of summaries: ref('signal_hours')"],
        'length': ['length', length,
            "write the length of the relation's buckets, such as '1 hour'"],
        'within': ['any', within, strandline._within_form()],
        'keys': ['columns', keys,
            "write a list of columns, such as ['sensor'], or [] for one signal"],
        'bucket': ['any', bucket],
        'summary': ['any', summary],
        'of': strandline._summary_argument(of),
    }) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set bounds, micros = strandline._within_bounds(within, read.who), read.length -%}
    {%- set from, to = bounds[0] ~ '000L', bounds[1] ~ '000L' -%}
    {%- set start, names = strandline._quoted(bucket), strandline._all_quoted(keys) -%}
    {%- set order = ('partition by ' ~ names | join(', ') ~ ' ' if names else '')
        ~ 'order by __bucket' -%}
    {#- A dead bucket has no heartbeat to carry forward; use the last bucket that has one. -#}
    {%- set before = 'if(__summary.last_time is null, null, __summary)' if of == 'heartbeat_agg'
        else '__summary' -%}
    {%- set key_list = (names | join(', ') ~ ', ') if names else '' -%}
(
    with __stored as (
        select {{ key_list }}unix_micros({{ start }}) as __bucket,
        {{ summary }} as __summary from (select * from {{ source }}) as __source
    ),

    __first_buckets as (
        select {{ key_list }}{{ from }}
            + pmod(min(__bucket) - {{ from }}, {{ micros }}L) as __bucket
        from __stored
        {%- if names %}
        group by {{ names | join(', ') }}
        {%- endif %}
    ),

    __buckets as (
        select {{ key_list }}explode(sequence(__bucket, {{ to }} - 1L, {{ micros }}L))
            as __bucket
        from __first_buckets
        where __bucket < {{ to }}
    ),

    __rows as (
        select
            {%- for key in names %}
            coalesce(__stored.{{ key }}, __buckets.{{ key }}) as {{ key }},
            {%- endfor %}
            coalesce(__stored.__bucket, __buckets.__bucket) as __bucket,
            __stored.__summary
        from __stored
        full outer join __buckets on __stored.__bucket = __buckets.__bucket
            {%- for key in names %} and __stored.{{ key }} <=> __buckets.{{ key }}{% endfor %}
    ),

    __neighbours as (
        select
            {{ key_list }}timestamp_micros(__bucket) as {{ start }}, __bucket, __summary,
            last_value({{ before }}, true)
                over ({{ order }} rows between unbounded preceding and 1 preceding) as __prev
            {%- if of == 'time_weight' %},
            first_value(__summary, true) over ({{ order }}
                rows between 1 following and unbounded following) as __next
            {%- endif %}
        from __rows
    )

    select {{ key_list }}{{ start }}, __summary as summary,
        {{ strandline._interpolated_bucket(of, start, length) }} as interpolated
    from __neighbours
    where __bucket >= {{ from }} and __bucket < {{ to }}
)
{%- endmacro %}

{#- The state of a bucket from its start to its end, including its neighbours' part, as the
    accessors of its kind read it. -#}
{% macro _interpolated_bucket(of, bucket, length) -%}
    {%- set who = 'interpolated_table' -%}
    {%- if of == 'time_weight' -%}
        {{ strandline._interpolated('__summary', bucket, length, '__prev', '__next', none, who) }}
    {%- elif of == 'state_agg' -%}
        {{ strandline._interpolated_states('__summary', bucket, length, '__prev', none, who) }}
    {%- elif of == 'heartbeat_agg' -%}
        {%- set dead = strandline._dead_bucket(bucket, length, '__prev.interval', who) -%}
        {%- set own = 'coalesce(__summary, if(__prev is null, null, ' ~ dead ~ '))' -%}
        {{ strandline.interpolate(own, '__prev') }}
    {%- endif -%}
{%- endmacro %}

{#- The summary of a bucket without heartbeats. -#}
{% macro _dead_bucket(bucket, length, interval, who) -%}
    {%- set no_ranges = 'cast(array() as array<struct<from: bigint, to: bigint>>)' -%}
    {{ strandline._heartbeat_summary(
        'unix_micros(' ~ bucket ~ ')', strandline._bucket_end(bucket, length, none, who), interval,
        'cast(null as bigint)', 'cast(null as bigint)', no_ranges) }}
{%- endmacro %}

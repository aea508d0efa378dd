{#- Every bucket of a range for every key, those without points included, with what neighbours lend: a sub-query. See _macros.yml. -#}
{% macro interpolated_table(relation, keys, length, within, bucket='agg_timestamp', summary='summary') -%}
    {%- set who = 'interpolated_table of ' ~ relation -%}
    {%- set faults = [] -%}
    {%- set keys = strandline._read_keys(keys, faults) -%}
    {%- set micros = strandline._interval_micros(length) -%}
    {%- if micros is none -%}
        {%- do faults.append("`length` is '" ~ length ~ "'; write the length of the relation's buckets, such as '1 hour'") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set bounds = strandline._within_bounds(within, who) -%}
    {%- set from, to = bounds[0] ~ '000L', bounds[1] ~ '000L' -%}
    {%- set order = ('partition by ' ~ keys | join(', ') ~ ' ' if keys else '') ~ 'order by agg_bucket' -%}
    {%- set keyed = (keys | join(', ') ~ ', ') if keys else '' -%}
(
    with stored as (
        select {{ keyed }}unix_micros({{ bucket }}) as agg_bucket, {{ summary }} as summary from (select * from {{ relation }}) as relation
    ),

    first_buckets as (
        select {{ keyed }}{{ from }} + pmod(min(agg_bucket) - {{ from }}, {{ micros }}L) as agg_bucket
        from stored
        {%- if keys %}
        group by {{ keys | join(', ') }}
        {%- endif %}
    ),

    buckets as (
        select {{ keyed }}explode(sequence(agg_bucket, {{ to }} - 1L, {{ micros }}L)) as agg_bucket
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
            {{ keyed }}timestamp_micros(agg_bucket) as {{ bucket }}, agg_bucket, summary,
            last_value(summary, true) over ({{ order }} rows between unbounded preceding and 1 preceding) as prev,
            first_value(summary, true) over ({{ order }} rows between 1 following and unbounded following) as next
        from rows
    )

    select {{ keyed }}{{ bucket }}, summary,
        {{ strandline._interpolated('summary', bucket, length, 'prev', 'next', none, 'interpolated_table') }} as interpolated
    from neighbours
    where agg_bucket >= {{ from }} and agg_bucket < {{ to }}
)
{%- endmacro %}

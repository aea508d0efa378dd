{#- The CTE `classified` of a change detector: each bucket with the value of the bucket at the
    offset, and its bounds. A window range of one position finds that bucket without another sort.
    In a repeated hour the first pass is used. -#}
{% macro _classified_changes(task, margin, pattern) -%}
{%- set order = strandline._compared_bucket(task) -%}
{%- set offset = task.periods.offset.length ~ 'L preceding' -%}
__compared as (
    select
        *,
        {{ 'min_by(__value, __start)' if task.is_local
            else 'max(__value)' }} over (
            {{ strandline._series(task, order) }} range between {{ offset }} and {{ offset }}
        ) as __baseline
    from __buckets
),

__classified as (
    select
        *,
        {{ 'cast(null as double)' if pattern == 'up' else '__baseline - ' ~ margin }}
            as __lower,
        {{ 'cast(null as double)' if pattern == 'down' else '__baseline + ' ~ margin }}
            as __upper
    from __compared
    where abs(__baseline) < double('Infinity')
)
{%- endmacro %}

{#- The position by which buckets are compared: their own, or the local time if a period in days is
    counted in hours, so that 08:00 is compared with 08:00 across a clock change. Then the two
    passes of a repeated hour have the same position. -#}
{% macro _compared_bucket(task) %}
    {{- return('unix_micros(' ~ strandline._local('__start', task.time_zone) ~ ')'
        if task.is_local else '__position') -}}
{% endmacro %}

{#- A window over the buckets of one key, and of one position in the season if there is one. -#}
{% macro _series(task, order, season=none) %}
    {%- set parts = strandline._all_quoted(task['keys']) + ([] if season is none
        else ['pmod(' ~ order ~ ', ' ~ season ~ 'L)']) -%}
    {{- return(('partition by ' ~ parts | join(', ') ~ ' ' if parts else '') ~ 'order by '
        ~ order) -}}
{% endmacro %}

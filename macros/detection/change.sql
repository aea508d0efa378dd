{#- The CTE `judged` of a detector of changes: each bucket beside the one at the offset, with what
    may lie between them. A range of one place finds that bucket in the order that the series has
    already. Of a repeated hour the first pass counts. -#}
{% macro _classified_changes(task, margin, pattern) -%}
{%- set order = strandline._compared_bucket(task) -%}
{%- set offset = task.periods.offset.length ~ 'L preceding' -%}
compared as (
    select
        *,
        {{ 'min_by(strandline_value, strandline_start)' if task.is_local else 'max(strandline_value)' }} over (
            {{ strandline._series(task, order) }} range between {{ offset }} and {{ offset }}
        ) as strandline_baseline
    from buckets
),

judged as (
    select
        *,
        {{ 'cast(null as double)' if pattern == 'up' else 'strandline_baseline - ' ~ margin }} as strandline_lower,
        {{ 'cast(null as double)' if pattern == 'down' else 'strandline_baseline + ' ~ margin }} as strandline_upper
    from compared
    where abs(strandline_baseline) < double('Infinity')
)
{%- endmacro %}

{#- The place by which buckets are compared: their own, but on the zone's clock where hours are
    compared over days, so that eight o'clock meets eight o'clock across a clock change. The two
    passes of a repeated hour have one place then. -#}
{% macro _compared_bucket(task) %}
    {{- return('unix_micros(' ~ strandline._local('strandline_start', task.time_zone) ~ ')' if task.is_local else 'strandline_place') -}}
{% endmacro %}

{#- A window over the buckets of one key, and of one place in the season if there is one. -#}
{% macro _series(task, order, season=none) %}
    {%- set parts = task['keys'] + ([] if season is none else ['pmod(' ~ order ~ ', ' ~ season ~ 'L)']) -%}
    {{- return(('partition by ' ~ parts | join(', ') ~ ' ' if parts else '') ~ 'order by ' ~ order) -}}
{% endmacro %}

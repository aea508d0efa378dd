{#- The CTE `judged` of `mean_variance_detector`: each bucket with mean and bounds of the values of its place in the season within
    the look-back before it. Equal values have no deviation and are their own mean, whatever their sum is rounded to. -#}
{% macro _mean_variance_judged(task, sigma, pattern, min_values) -%}
{%- set order = strandline._compared_place(task) -%}
{%- set season = task.periods.seasonality.length if 'seasonality' in task.periods else none -%}
compared as (
    select *, struct(
        count(strandline_finite) over before as held,
        min(strandline_finite) over before as least,
        max(strandline_finite) over before as most,
        avg(strandline_finite) over before as mean,
        stddev_samp(strandline_finite) over before as deviation
    ) as strandline_before
    from (select *, if(abs(strandline_value) < double('Infinity'), strandline_value, null) as strandline_finite from buckets)
    window before as (
        {{ strandline._series(task, order, season) }} range between {{ task.periods.lookback.length }}L preceding and 1L preceding
    )
),

judged as (
    select
        *,
        {{ 'cast(null as double)' if pattern == 'up' else 'strandline_baseline - strandline_margin' }} as strandline_lower,
        {{ 'cast(null as double)' if pattern == 'down' else 'strandline_baseline + strandline_margin' }} as strandline_upper
    from (
        select
            *,
            if(strandline_before.least = strandline_before.most, strandline_before.least, strandline_before.mean) as strandline_baseline,
            if(strandline_before.least = strandline_before.most, 0D, {{ sigma }}D * strandline_before.deviation) as strandline_margin
        from compared
        where strandline_before.held >= {{ min_values }}
    )
)
{%- endmacro %}

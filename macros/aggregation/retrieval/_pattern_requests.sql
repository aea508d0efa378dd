{#- What the requests' patterns mean: `_pattern_bounds` for values that are known only when the query
    runs. What stands left of the first asterisk (`strandline_known`) is completed to the first
    instant, and its length tells the unit. -#}
{% macro _pattern_requests(column, requests) -%}
spelled_requests as (
    select
        b.*,
        trim(cast(b.{{ column }} as string)) as strandline_text
    from {{ requests }} as b
),

known_requests as (
    select
        b.*,
        case
            when b.strandline_text rlike '{{ strandline._pattern_form() }}'
                then substring_index(left(b.strandline_text, 19), '*', 1)
        end as strandline_known
    from spelled_requests as b
),

completed_requests as (
    select
        b.*,
        concat(b.strandline_known, substr('0001-01-01 00:00:00', length(b.strandline_known) + 1)) as strandline_first
    from known_requests as b
),

timed_requests as (
    select
        b.*,
        {{ strandline._civil_instant('b.strandline_first', 'b.strandline_text') }} as strandline_start,
        case length(b.strandline_known)
            when 4 + 1 then 86400 * dayofyear(try_cast(concat(left(b.strandline_first, 4), '-12-31') as date))
            when 7 + 1 then 86400 * day(last_day(try_cast(left(b.strandline_first, 10) as date)))
            when 10 + 1 then 86400
            when 13 + 1 then 3600
            when 16 + 1 then 60
            when 19 then 1
        end as strandline_length
    from completed_requests as b
),

bounded_requests as (
    select
        b.*,
        timestamp_seconds(unix_seconds(b.strandline_start) + b.strandline_length) as strandline_end
    from timed_requests as b
)
{%- endmacro %}

{#- The requests, each with what its columns mean and, in `strandline_error`, every reason why it cannot
    be answered. Nothing here raises: a value that means nothing is null, and named as a fault. -#}
{% macro _join_requests(join) -%}
    {%- set requests = '(select * from ' ~ join.requests ~ ')' -%}
with {{ strandline._pattern_requests(join.within.pattern.column, requests) if join.within.pattern
    else strandline._pair_requests(join.within, requests) }},

read_requests as (
    select
        b.*
        {%- if join.per_column %},
        {{ strandline._request_duration('b.' ~ join.per_column, join.definition.durations) }} as strandline_per
        {%- endif %}
    from bounded_requests as b
),

judged_requests as (
    select
        b.*,
        nullif(concat_ws(
            '; '
            {%- for fault in strandline._request_faults(join) %},
            {{ fault }}
            {%- endfor %}
        ), '') as strandline_error
    from read_requests as b
)
{%- endmacro %}

{#- The rows of an aggregation that match each row of a table of requests: a whole query, the same
    for every way in which `within` and `per` are given. See _macros.yml. -#}
{% macro aggregation_join(definition, requests, within, per, select, on=none) %}
    {%- do strandline._check_definition(definition, 'aggregation_join') -%}
    {%- set who = "aggregation_join of '" ~ definition.name ~ "'" -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'definition': [definition, ''],
        'requests': [requests, "hand in a relation: ref('requests') or source('shop', 'requests')"],
        'within': [within, "write a pair such as ['b.start_time', 'b.end_time'] or a pattern "
            ~ "such as '2018-01-** **:**:**'"],
        'per': [per, "write 'b.granularity', or one of "
            ~ strandline._choices(definition.durations)],
        'select': [select, "write a list such as ['a.symbol', 'a.total', 'b.request_id']"],
    }, ['on']) -%}
    {%- set join = strandline._join_definition(definition, requests, within, per, select, on) -%}
    {%- set is_judged = join.within.columns or join.per_column -%}
    {%- if is_judged -%}
{{ strandline._join_requests(join) }}

{% endif -%}
    {%- for duration in join.durations -%}
        {{- '\n\nunion all\n\n' if not loop.first -}}
{{ strandline._join_rows(join, duration, 'judged_requests' if is_judged else none) }}
    {%- endfor -%}
    {%- if is_judged %}

union all

select
    {%- for item in join.select %}
    {{ 'null' if item.is_of_a else item.sql }} as {{ item.name }},
    {%- endfor %}
    b.strandline_error as request_error
from judged_requests as b
where b.strandline_error is not null
    {%- endif -%}
{% endmacro %}

{#- The requests, with the parsed values of their columns and, in `__error`, all reasons
    why a request cannot be answered. Nothing fails here: an invalid value is null and adds a
    fault. -#}
{% macro _join_requests(join) -%}
    {%- set requests = '(select * from ' ~ join.requests ~ ')' -%}
with {{ strandline._pattern_requests(join.within.pattern.column, requests) if join.within.pattern
    else strandline._pair_requests(join.within, requests) }},

__read_requests as (
    select
        b.*
        {%- if join.per_column %},
        {{ strandline._request_duration('b.' ~ strandline._quoted(join.per_column),
            join.definition.durations) }} as __per
        {%- endif %}
    from __bounded_requests as b
),

__checked_requests as (
    select
        b.*,
        nullif(concat_ws(
            '; '
            {%- for fault in strandline._request_faults(join) %},
            {{ fault }}
            {%- endfor %}
        ), '') as __error
    from __read_requests as b
)
{%- endmacro %}

{#- The two bounds of `within` of each request, as TIMESTAMPs; null for a value that is not an
    instant. -#}
{% macro _pair_requests(within, requests) -%}
__text_requests as (
    select
        b.*
        {%- for name in ['start', 'end'] if within[name].kind in ['text', 'unknown'] %},
        trim(cast(b.{{ strandline._quoted(within[name].column) }} as string)) as __{{ name }}_text
        {%- endfor %}
    from {{ requests }} as b
),

__bounded_requests as (
    select
        b.*
        {%- for name in ['start', 'end'] %},
        {{ strandline._request_instant(within[name], 'b.__' ~ name ~ '_text') }}
            as __{{ name }}
        {%- endfor %}
    from __text_requests as b
)
{%- endmacro %}

{#- The bounds of each request's pattern: `_pattern_bounds` for values that are known only when the
    query runs. The text before the first asterisk (`__prefix`) is completed to the first
    instant, and its length gives the unit. -#}
{% macro _pattern_requests(column, requests) -%}
__text_requests as (
    select
        b.*,
        trim(cast(b.{{ strandline._quoted(column) }} as string)) as __text
    from {{ requests }} as b
),

__prefix_requests as (
    select
        b.*,
        case
            when b.__text rlike '{{ strandline._pattern_form() }}'
                then substring_index(left(b.__text, 19), '*', 1)
        end as __prefix
    from __text_requests as b
),

__completed_requests as (
    select
        b.*,
        concat(b.__prefix, substr('0001-01-01 00:00:00', length(b.__prefix) + 1))
            as __first
    from __prefix_requests as b
),

__timed_requests as (
    select
        b.*,
        {{ strandline._civil_instant('b.__first',
            strandline._text_offset('b.__text')) }} as __start,
        case length(b.__prefix)
            when 4 + 1 then 86400 * dayofyear(try_cast(concat(left(b.__first, 4), '-12-31')
                as date))
            when 7 + 1 then 86400 * day(last_day(try_cast(left(b.__first, 10) as date)))
            when 10 + 1 then 86400
            when 13 + 1 then 3600
            when 16 + 1 then 60
            when 19 then 1
        end as __length
    from __completed_requests as b
),

__bounded_requests as (
    select
        b.*,
        timestamp_seconds(unix_seconds(b.__start) + b.__length) as __end
    from __timed_requests as b
)
{%- endmacro %}

{#- The duration of a request, if it is one of the definition's; otherwise null. -#}
{% macro _request_duration(column, durations) -%}
case
        {%- for duration in strandline._durations() if duration.name in durations %}
            when lower(trim(cast({{ column }} as string)))
                in ('{{ duration.spellings | join("', '") }}') then '{{ duration.name }}'
        {%- endfor %}
        end
{%- endmacro %}

{#- One bound of `within` of a request, as a TIMESTAMP; null if it is not an instant. `text` is the
    column's value as text. -#}
{% macro _request_instant(side, text) -%}
    {%- if side.kind == 'constant' -%}
timestamp_millis({{ side.millis }})
    {%- elif side.kind == 'timestamp' -%}
b.{{ strandline._quoted(side.column) }}
    {%- elif side.kind == 'millis' -%}
{{ strandline._millis_instant('b.' ~ strandline._quoted(side.column)) }}
    {%- elif side.kind == 'text' -%}
{{ strandline._text_instant(text) }}
    {%- else -%}
if(typeof(b.{{ strandline._quoted(side.column) }}) = 'timestamp',
    try_cast(b.{{ strandline._quoted(side.column) }} as timestamp),
    {{ strandline._text_instant(text) }})
    {%- endif -%}
{%- endmacro %}

{#- The possible faults of a request, each as an expression that gives the fault's text or null. A
    fault names the column, the given value and the allowed values. No text depends on the session's
    time zone. -#}
{% macro _request_faults(join) %}
    {%- set faults = [] -%}
    {%- set within, per = join.within, join.per_column -%}
    {%- set allowed = {
        'pattern': 'is not a time range: write yyyy-**-** **:**:** to yyyy-MM-dd HH:mm:ss, '
            ~ 'asterisks on the right, and +HH:MM if not GMT',
        'millis': 'is not an instant: write Unix milliseconds of a year from 1 to 9999',
        'text': 'is not an instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM] or Unix milliseconds',
    } -%}
    {%- for name in ['pattern', 'start', 'end'] if within[name] and within[name].column -%}
        {%- set side = within[name] -%}
        {%- set form = 'pattern' if name == 'pattern' else 'millis' if side.kind == 'millis'
            else 'text' -%}
        {%- do faults.append(strandline._request_fault(
            side.column, '__' ~ ('start' if name == 'pattern' else name),
            allowed[form])) -%}
    {%- endfor -%}
    {%- if within.columns and not within.pattern -%}
        {%- set start, end = strandline._bound_text(within.start),
            strandline._bound_text(within.end) -%}
        {%- do faults.append("case when b.__start >= b.__end then concat("
            ~ start ~ ", ' is not before ', " ~ end ~ ") end") -%}
    {%- endif -%}
    {%- if per -%}
        {%- do faults.append(strandline._request_fault(per, '__per',
            'is not a duration of ' ~ join.definition.name
            ~ ', which has ' ~ strandline._choices(join.definition.durations))) -%}
    {%- endif -%}
    {{- return(faults) -}}
{% endmacro %}

{#- The fault of one column of the request: null, or an invalid value (`parsed` is null). -#}
{% macro _request_fault(column, parsed, form) -%}
case
                when b.{{ strandline._quoted(column) }} is null
                    then {{ strandline._literal(column ~ ' is null') }}
                when b.{{ parsed }} is null then concat({{ strandline._literal(column ~ " '") }},
                    cast(b.{{ strandline._quoted(column) }} as string),
                    {{ strandline._literal("' " ~ form) }})
            end
{%- endmacro %}

{#- One bound of `within` in a fault: the column and its value, or the constant. The value of a
    timestamp is omitted, because its text would depend on the session's time zone. -#}
{% macro _bound_text(side) %}
    {%- if side.kind == 'constant' -%}{{- return(strandline._literal(side.millis)) -}}{%- endif -%}
    {%- if side.kind in ['timestamp', 'unknown'] -%}
        {{- return(strandline._literal(side.column)) -}}
    {%- endif -%}
    {{- return(strandline._literal(side.column ~ " '") ~ ", cast(b."
        ~ strandline._quoted(side.column) ~ " as string), char(39)") -}}
{% endmacro %}

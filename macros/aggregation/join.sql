{#- The rows of an aggregation that match each row of a table of requests: a whole query, with the
    same columns for all forms of `within` and `per`. See _macros.yml. -#}
{% macro aggregation_join(definition, requests, within, per, select, on=none) %}
    {%- do strandline._check_definition(definition, 'aggregation_join') -%}
    {%- set read = strandline._arguments("aggregation_join of '" ~ definition.name ~ "'", kwargs,
        varargs, {
        'definition': ['any', definition],
        'requests': ['relation', requests,
            "pass a relation: ref('requests') or source('shop', 'requests')"],
        'within': ['any', within, "write a pair such as ['b.start_time', 'b.end_time'] or a "
            ~ "pattern such as '2018-01-** **:**:**'"],
        'per': ['any', per,
            "write 'b.granularity', or one of " ~ strandline._choices(definition.durations)],
        'select': ['any', select, "write a list such as ['a.symbol', 'a.total', 'b.request_id']"],
        'on': ['expression', on, "write one SQL condition over a and b, such as 'b.symbol = "
            ~ "a.symbol', or leave it out", {'optional': true}],
    }) -%}
    {%- set join = strandline._join_definition(definition, read) -%}
    {%- set is_checked = join.within.columns or join.per_column -%}
    {%- if is_checked -%}
{{ strandline._join_requests(join) }}

{% endif -%}
    {%- for duration in join.durations -%}
        {{- '\n\nunion all\n\n' if not loop.first -}}
{{ strandline._join_rows(join, duration, '__checked_requests' if is_checked else none) }}
    {%- endfor -%}
    {%- if is_checked %}

union all

select
    {%- for item in join.select %}
    {{ 'null' if item.uses_aggregation else item.sql }} as {{ strandline._quoted(item.name) }},
    {%- endfor %}
    b.__error as request_error
from __checked_requests as b
where b.__error is not null
    {%- endif -%}
{% endmacro %}

{#- What was read of the arguments of a join. Raises one error for all faults, except for constants
    in `within` and `per`, which are checked by the macros that read them. -#}
{% macro _join_definition(definition, read) %}
    {%- set faults, requests, types, on = read.faults, read.requests, read.types.requests,
        read.on -%}
    {%- set sides = strandline._join_within(read.within, types, requests, faults) -%}
    {%- set per_column = strandline._request_column(read.per) -%}
    {%- set items = strandline._join_select(read.select, definition, faults) -%}
    {%- set texts = [['on', on or ''],
        ['per', 'b.' ~ strandline._quoted(per_column) if per_column else '']] -%}
    {%- for item in items -%}{%- do texts.append(['select', item.sql]) -%}{%- endfor -%}
    {%- for column in sides.columns -%}
        {%- do texts.append(['within', 'b.' ~ strandline._quoted(column)]) -%}
    {%- endfor -%}
    {%- do strandline._check_join_columns(texts, definition, types, requests, faults) -%}
    {%- do strandline._refuse(read.who, faults) -%}

    {%- if not sides.columns -%}
        {%- set bounds = strandline._within_bounds(read.within, read.who) -%}
        {%- do sides.update({
            'start': {'column': none, 'kind': 'constant', 'millis': bounds[0]},
            'end': {'column': none, 'kind': 'constant', 'millis': bounds[1]},
            'pattern': none,
        }) -%}
    {%- endif -%}
    {%- set durations = definition.durations if per_column
        else [strandline._defined_duration(definition, read.per, read.who).name] -%}
    {{- return({
        'definition': definition, 'requests': requests, 'within': sides, 'per_column': per_column,
        'durations': durations, 'select': items, 'on': on,
    }) -}}
{% endmacro %}

{#- Reads `within` of a join. `start` and `end` each have a column of the request with the form of
    its values, or Unix milliseconds; `pattern` has the single column that gives both. `columns` are
    the named columns. Without any, `within` is a constant and is read by `_within_bounds`. -#}
{% macro _join_within(within, types, requests, faults) %}
    {%- set sides = {'columns': [], 'start': none, 'end': none, 'pattern': none} -%}
    {%- set is_pair = within is sequence and within is not string and within is not mapping
        and within | length == 2 -%}
    {%- set unreadable = [] -%}
    {%- for value in (within if is_pair else [within]) -%}
        {%- set column = strandline._request_column(value) -%}
        {%- if column -%}
            {%- set side = {'column': column,
                'kind': strandline._instant_kind(types.get(column | lower)), 'millis': none} -%}
            {%- do sides.columns.append(column) -%}
            {%- if side.kind is none or (not is_pair and side.kind not in ['text', 'unknown']) -%}
                {%- do faults.append("`within` names the column '" ~ column ~ "' of "
                    ~ requests.identifier ~ ", which is "
                    ~ types[column | lower] | upper ~ "; "
                    ~ ("an instant is a STRING, a BIGINT of Unix milliseconds or a TIMESTAMP"
                    if is_pair else "one column alone is a STRING that holds a pattern such as "
                    ~ "2018-01-** **:**:**; otherwise write a pair")) -%}
            {%- endif -%}
        {%- else -%}
            {%- set side = {'column': none, 'kind': 'constant',
                'millis': strandline._instant_millis(value)} -%}
            {%- if value is string and modules.re.match('^[A-Za-z_][\\w.]*$', value) -%}
                {%- do faults.append("`within` has '" ~ value
                    ~ "'; a column of the request is written 'b." ~ value.split('.')[-1] ~ "'") -%}
            {%- elif side.millis is none -%}
                {%- do unreadable.append("`within` has '" ~ value
                    ~ "', which is not an instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM], Unix "
                    ~ "milliseconds or a column such as 'b.start_time'") -%}
            {%- endif -%}
        {%- endif -%}
        {%- set place = 'pattern' if not is_pair else 'start' if loop.first else 'end' -%}
        {%- do sides.update({place: side}) -%}
    {%- endfor -%}
    {%- if sides.columns -%}{%- do faults.extend(unreadable) -%}{%- endif -%}
    {{- return(sides) -}}
{% endmacro %}

{#- The form of instants in a column of a type: `text`, `millis` or `timestamp`. `unknown` if the
    type could not be read, none if the type has no instants. A timestamp without a time zone has
    none. -#}
{% macro _instant_kind(type) %}
    {%- if not type -%}{{- return('unknown') -}}{%- endif -%}
    {%- if modules.re.match('(string|varchar|char)\\b', type) -%}{{- return('text') -}}{%- endif -%}
    {{- return({'bigint': 'millis', 'int': 'millis', 'timestamp': 'timestamp'}.get(type)) -}}
{% endmacro %}

{#- The column in `b.<column>`; none for any other text, which is a constant. -#}
{% macro _request_column(value) %}
    {%- set read = modules.re.match('^\\s*[bB]\\.(?:([A-Za-z_]\\w*)|`((?:[^`]|``)+)`)\\s*$',
        value | string) -%}
    {{- return(none if not read or value is not string
        else read.group(1) or read.group(2).replace('``', '`')) -}}
{% endmacro %}

{#- Reads `select` of a join: each item with its name, its SQL, and whether it uses the aggregation;
    if so, it is null for a request that cannot be answered. -#}
{% macro _join_select(select, definition, faults) %}
    {%- if select is not sequence or select is string or select is mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select
            ~ "'; write a list such as ['a.symbol', 'a.total', 'b.request_id']") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set own = [] -%}
    {%- for name in strandline._retrieved_columns(definition) -%}
        {%- do own.append(modules.re.escape(name.replace('`', '``'))) -%}
    {%- endfor -%}
    {%- set items = [] -%}
    {%- for text in select | map('string') | map('trim') -%}
        {%- set column = modules.re.match('(?i)^([ab])\\.(?:(\\w+)|`((?:[^`]|``)+)`)$', text) -%}
        {%- set named = modules.re.match(
            '(?is)^(.*\\S)\\s+as\\s+(?:([a-z_]\\w*)|`((?:[^`]|``)+)`)$', text) -%}
        {%- if column -%}
            {%- set sql = text -%}
            {%- set name = column.group(2) or column.group(3).replace('``', '`') -%}
        {%- elif text | lower in ['agg_timestamp', 'agg_timezone'] -%}
            {%- set sql, name = 'a.' ~ text | lower, text | lower -%}
        {%- elif named and strandline._is_balanced(named.group(1)) -%}
            {%- set sql = named.group(1) -%}
            {%- set name = named.group(2) or named.group(3).replace('``', '`') -%}
        {%- else -%}
            {%- set sql, name = none, none -%}
            {%- do faults.append("`select` has '" ~ text
                ~ "'; write a column, such as 'a.total' or 'b.symbol', or an expression with a "
                ~ "name, such as 'a.total * 2 as twice'") -%}
        {%- endif -%}
        {%- if sql -%}
            {%- if name | lower in items | map(attribute='name') | map('lower') | list
                + ['request_error'] -%}
                {%- do faults.append("`select` names '" ~ name
                    ~ "' twice; give one of them another name, such as '"
                    ~ sql ~ " as other_" ~ name ~ "' (request_error is the last column "
                    ~ "already)") -%}
            {%- endif -%}
            {%- set uses_aggregation = '(?i)(?<![\\w.`])`?(a`?\\.|(' ~ own | join('|')
                ~ ')(?![\\w.(]))' -%}
            {%- do items.append({'sql': sql, 'name': name,
                'uses_aggregation': modules.re.search(uses_aggregation,
                    strandline._without_quotes(sql)) is not none}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(items) -}}
{% endmacro %}

{#- Appends a fault for each `a.x` that is not a column of the aggregation and each `b.x` that is
    not one of the requests. `texts` are pairs of the argument's name and an SQL text. -#}
{% macro _check_join_columns(texts, definition, types, requests, faults) %}
    {%- set columns = {'a': strandline._retrieved_columns(definition), 'b': types.keys() | list} -%}
    {%- set owner = {'a': definition.name, 'b': requests.identifier} -%}
    {%- set reference = '(?i)(?<![\\w.`])`?([ab])`?\\s*\\.\\s*(?:(\\w+|\\*)|`((?:[^`]|``)+)`)' -%}
    {%- for argument, text in texts if text is string -%}
        {%- for alias, plain, quoted in modules.re.findall(reference,
            strandline._without_quotes(text)) -%}
            {%- set side, column = alias | lower, plain or quoted.replace('``', '`') -%}
            {%- if columns[side] and column | lower not in columns[side] | map('lower') -%}
                {%- set fault = "`" ~ argument ~ "` names '" ~ side ~ "." ~ column
                    ~ "', which is not a column of "
                    ~ owner[side] ~ "; it has " ~ strandline._choices(columns[side])
                    ~ strandline._nearest(column, columns[side]) -%}
                {%- if fault not in faults -%}{%- do faults.append(fault) -%}{%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

{#- The columns of a retrieval: the bucket, the keys, the outputs. -#}
{% macro _retrieved_columns(definition) %}
    {{- return(['agg_timestamp', 'agg_timezone'] + definition['keys']
        + definition.outputs | map(attribute='name') | list) -}}
{% endmacro %}

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
        {%- for name in durations %}
            {%- set duration = strandline._duration(name) %}
            when lower(trim(cast({{ column }} as string)))
                in ('{{ duration.spellings | join("', '") }}') then '{{ name }}'
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

{#- The answers of one duration: the rows of that table joined to its valid requests. Constant
    bounds are filters of the table, by which Delta skips files. Bounds from the requests are join
    conditions, and filters on the partitions of the table. `checked` is none if no request can be
    invalid. -#}
{% macro _join_rows(join, duration, checked=none) %}
    {%- set filters, conditions = [], [] -%}
    {%- for side, operator in [('start', '>='), ('end', '<')] -%}
        {%- set bound = join.within[side] -%}
        {%- if bound and bound.kind == 'constant' -%}
            {%- do filters.append('agg_timestamp ' ~ operator ~ ' timestamp_millis(' ~ bound.millis
                ~ ')') -%}
        {%- else -%}
            {%- do filters.append(strandline._requested_partitions(join, duration, side,
                checked)) -%}
            {%- do conditions.append('a.agg_timestamp ' ~ operator ~ ' b.__' ~ side) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if join.on -%}{%- do conditions.append('(' ~ join.on ~ ')') -%}{%- endif -%}
select
    {%- for item in join.select %}
    {{ item.sql }} as {{ strandline._quoted(item.name) }},
    {%- endfor %}
    cast(null as string) as request_error
from {{ checked or '(select * from ' ~ join.requests ~ ')' }} as b
{{ 'inner' if conditions else 'cross' }} join (
    {{ strandline._retrieved_rows(join.definition, duration, filters) }}
) as a
    {%- for condition in conditions %}
    {{ 'on' if loop.first else 'and' }} {{ condition }}
    {%- endfor %}
    {%- if checked %}
where {{ strandline._valid_requests(join, duration) }}
    {%- endif %}
{%- endmacro %}

{#- A filter on the partition column: no partition after the last that the valid requests need, and
    none of the years before the first. Spark computes it before it reads the table, and so skips
    other files. How wide the partitions are may change while a view with this query stays, so it
    is right for each width: a week can begin seven days before its year, and an hour a day after
    its date. By the bound of time itself Spark skips the row groups of the files that are left. -#}
{% macro _requested_partitions(join, duration, side, requests) -%}
    {%- set bound = 'min(b.__start)' if side == 'start' else 'max(b.__end)' -%}
    {%- set operator = '>=' if side == 'start' else '<=' -%}
    {%- set day = strandline._local_day(strandline._local('bound', join.definition.time_zone)) -%}
agg_partition {{ operator }} (
            select {{ "date_from_unix_date(unix_date(trunc(date_from_unix_date(" ~ day
                ~ "), 'year')) - 8)" if side == 'start' else "date_from_unix_date(" ~ day
                ~ " + 3)" }}
            from (
                select {{ bound }} as bound
                from {{ requests }} as b
                where {{ strandline._valid_requests(join, duration) }}
            )
        )
        and agg_timestamp {{ operator }} (
            select {{ bound }}
            from {{ requests }} as b
            where {{ strandline._valid_requests(join, duration) }}
        )
{%- endmacro %}

{#- Whether a request is valid and reads the table of this duration. -#}
{% macro _valid_requests(join, duration) -%}
b.__error is null
{%- if join.per_column %} and b.__per = '{{ duration }}'{% endif -%}
{%- endmacro %}

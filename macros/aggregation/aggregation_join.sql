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

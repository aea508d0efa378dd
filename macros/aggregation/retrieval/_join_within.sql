{#- Reads the `within` of a join. `start` and `end` each hold a column of the request with the kind of
    its values, or Unix milliseconds; `pattern` holds the one column that says both. `columns` are
    the columns that are named; without any, `within` is a constant and left to `_within_bounds`. -#}
{% macro _join_within(within, types, requests, faults) %}
    {%- set sides = {'columns': [], 'start': none, 'end': none, 'pattern': none} -%}
    {%- set is_pair = within is sequence and within is not string and within is not mapping and within | length == 2 -%}
    {%- set unreadable = [] -%}
    {%- for value in (within if is_pair else [within]) -%}
        {%- set column = strandline._request_column(value) -%}
        {%- if column -%}
            {%- set side = {'column': column, 'kind': strandline._instant_kind(types.get(column | lower)), 'millis': none} -%}
            {%- do sides.columns.append(column) -%}
            {%- if side.kind is none or (not is_pair and side.kind not in ['text', 'unknown']) -%}
                {%- do faults.append("`within` names the column '" ~ column ~ "' of " ~ requests.identifier ~ ", which is "
                    ~ types[column | lower] | upper ~ "; " ~ ("an instant is a STRING, a BIGINT of Unix milliseconds or a TIMESTAMP" if is_pair
                    else "one column alone is a STRING that holds a pattern such as 2018-01-** **:**:**; otherwise write a pair")) -%}
            {%- endif -%}
        {%- else -%}
            {%- set side = {'column': none, 'kind': 'constant', 'millis': strandline._instant_millis(value)} -%}
            {%- if value is string and modules.re.match('^[A-Za-z_][\\w.]*$', value) -%}
                {%- do faults.append("`within` has '" ~ value ~ "'; a column of the request is written 'b." ~ value.split('.')[-1] ~ "'") -%}
            {%- elif side.millis is none -%}
                {%- do unreadable.append("`within` has '" ~ value ~ "', which is no instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM], "
                    ~ "Unix milliseconds or a column such as 'b.start_time'") -%}
            {%- endif -%}
        {%- endif -%}
        {%- do sides.update({'pattern' if not is_pair else 'start' if loop.first else 'end': side}) -%}
    {%- endfor -%}
    {%- if sides.columns -%}{%- do faults.extend(unreadable) -%}{%- endif -%}
    {{- return(sides) -}}
{% endmacro %}

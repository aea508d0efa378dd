{#- The body of an incremental model of patterns over several windows. See _macros.yml. -#}
{% macro correlation_table(streams, when, select, where=none) %}
    {%- set who = 'correlation_table' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- if kwargs.not_after is defined -%}
        {%- do strandline._refuse(who, ["there is no argument `not_after`: a correlation has the "
            ~ "earliest clock of its windows; write window_table(…, not_after=…) for each of "
            ~ "them"]) -%}
    {%- endif -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'streams': [streams, "write {'one': {'window': ref('stage_1_window'), 'on': 'id'}, …}"],
        'when': [when, "write a list of patterns, such as ['one and not two']"],
        'select': [select, "write a mapping of names to expressions, such as "
            ~ "{'stage_1_id': 'one.event_id'}"],
    }, ['where']) -%}
    {%- set faults = [] -%}
    {%- set upstream = {} -%}
    {%- set read = strandline._read_streams(streams, upstream, faults) -%}
    {%- set aliases = read | map(attribute='alias') | list -%}
    {%- set selected = strandline._read_correlated(select, aliases, faults) -%}
    {%- do strandline._check_correlated_where(where, selected, aliases, faults) -%}
    {%- set task = {'kind': 'correlation', 'upstream': upstream, 'streams': read, 'where': where,
        'patterns': strandline._read_patterns(when, aliases, faults) if aliases else [],
        'select': selected} -%}
    {%- do strandline._refuse(who, faults) -%}
    {{- config(materialized='strandline_correlation', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {%- do strandline._check_streams(task, streams, who) -%}
        {{- strandline._task_line(task) }}
{%- for window in upstream.values() %}
{{ 'union all' if not loop.first }}
select 1 from {{ window }}
{%- endfor -%}
    {%- endif -%}
{% endmacro %}

{#- Reads `streams`: a list of alias, the name of its window, and the column of the id; and the
    windows themselves into `upstream`. -#}
{% macro _read_streams(streams, upstream, faults) %}
    {%- set read = [] -%}
    {%- set allowed = "write a mapping of up to 60 aliases, such as {'one': {'window': "
        ~ "ref('stage_1_window'), 'on': 'event_id'}, 'two': …}" -%}
    {%- if streams is not mapping or not streams or streams | length > 60 -%}
        {%- do faults.append("`streams` is '" ~ streams ~ "'; " ~ allowed) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for alias, given in streams.items() -%}
        {%- if not strandline._is_identifier(alias) or alias.startswith('__')
            or alias | lower in strandline._window_columns() + strandline._correlation_columns()
            or alias | lower in ['and', 'or', 'not'] -%}
            {%- do faults.append("`streams` has the alias '" ~ alias ~ "'; write a plain name that "
                ~ "is not a column of the table, not `and`, `or` or `not`, and does not begin "
                ~ "with two underscores") -%}
        {%- elif given is not mapping or given | list | sort != ['on', 'window']
            or given.window is string or not given.window
            or not strandline._is_column_name(given.on) -%}
            {%- do faults.append("`streams` has " ~ alias ~ " = '" ~ given ~ "'; give a `window`, "
                ~ "a relation such as ref('stage_1_window'), and `on`, the column of the id") -%}
        {%- else -%}
            {%- do upstream.update({alias | lower: given.window | string}) -%}
            {%- do read.append({'alias': alias | lower, 'name': given.window.identifier,
                'on': given.on | lower}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of a correlation beside those of every window. -#}
{% macro _correlation_columns() %}
    {{- return(['correlation_id', 'pattern']) -}}
{% endmacro %}

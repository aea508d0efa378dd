{#- The body of an incremental model of patterns over several windows. See _macros.yml. -#}
{% macro correlation_table(streams, when, select, where=none) %}
    {%- set who = strandline._caller('correlation_table') -%}
    {%- if kwargs.not_after is defined -%}
        {%- do strandline._refuse(who, ["there is no argument `not_after`: a correlation has the "
            ~ "earliest clock of its windows; write window_table(…, not_after=…) for each of "
            ~ "them"]) -%}
    {%- endif -%}
    {%- set read = strandline._arguments(who, kwargs, varargs, {
        'streams': ['any', streams,
            "write {'one': {'window': ref('stage_1_window'), 'on': 'id'}, …}"],
        'when': ['any', when, "write a list of patterns, such as ['one and not two']"],
        'select': ['any', select, "write a mapping of names to expressions, such as "
            ~ "{'stage_1_id': 'one.event_id'}"],
        'where': ['text', where, "write a condition over the names of `select`, such as "
            ~ "'priority < 7.5', or leave it out", {'optional': true}],
    }) -%}
    {%- set task = strandline._correlation_task(read) -%}
    {%- do strandline._refuse(who, read.faults) -%}
    {{- config(materialized='strandline_correlation', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
{%- for window in task.upstream.values() %}
{{ 'union all' if not loop.first }}
select 1 from {{ window }}
{%- endfor -%}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know, as plain data. Appends faults. -#}
{% macro _correlation_task(read) %}
    {%- set faults = read.faults -%}
    {%- set streams = strandline._read_streams(read.streams, faults) -%}
    {%- set aliases = streams | map(attribute='alias') | list -%}
    {%- set select = strandline._read_correlated(read.select, aliases, faults) -%}
    {%- if read.where is string -%}
        {%- do strandline._check_correlated_where(read.where, select, aliases, faults) -%}
    {%- endif -%}
    {%- set upstream, carried = {}, [] -%}
    {%- for stream in streams -%}
        {%- do upstream.update({stream.alias: stream.window | string}) -%}
        {%- do carried.append({'alias': stream.alias, 'name': stream.window.identifier,
            'on': stream.on, 'columns': strandline._read_columns(select, stream.alias)}) -%}
    {%- endfor -%}
    {%- if execute -%}
        {%- do strandline._check_streams(streams, carried, faults) -%}
    {%- endif -%}
    {{- return({'kind': 'correlation', 'upstream': upstream, 'streams': carried,
        'where': read.where, 'select': select,
        'patterns': strandline._read_patterns(read.when, aliases, faults) if aliases else []}) -}}
{% endmacro %}

{#- Reads `streams`: a list of alias, window, and the column of the id. -#}
{% macro _read_streams(streams, faults) %}
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
            or not strandline._is_relation(given.window)
            or not strandline._is_column_name(given.on) -%}
            {%- do faults.append("`streams` has " ~ alias ~ " = '" ~ given ~ "'; give a `window`, "
                ~ "a relation such as ref('stage_1_window'), and `on`, the column of the id") -%}
        {%- else -%}
            {%- do read.append({'alias': alias | lower, 'window': given.window,
                'on': given.on | lower}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of a correlation beside those of every window. -#}
{% macro _correlation_columns() %}
    {{- return(['correlation_id', 'pattern']) -}}
{% endmacro %}

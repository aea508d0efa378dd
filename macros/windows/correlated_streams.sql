{#- Fails if a stream is no window, a column does not exist, or the ids have different types. Adds
    to each stream the `columns` that `select` reads of it. A window that does not exist yet is not
    checked. -#}
{% macro _check_streams(task, streams, who) %}
    {%- set faults, ids = [], {} -%}
    {%- for stream in task.streams -%}
        {%- set types = strandline._types_of((streams.values() | list)[loop.index0].window) -%}
        {%- set own = {} -%}
        {%- for column, type in types.items() if column not in strandline._window_columns() -%}
            {%- do own.update({column: type}) -%}
        {%- endfor -%}
        {%- if types and 'window_part' not in types -%}
            {%- do faults.append("`streams` has " ~ stream.alias ~ " over " ~ stream.name
                ~ ", which is not a window; take a window_table") -%}
        {%- elif types -%}
            {%- do strandline._check_stream_columns(task, stream, own, faults) -%}
            {%- do ids.update({stream.alias ~ '.' ~ stream.on: own.get(stream.on)}) -%}
        {%- endif -%}
        {%- do stream.update({'columns': strandline._read_columns(task, stream)}) -%}
    {%- endfor -%}
    {%- if ids.values() | reject('none') | unique | list | length > 1 -%}
        {%- set shown = [] -%}
        {%- for id, type in ids.items() -%}{%- do shown.append(id ~ ' is ' ~ type) -%}{%- endfor -%}
        {%- do faults.append("`streams` has ids of different types: " ~ shown | join(', ')
            ~ "; cast them to one type in a staging model") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
{% endmacro %}

{#- The columns of one stream that `select` reads. -#}
{% macro _read_columns(task, stream) %}
    {%- set columns = [] -%}
    {%- for output in task.select -%}
        {%- for alias, column in output.reads if alias == stream.alias -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(columns | unique | sort | list) -}}
{% endmacro %}

{#- Appends a fault for each column that the window of a stream does not have. -#}
{% macro _check_stream_columns(task, stream, own, faults) %}
    {%- set named = [['streams', stream.on]] -%}
    {%- for column in strandline._read_columns(task, stream) -%}
        {%- do named.append(['select', column]) -%}
    {%- endfor -%}
    {%- for argument, column in named if column not in own -%}
        {%- do faults.append(strandline._no_column(argument, column, {'identifier': stream.name},
            own)) -%}
    {%- endfor -%}
    {%- if 'map<' in own.get(stream.on, '') -%}
        {%- do faults.append("`streams` has " ~ stream.alias ~ " on " ~ stream.on ~ ", which is "
            ~ own[stream.on] ~ "; Spark does not compare maps") -%}
    {%- endif -%}
{% endmacro %}

{#- The CTE `stays`: the rows of all streams that are or were inside after the watermark, and what
    is stored of the ids that have such rows (stream -1). A cycle after the frontier has not
    happened yet. Files and months of rows that left before the watermark are skipped: Delta has
    statistics of `expelled.at`, and none of whether the struct is null. -#}
{% macro _correlated_stays(task, run) -%}
stays as (
    {%- for stream in task.streams %}
    {%- set place = loop.index0 %}
    {{ 'union all' if not loop.first }}
    select {{ stream.on }} as correlation_id, {{ place }} as stream, entry, exit, entered,
        if({{ strandline._is_until('expelled', run.now) }}, expelled, null) as expelled,
        {{ 'false' if run.watermark is none
            else strandline._is_until('entered', run.watermark) }} as was_inside,
        cast(null as {{ strandline._life_type() }}) as life
        {%- for other in task.streams if other.columns %},
        {{ strandline._stream_event(other) if other.alias == stream.alias else 'null' }}
            as {{ other.alias }}
        {%- endfor %}
    from {{ task.upstream[stream.alias] }}
    where row_kind = 'row' and {{ stream.on }} is not null
        and {{ strandline._is_until('entered', run.now) }}
        {%- if run.watermark is not none %}
        and (expelled is null or not {{ strandline._is_until('expelled', run.watermark) }})
        and (expelled.at is null or expelled.at >= timestamp_micros({{ run.watermark.clock }}))
        and window_part >= date_format(timestamp_micros({{ run.watermark.clock }}), 'yyyy-MM')
        {%- endif %}
    {%- endfor %}
    {%- if run.watermark is not none %}
    union all
    select correlation_id, -1, null, null, null, null, true, window_state
        {%- for other in task.streams if other.columns %}, null{% endfor %}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'life'
    {%- endif %}
)
{%- endmacro %}

{#- The columns of a stream's row that `select` reads, as one struct. -#}
{% macro _stream_event(stream) %}
    {%- set fields = [] -%}
    {%- for column in stream.columns -%}
        {%- do fields.append("'" ~ column ~ "', " ~ column) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ fields | join(', ') ~ ')') -}}
{% endmacro %}

{#- Whether a cycle is one of those up to a clock and an arrival number. -#}
{% macro _is_until(cycle, until) %}
    {%- set clock = "timestamp_micros(" ~ until.clock ~ ")" -%}
    {{- return('(' ~ cycle ~ '.at is null or ' ~ cycle ~ '.at < ' ~ clock ~ ' or (' ~ cycle
        ~ '.at = ' ~ clock ~ ' and (' ~ cycle ~ '.arrival is null or ' ~ cycle ~ '.arrival <= '
        ~ until.arrival ~ ')))') -}}
{% endmacro %}

{#- What is stored of an id between runs: whether a pattern has fired, and for each delayed pattern
    whether it is on the watch list (true), off it by an event of a `not` stream (false), or
    neither. -#}
{% macro _life_type() %}
    {{- return('struct<fired: boolean, watches: array<boolean>>') -}}
{% endmacro %}

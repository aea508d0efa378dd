{#- Appends a fault if a stream is no window, a column does not exist, or the ids have different
    types. `carried` are the streams with the columns that `select` reads. A window that does not
    exist yet is not checked. -#}
{% macro _check_streams(streams, carried, faults) %}
    {%- set ids = {} -%}
    {%- for stream in carried -%}
        {%- set window = streams[loop.index0].window -%}
        {%- set types = strandline._types_of(window) -%}
        {%- set own = {} -%}
        {%- for column, type in types.items() if column not in strandline._window_columns() -%}
            {%- do own.update({column: type}) -%}
        {%- endfor -%}
        {%- if types and 'window_part' not in types -%}
            {%- do faults.append("`streams` has " ~ stream.alias ~ " over " ~ stream.name
                ~ ", which is not a window; take a window_table") -%}
        {%- elif types -%}
            {%- do strandline._check_column('streams', stream.on, window, own,
                {'type': 'comparable'}, faults) -%}
            {%- for column in stream.columns -%}
                {%- do strandline._check_column('select', column, window, own, {}, faults) -%}
            {%- endfor -%}
            {%- do ids.update({stream.alias ~ '.' ~ stream.on: own.get(stream.on)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if ids.values() | reject('none') | unique | list | length > 1 -%}
        {%- set shown = [] -%}
        {%- for id, type in ids.items() -%}
            {%- do shown.append(id ~ ' is ' ~ type | upper) -%}
        {%- endfor -%}
        {%- do faults.append("`streams` has ids of different types: " ~ shown | join(', ')
            ~ "; cast them to one type in a staging model") -%}
    {%- endif -%}
{% endmacro %}

{#- The columns of one stream that `select` reads. -#}
{% macro _read_columns(select, stream) %}
    {%- set columns = [] -%}
    {%- for output in select -%}
        {%- for alias, column in output.reads if alias == stream -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(columns | unique | sort | list) -}}
{% endmacro %}

{#- The CTE `__stays`: the rows of all streams that are or were inside after the watermark, and
    what is stored of the ids that have such rows (stream -1). A cycle after the frontier has not
    happened yet. -#}
{% macro _correlated_stays(task, run) -%}
__stays as (
    {%- for stream in task.streams %}
    {%- set place = loop.index0 %}
    {{ 'union all' if not loop.first }}
    select {{ strandline._quoted(stream.on) }} as __id, {{ place }} as __stream,
        entry as __entry, exit as __exit, entered as __entered,
        if({{ strandline._is_until('expelled', run.now) }}, expelled, null) as __expelled,
        {{ 'false' if run.watermark is none
            else strandline._is_until('entered', run.watermark) }} as __was_inside,
        cast(null as {{ strandline._life_type() }}) as __life
        {%- for other in task.streams if other.columns %},
        {{ strandline._stream_event(other) if other.alias == stream.alias else 'null' }}
            as {{ strandline._quoted(other.alias) }}
        {%- endfor %}
    from {{ task.upstream[stream.alias] }}
    where row_kind = 'row' and {{ strandline._quoted(stream.on) }} is not null
        and {{ strandline._is_until('entered', run.now) }}
        {{- strandline._is_inside_after(run.watermark, place in run.correlations) }}
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

{#- The conditions, after others, that a row of a stream is or was inside after the watermark. Files
    and months of rows that left before are skipped: Delta has statistics of `expelled.at`, and none
    of whether the struct is null.

    The partition of a row is the month in which it left. The bound is two days earlier, because the
    session that wrote the row may have had another time zone; and the month of a year with more
    than four digits begins with a sign. The rows of a correlation never leave: their partition is
    the month in which they entered, so none may be skipped. -#}
{% macro _is_inside_after(watermark, is_correlation) %}
    {%- if watermark is none -%}{{- return('') -}}{%- endif -%}
    {%- set clock = 'timestamp_micros(' ~ watermark.clock ~ ')' -%}
    {%- set conditions = ['',
        '(expelled is null or not ' ~ strandline._is_until('expelled', watermark) ~ ')',
        '(expelled.at is null or expelled.at >= ' ~ clock ~ ')'] -%}
    {%- if not is_correlation -%}
        {%- do conditions.append("(window_part >= date_format(" ~ clock
            ~ " - interval 2 days, 'yyyy-MM') or window_part < '0')") -%}
    {%- endif -%}
    {{- return(conditions | join('\n        and ')) -}}
{% endmacro %}

{#- The columns of a stream's row that `select` reads, as one struct. -#}
{% macro _stream_event(stream) %}
    {%- set fields = [] -%}
    {%- for column in stream.columns -%}
        {%- set name = strandline._quoted(column) -%}
        {%- do fields.append(name ~ ' as ' ~ name) -%}
    {%- endfor -%}
    {{- return('struct(' ~ fields | join(', ') ~ ')') -}}
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

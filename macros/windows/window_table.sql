{#- The body of an incremental model of a window: a table of stays. See _macros.yml. -#}
{% macro window_table(source, store, ts=none, arrival=none, keys=[], where=none, aggregates=none,
    pinned=false, update_group=none, clock=none, weight=none, every=none, not_after=none) %}
    {%- set comparable = {'type': 'comparable', 'reserved': {'names': strandline._window_columns(),
        'why': 'which is the name of a column of every window'}} -%}
    {%- set read = strandline._arguments(strandline._caller('window_table'), kwargs, varargs, {
        'source': ['relation', source,
            "pass a relation: ref('request_events'), or another window_table"],
        'store': ['any', store, "write one of: " ~ strandline._grammar()],
        'ts': ['column', ts, none, {'optional': true, 'type': 'timestamp'}],
        'arrival': ['column', arrival, none, {'optional': true, 'type': 'whole'}],
        'keys': ['columns', keys, "write a list of columns, such as ['src_ip'], or [] for one "
            ~ "window", comparable],
        'where': ['any', where],
        'aggregates': ['any', aggregates],
        'pinned': ['flag', pinned],
        'update_group': ['columns', update_group, "write a list of columns, such as ['sku'], or "
            ~ "leave it out", dict(comparable, optional=true)],
        'clock': ['column', clock, none, {'optional': true, 'type': 'timestamp'}],
        'weight': ['any', weight],
        'every': ['length', every, "write a length of time such as '10 seconds'",
            {'optional': true}],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
    }) -%}
    {%- set task = strandline._window_task(read) -%}
    {%- set known = strandline._event_columns(task, read) -%}
    {%- set task = dict(task, **strandline._carried(task, known)) -%}
    {%- do strandline._check_window(task, read, known) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- config(materialized='strandline_window', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
select {{ strandline._all_quoted((task.columns
    + ([] if task.status else [task.ts, task.arrival])) | unique) | join(', ') }}
from {{ source }}
{%- if task.where and not task.status %}
where {{ task.where }}
{%- endif %}
    {%- endif -%}
{% endmacro %}

{#- What was read of the arguments, as plain data; `_carried` has the columns. Appends faults. -#}
{% macro _window_task(read) %}
    {%- set faults = read.faults -%}
    {%- set keys = read['keys'] | map('lower') | list -%}
    {%- set groups = (read.update_group or []) | map('lower') | list -%}
    {%- set store = strandline._read_store(read.store, faults) -%}
    {%- set aggregates = strandline._read_aggregates(read.aggregates, faults) -%}
    {%- if groups and store.kind not in ['highest', 'lowest', none] -%}
        {%- do faults.append("`update_group` is given, and `store` is neither highest nor lowest; "
            ~ "leave it out") -%}
    {%- endif -%}
    {%- if read.pinned is sameas true and not aggregates -%}
        {%- do faults.append("`pinned` is true, which may be true only with `aggregates`: it keeps "
            ~ "them when a window is empty; give `aggregates`, or leave it out") -%}
    {%- endif -%}
    {%- for aggregate in aggregates if aggregate.name | lower in keys -%}
        {%- do faults.append("`aggregates` has the name '" ~ aggregate.name
            ~ "', which is one of `keys`; take another name") -%}
    {%- endfor -%}
    {%- set status, condition = strandline._read_where(read.where, faults) -%}
    {{- return(dict({'kind': 'window', 'upstream': read.source | string,
        'upstream_name': read.source.identifier if read.source.identifier is defined else '',
        'keys': keys, 'store': store, 'where': condition, 'status': status,
        'aggregates': aggregates, 'pinned': read.pinned, 'update_group': groups},
        **strandline._window_times(read, store, status))) -}}
{% endmacro %}

{#- Splits `where` into the row status at its beginning (none for a table of events) and the
    condition. -#}
{% macro _read_where(where, faults) %}
    {%- if where is none -%}{{- return([none, none]) -}}{%- endif -%}
    {%- set form = modules.re.match(
        '(?is)^\\s*\\$row_status\\s+is\\s+(new|dead)(?:\\s+and\\s+(.+))?\\s*$', where | string) -%}
    {%- set condition = form.group(2) if form else where | string | trim -%}
    {%- if '$row_status' in (condition or '') or not where | string | trim -%}
        {%- do faults.append("`where` is '" ~ where ~ "'; write a condition; for a chained window "
            ~ "'$row_status is new' or '$row_status is dead' stands first and only there, as in "
            ~ "'$row_status is new and num_skus >= 10'") -%}
    {%- endif -%}
    {{- return([form.group(1) | lower if form else none, condition]) -}}
{% endmacro %}

{#- The arguments of time: in the events of a table they are columns; a chained window has the
    cycles of its source. Appends faults. -#}
{% macro _window_times(read, store, status) %}
    {%- set faults = read.faults -%}
    {%- for name in ['ts', 'arrival', 'clock', 'weight', 'every', 'not_after']
        if status and read[name] is not none -%}
        {%- do faults.append("`" ~ name ~ "` is given, but a chained window ('$row_status is "
            ~ status ~ "') runs in the cycles of its source; leave it out") -%}
    {%- endfor -%}
    {%- if not status and read.ts is none -%}
        {%- do faults.append("`ts` is missing; name the column of the events' time; a chained "
            ~ "window reads another window_table, with '$row_status is new' first in `where`") -%}
    {%- endif -%}
    {%- if not status and read.arrival is none -%}
        {%- do strandline._check_column('arrival', 'arrival', read.source, read.types.source,
            {'type': 'whole'}, faults) -%}
    {%- endif -%}
    {%- set count, weights = strandline._read_weight(read.weight, faults) -%}
    {%- if read.weight is not none and read.every is not none -%}
        {%- do faults.append("`weight` and `every` are both given; take one of them: cycles by "
            ~ "events, or at fixed intervals") -%}
    {%- endif -%}
    {%- set has_weights = store.kind not in ['time', 'tumbling'] -%}
    {%- if execute and read.weight is not none and not has_weights and not faults -%}
        {%- do exceptions.warn(read.who ~ ": `weight` is " ~ ('a mapping' if read.weight is mapping
            else read.weight) ~ ", and a " ~ store.kind ~ " window has no weights: each event "
            ~ "enters as it arrives; leave it out") -%}
    {%- endif -%}
    {{- return({'ts': read.ts | string | lower if read.ts else none,
        'arrival': (read.arrival or 'arrival') | string | lower,
        'clock': (read.clock or read.ts or '') | string | lower,
        'weight': count if has_weights else 1, 'weights': weights if has_weights else none,
        'every': read.every, 'not_after': read.not_after}) -}}
{% endmacro %}

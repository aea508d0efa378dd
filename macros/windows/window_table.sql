{#- The body of an incremental model of a window: a table of stays. See _macros.yml. -#}
{% macro window_table(source, store, ts=none, arrival=none, keys=[], where=none, aggregates=none,
    pinned=false, update_group=none, clock=none, weight=none, every=none, not_after=none) %}
    {%- set who = 'window_table' ~ (' of ' ~ model.name if model is defined else '') -%}
    {%- do strandline._check_call(who, kwargs, varargs, {
        'source': [source, "pass a relation: ref('request_events'), or another window_table"],
        'store': [store, "write one of: " ~ strandline._grammar()],
    }, ['ts', 'arrival', 'keys', 'where', 'aggregates', 'pinned', 'update_group', 'clock', 'weight',
        'every', 'not_after']) -%}
    {%- set faults = [] -%}
    {%- set task = strandline._window_task(source, store, keys, where, aggregates, pinned,
        update_group, faults) -%}
    {%- do strandline._window_times(task, ts, arrival, clock, weight, every, not_after,
        faults) -%}
    {%- do strandline._refuse(who, faults) -%}
    {%- set warning = task.pop('warning', none) -%}
    {%- if execute and warning -%}{%- do exceptions.warn(who ~ ': ' ~ warning) -%}{%- endif -%}
    {{- config(materialized='strandline_window', file_format=strandline._file_format(),
        partition_by=['window_part']) -}}
    {%- if execute -%}
        {%- do strandline._check_window(task, source, who) -%}
        {{- strandline._task_line(task) }}
select {{ strandline._all_quoted((task.columns
    + ([] if task.status else [task.ts, task.arrival])) | unique) | join(', ') }}
from {{ source }}
{%- if task.where and not task.status %}
where {{ task.where }}
{%- endif %}
    {%- endif -%}
{% endmacro %}

{#- What the materialization needs to know, as plain data. Appends faults. -#}
{% macro _window_task(source, store, keys, where, aggregates, pinned, update_group, faults) %}
    {%- if source is string or source is none or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; pass a relation: ref('request_events') or source('web', 'request_events')") -%}
    {%- endif -%}
    {%- set keys = strandline._read_keys(keys, faults, 'keys',
        "['src_ip'], or [] for one window") | map('lower') | list -%}
    {%- set store = strandline._read_store(store, faults) -%}
    {%- set groups = strandline._read_keys(update_group or [], faults,
        'update_group', "['sku']") | map('lower') | list -%}
    {%- set aggregates = strandline._read_aggregates(aggregates, faults) -%}
    {%- if groups and store.kind not in ['highest', 'lowest', none] -%}
        {%- do faults.append("`update_group` is given, and `store` is neither highest nor lowest; "
            ~ "leave it out") -%}
    {%- endif -%}
    {%- if pinned is not boolean -%}
        {%- do faults.append("`pinned` is '" ~ pinned ~ "'; write true or false") -%}
    {%- elif pinned and not aggregates -%}
        {%- do faults.append("`pinned` is true, which may be true only with `aggregates`: it keeps "
            ~ "them when a window is empty; give `aggregates`, or leave it out") -%}
    {%- endif -%}
    {%- for argument, columns in [['keys', keys], ['update_group', groups]] -%}
        {%- for column in columns if not column is string or not column | trim -%}
            {%- do faults.append("`" ~ argument ~ "` has '" ~ column ~ "'; write the name of a "
                ~ "column (compute expressions in a staging model)") -%}
        {%- endfor -%}
        {%- for column in columns | unique if columns.count(column) > 1 -%}
            {%- do faults.append("`" ~ argument ~ "` has '" ~ column ~ "' more than once; name it "
                ~ "once") -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for aggregate in aggregates if aggregate.name | lower in keys -%}
        {%- do faults.append("`aggregates` has the name '" ~ aggregate.name
            ~ "', which is one of `keys`; take another name") -%}
    {%- endfor -%}
    {%- set status, condition = strandline._read_where(where, faults) -%}
    {{- return({'kind': 'window', 'upstream': source | string,
        'upstream_name': source.identifier if source.identifier is defined else '', 'keys': keys,
        'store': store, 'where': condition, 'status': status, 'aggregates': aggregates,
        'pinned': pinned, 'update_group': groups}) -}}
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
    cycles of its source. -#}
{% macro _window_times(task, ts, arrival, clock, weight, every, not_after, faults) %}
    {%- set given = {'ts': ts, 'arrival': arrival, 'clock': clock, 'weight': weight,
        'every': every, 'not_after': not_after} -%}
    {%- for name, value in given.items() if task.status and value is not none -%}
        {%- do faults.append("`" ~ name ~ "` is given, but a chained window ('$row_status is "
            ~ task.status ~ "') runs in the cycles of its source; leave it out") -%}
    {%- endfor -%}
    {%- if not task.status and ts is none -%}
        {%- do faults.append("`ts` is missing; name the column of the events' time; a chained "
            ~ "window reads another window_table, with '$row_status is new' first in `where`") -%}
    {%- endif -%}
    {%- for name in ['ts', 'arrival', 'clock'] if given[name] is not none
        and (given[name] is not string or not given[name] | trim) -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ given[name] ~ "'; write the name of a column "
            ~ "(compute expressions in a staging model)") -%}
        {%- do given.update({name: none}) -%}
    {%- endfor -%}
    {%- if not_after is not none and not task.status and ts is not none -%}
        {%- do faults.extend(strandline._not_after_faults(not_after, ts)) -%}
    {%- endif -%}
    {%- set count, weights = strandline._read_weight(weight, faults) -%}
    {%- if weight is not none and every is not none -%}
        {%- do faults.append("`weight` and `every` are both given; take one of them: cycles by "
            ~ "events, or at fixed intervals") -%}
    {%- endif -%}
    {%- set interval = none if every is none else strandline._period(every).fixed -%}
    {%- if every is not none and not interval -%}
        {%- do faults.append("`every` is '" ~ every
            ~ "'; write a length of time such as '10 seconds'") -%}
    {%- endif -%}
    {%- set weighed = task.store.kind not in ['time', 'tumbling'] -%}
    {%- if weight is not none and not weighed and task.store.kind -%}
        {%- do task.update({'warning': "`weight` is " ~ ('a mapping' if weight is mapping
            else weight) ~ ", and a " ~ task.store.kind ~ " window has no weights: each event "
            ~ "enters as it arrives; leave it out"}) -%}
    {%- endif -%}
    {%- do task.update({'ts': given.ts | lower if given.ts else none,
        'arrival': (given.arrival or 'arrival') | lower,
        'clock': (given.clock or given.ts or '') | lower,
        'weight': count if weighed else 1, 'weights': weights if weighed else none,
        'every': interval, 'not_after': not_after}) -%}
{% endmacro %}

{#- Fails an incremental run whose task means something else than the stored rows. If only the
    source has new columns, they are added to a table that says which rows it has read: see
    `_begin_run`. -#}
{% macro _check_configuration(relation, task, properties, rows_read=none) %}
    {%- set who = model.name -%}
    {%- if 'strandline.task' not in properties -%}
        {%- do strandline._refuse(who,
            [relation ~ " exists and was not built by Strandline: drop or rename it, or replace it "
            ~ "by `dbt build --full-refresh --select " ~ who ~ "`"]) -%}
    {%- endif -%}
    {%- set stored = fromjson(properties['strandline.task']) -%}
    {%- set given = strandline._compared_task(task) -%}
    {%- set changed = [] -%}
    {%- for key in given if given[key] != stored.get(key) -%}
        {%- do changed.append(key) -%}
    {%- endfor -%}
    {%- set new = strandline._new_columns(stored, given, changed) if rows_read else [] -%}
    {%- set faults = strandline._add_columns(relation, task, properties, new,
        rows_read(relation, task, properties)) if new else [] -%}
    {%- for key in changed if not new -%}
        {%- do strandline._configuration_change(key, stored.get(key), given[key], task, faults) -%}
    {%- endfor -%}
    {%- for key in changed if not new and not faults -%}
        {%- do faults.append("`every` begins with another duration"
            if key in ['is_base', 'upstream_is_base']
            else "`" ~ key ~ "` is now " ~ tojson(given[key])
                ~ ", and the stored rows were built with " ~ tojson(stored.get(key))) -%}
    {%- endfor -%}
    {%- if faults -%}
        {%- do faults.append("to rebuild this table and its downstream tables with the new "
            ~ "definition: `dbt build --full-refresh --select " ~ who ~ "+`") -%}
    {%- endif -%}
    {%- do strandline._refuse(who ~ ": the definition has changed", faults) -%}
{% endmacro %}

{#- Appends what has changed of one key of a task, in terms of the public arguments. -#}
{% macro _configuration_change(key, before, now, task, faults) %}
    {%- if key == 'parts' and before -%}
        {%- do strandline._parts_change(before, now, task.get('outputs', []), faults) -%}
    {%- elif key in ['keys', 'arguments', 'columns'] and before is sequence
        and before is not string and before is not mapping -%}
        {%- set argument = {'arguments': 'select', 'columns': 'source'}.get(key, key) -%}
        {%- set new, removed = now | reject('in', before) | list,
            before | reject('in', now) | list -%}
        {%- if new -%}
            {%- do faults.append("new in `" ~ argument ~ "`: " ~ strandline._choices(new)) -%}
        {%- endif -%}
        {%- if removed -%}
            {%- do faults.append("removed from `" ~ argument ~ "`: "
                ~ strandline._choices(removed)) -%}
        {%- endif -%}
        {%- if not new and not removed -%}
            {%- do faults.append("`" ~ argument ~ "` has another order: it was "
                ~ strandline._choices(before)) -%}
        {%- endif -%}
    {%- elif now is mapping and before is mapping -%}
        {%- for name, value in now.items() if value != before.get(name) -%}
            {%- set argument = {'size': 'buffer_size',
                'drops': 'ignore_events_older_than_buffer'}.get(name, name) -%}
            {%- do faults.append(
                strandline._value_change('`' ~ argument ~ '`', before.get(name), value)) -%}
        {%- endfor -%}
    {%- elif key == 'buffer' -%}
        {%- do faults.append(strandline._value_change('`buffer_size`',
            before.size if before else none, now.size if now else none)) -%}
    {%- elif key not in ['is_base', 'upstream_is_base'] -%}
        {%- do faults.append(strandline._value_change({
            'aggregation': '`name`', 'upstream_name': '`source`' if task.get('is_base', true)
                else 'the upstream table',
            'base_duration': 'the first duration of `every`',
            'upstream_duration': 'the next shorter duration of `every`',
            'time_kind': 'the form of `ts`', 'arrival_type': 'the type of `arrival`',
            'keeps_arrivals': 'whether there is an `arrival_lookback`',
            'has_lookback': 'whether there is an `arrival_lookback`',
            'weight': 'the number of events that weigh 1', 'weights': '`weight`',
            'value': '`state`' if task.get('summary') == 'state_agg' else '`value`',
        }.get(key, '`' ~ key ~ '`'), strandline._setting_text(key, before),
            strandline._setting_text(key, now))) -%}
    {%- endif -%}
{% endmacro %}

{#- Which outputs are new, and which stored aggregates are removed. The columns of the table have
    the order of `select`. -#}
{% macro _parts_change(before, now, outputs, faults) %}
    {%- set old, new = before | map(attribute='column') | list,
        now | map(attribute='column') | list -%}
    {%- for output in outputs if output.columns.values() | reject('in', old) | list -%}
        {%- do faults.append("new: " ~ output.name ~ " = " ~ output.text) -%}
    {%- endfor -%}
    {%- for part in before if part.column not in new and part.argument != 'agg_event_zone' -%}
        {%- set functions = [] -%}
        {%- for name, aggregate in strandline._stored_aggregates().items()
            if part.kind in aggregate.parts -%}
            {%- do functions.append(name) -%}
        {%- endfor -%}
        {#- Another Spark stores this part in another way. -#}
        {%- set other = {'ranks': 'Spark 4.0', 'kll': 'Spark 4.1 and later'}.get(part.kind)
            if not functions else none -%}
        {%- set function = 'quantile' if other else part.kind if part.kind in functions
            else functions | join(' or ') -%}
        {%- do faults.append("removed: " ~ (part.argument ~ ', the latest' if part.kind == 'latest'
            else function ~ '(' ~ part.argument ~ ')')
            ~ (', as it is stored with ' ~ other if other)) -%}
    {%- endfor -%}
    {%- if old != new and old | sort == new | sort -%}
        {%- do faults.append("the outputs of `select` are in another order") -%}
    {%- endif -%}
{% endmacro %}

{% macro _value_change(what, before, now) %}
    {%- set shown = [] -%}
    {%- for value in [now, before] -%}
        {%- do shown.append("'" ~ value ~ "'" if value is string else value | string | lower) -%}
    {%- endfor -%}
    {{- return(what ~ " is now " ~ shown[0] ~ ", and the stored rows were built with "
        ~ shown[1]) -}}
{% endmacro %}

{#- A setting in readable form: values that are stored in microseconds as a length of time, weights
    by condition as they are written. -#}
{% macro _setting_text(key, value) %}
    {%- if key == 'weights' and value -%}
        {%- set pairs = [] -%}
        {%- for condition, weight in value -%}
            {%- do pairs.append(condition ~ ': ' ~ weight) -%}
        {%- endfor -%}
        {{- return(pairs | join(', ')) -}}
    {%- endif -%}
    {%- set lengths = ['gap', 'bucket', 'merge_max_gap', 'merge_max_duration'] -%}
    {%- if key not in lengths or value is none -%}{{- return(value) -}}{%- endif -%}
    {%- set micros = (value | string).rstrip('L') -%}
    {%- if not micros.isdigit() -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = micros | int -%}
    {%- for unit in strandline._units() | rejectattr('months') | rejectattr('nanos') | list
        | reverse if unit.word != 'week' and micros % (unit.length // 1000) == 0 -%}
        {%- set number = micros // (unit.length // 1000) -%}
        {{- return(number ~ ' ' ~ unit.word
            ~ ('s' if number != 1 and unit.word not in ['ms', 'us'])) -}}
    {%- endfor -%}
{% endmacro %}

{#- The task without the keys that may change while the stored rows stay valid: the location of the
    upstream table (its name stays), the names of the outputs, retention, the mutability period, the
    width of partitions, and other settings of a run. -#}
{% macro _compared_task(task) %}
    {%- set compared = {} -%}
    {%- for key, value in task.items() if key not in ['upstream', 'outputs', 'retention',
        'mutability_seconds', 'arrival_lookback', 'purged_before', 'settings', 'position',
        'horizon', 'width'] -%}
        {%- do compared.update({key: value}) -%}
    {%- endfor -%}
    {{- return(compared) -}}
{% endmacro %}

{#- The task that is stored with a table, for a data test, with the relation that it reads now. -#}
{% macro _stored_task(relation) %}
    {%- set rows = run_query("show tblproperties " ~ relation).rows -%}
    {%- set stored = rows | selectattr(0, 'equalto', 'strandline.task') | list -%}
    {%- if not stored -%}
        {%- do strandline._refuse(model.name, [relation ~ " was not built by Strandline; test a "
            ~ "table of aggregation_table"]) -%}
    {%- endif -%}
    {%- set task = fromjson(stored[0][1]) -%}
    {%- for node in graph.nodes.values() if node.relation_name == relation | string -%}
        {%- for id in node.depends_on.nodes -%}
            {%- set parent = graph.nodes.get(id) or graph.sources[id] -%}
            {%- if parent.identifier == task.upstream_name or parent.alias == task.upstream_name -%}
                {%- do task.update({'upstream': parent.relation_name}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(task) -}}
{% endmacro %}

{#- The relation that a generic test is of. With `where` dbt gives the test a sub-query instead, as
    text. -#}
{% macro _tested_relation(given) %}
    {%- if given is not string or not execute -%}{{- return(given) -}}{%- endif -%}
    {%- set node = graph.nodes.get(model.attached_node) or graph.sources[model.attached_node] -%}
    {{- return(api.Relation.create(database=node.database, schema=node.schema,
        identifier=node.alias or node.identifier)) -}}
{% endmacro %}

{#- The columns that a generic test reads, quoted. A text that names no column of the tested
    relation is an expression, and stays as it is. -#}
{% macro _tested_columns(given, names) %}
    {%- set types = strandline._types_of(strandline._tested_relation(given)) if execute else {} -%}
    {%- set columns = [] -%}
    {%- for name in names -%}
        {%- do columns.append(strandline._quoted(name) if name | lower in types else name) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- Fails if the model has a contract and a query does not have its columns: the body of a table
    before it is created, or a table before a run adds to it. dbt compares names and types, as it
    does for a table or a view. -#}
{% macro _check_contract(query) %}
    {%- set contract = config.get('contract') -%}
    {%- if not contract or not contract.enforced -%}{{- return(none) -}}{%- endif -%}
    {%- set constraints = model.get('constraints', []) | map(attribute='type') | list -%}
    {%- for column in model.columns.values() -%}
        {%- do constraints.extend(column.get('constraints', []) | map(attribute='type') | list) -%}
    {%- endfor -%}
    {%- if constraints -%}
        {%- do strandline._refuse(model.name, ["its contract has constraints ("
            ~ strandline._choices(constraints | unique) ~ "), which this table would lose at each "
            ~ "rebuild; write a data test instead, such as not_null, and leave names and types in "
            ~ "the contract"]) -%}
    {%- endif -%}
    {%- do get_assert_columns_equivalent(query) -%}
{% endmacro %}

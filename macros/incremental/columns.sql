{#- Columns that a source has got since a table was built. A window and a late table have the
    columns of their source. A run adds a new one to its table if it is null in all rows of the
    source that the table has read: then a full refresh would give the same rows. -#}

{#- The new columns of the source, if nothing else has changed in a task; else an empty list. -#}
{% macro _new_columns(stored, given, changed) %}
    {%- set before = stored.get('columns') -%}
    {%- set lists = ['columns', 'ordered'] -%}
    {%- if changed | reject('in', lists) | list or before is not sequence or before is mapping
        or not before -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set new = given.columns | reject('in', before) | list -%}
    {%- for name in lists if given.get(name) is not none
        and given[name] | reject('in', new) | list != stored.get(name) -%}
        {{- return([]) -}}
    {%- endfor -%}
    {#- Behind aggregates the columns of an event are fields of a struct, which must be there. -#}
    {{- return([] if stored.get('aggregates') and not before | reject('in', stored['keys']) | list
        else new) -}}
{% endmacro %}

{#- Adds new columns of the source to a table, and stores its task. A run that was killed before the
    task was stored adds none a second time. `read` says which rows of the source the table has
    read, as a condition; none if it has read nothing. Returns why it cannot be done, as a list of
    faults. -#}
{% macro _add_columns(relation, task, properties, new, read) %}
    {%- set names = strandline._all_quoted(new) -%}
    {%- if read is not none -%}
        {%- set filled = [] -%}
        {%- set row = run_query('select ' ~ strandline._any_values(names) ~ ' from '
            ~ task.upstream ~ ' where ' ~ read).rows[0] -%}
        {%- for name in new -%}
            {%- if row[loop.index0] -%}{%- do filled.append(name) -%}{%- endif -%}
        {%- endfor -%}
        {%- if filled -%}
            {{- return(["new in `source`: " ~ strandline._choices(filled)
                ~ ", which is not null in rows that this table has read"]) -}}
        {%- endif -%}
    {%- endif -%}
    {%- set is_struct = task.get('aggregates') -%}
    {%- set there = strandline._query_columns('select ' ~ ('window_event.*' if is_struct else '*')
        ~ ' from ' ~ relation) | map(attribute='name') | map('lower') | list -%}
    {%- set columns = task.columns | reject('in', task['keys'] if is_struct else []) | list -%}
    {%- set added = [] -%}
    {%- for column in strandline._query_columns('select ' ~ names | join(', ') ~ ' from '
        ~ task.upstream) if column.name | lower not in there -%}
        {%- set place = columns.index(column.name | lower) -%}
        {%- do added.append(('window_event.' if is_struct else '')
            ~ strandline._quoted(column.name | lower) ~ ' ' ~ column.type
            ~ (' after ' ~ strandline._quoted(columns[place - 1]) if place else ' first')) -%}
    {%- endfor -%}
    {%- if added -%}
        {%- set mapping = strandline._column_mapping(new) -%}
        {%- if mapping and not properties.get('delta.columnMapping.mode') -%}
            {%- do strandline._set_properties(relation, mapping) -%}
        {%- endif -%}
        {%- do run_query('alter table ' ~ relation ~ ' add columns (' ~ added | join(', ') ~ ')')
            -%}
    {%- endif -%}
    {%- do strandline._set_properties(relation, {'strandline.task':
        strandline._property_json(strandline._compared_task(task))}) -%}
    {%- do log(model.name ~ ': new in `source`: ' ~ strandline._choices(new)
        ~ '; null in earlier rows', info=true) -%}
    {{- return([]) -}}
{% endmacro %}

{#- For each column whether a row has a value in it, as a select list. -#}
{% macro _any_values(names) %}
    {%- set items = [] -%}
    {%- for name in names -%}
        {%- do items.append('bool_or(' ~ name ~ ' is not null)') -%}
    {%- endfor -%}
    {{- return(items | join(', ')) -}}
{% endmacro %}

{#- The columns of the table of anomalies, in order. -#}
{% macro _anomaly_columns(key) %}
    {{- return(['anomaly_id'] + key
        + ['starts_at', 'ends_at', 'current_value', 'baseline_value', 'severity', 'labels',
        'generation', 'replaces', 'incident_id', 'parent_id', 'is_parent', 'status',
        'first_seen_at', 'changed_at', 'created_run_at',
        'changed_run_at', 'notified_at', 'notified', 'notified_completed',
        'notified_severities', 'withheld']) -}}
{% endmacro %}

{#- All columns of an anomaly as a select list: some given as expressions, the others read from an
    alias. -#}
{% macro _anomaly_row(task, source, given={}) %}
    {%- set columns = [] -%}
    {%- for column in strandline._anomaly_columns(task['keys']) -%}
        {%- set name = strandline._quoted(column) -%}
        {%- do columns.append(given[column] ~ ' as ' ~ name if column in given
            else source ~ '.' ~ name) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}

{#- The initial values of a new row. -#}
{% macro _new_anomaly(run) %}
    {{- return({
        'generation': '0', 'replaces': 'cast(null as string)',
        'incident_id': 'cast(null as string)',
        'parent_id': 'cast(null as string)', 'is_parent': 'false', 'status': "'new'",
        'first_seen_at': run.frame_end,
        'changed_at': run.frame_end, 'created_run_at': run.run_at, 'changed_run_at': run.run_at,
        'notified_at': 'cast(null as timestamp)',
        'notified': 'cast(null as ' ~ strandline._notified_type() ~ ')',
        'notified_completed': 'cast(null as ' ~ strandline._notified_type() ~ ')',
        'notified_severities': 'cast(null as ' ~ strandline._severities_type() ~ ')',
        'withheld': 'cast(null as ' ~ strandline._notified_type() ~ ')',
    }) -}}
{% endmacro %}

{#- An empty table of anomalies as a query: the stored rows of a first build. -#}
{% macro _no_anomalies(task) %}
    {%- set never = 'cast(null as timestamp)' -%}
    {%- set given = strandline._new_anomaly({'frame_end': never, 'run_at': never}) -%}
    {%- do given.update({'anomaly_id': 'cast(null as string)'}) -%}
    {{- return('select ' ~ strandline._anomaly_row(task, 'd', given) ~ ' from ('
        ~ strandline._detected(task) ~ ') as d where false') -}}
{% endmacro %}

{#- Whether an anomaly is active: neither outdated nor ignored. Ignored and outdated anomalies keep
    their rows, but are neither merged nor notified. -#}
{% macro _is_active(status) %}
    {{- return(status ~ " not in ('outdated', 'ignored')") -}}
{% endmacro %}

{#- The identity of the parent of an incident. -#}
{% macro _parent_id(incident) %}
    {{- return("sha2(concat('parent of ', " ~ incident ~ "), 256)") -}}
{% endmacro %}

{#- Whether two aliases have the same key; nulls are equal. -#}
{% macro _same_key(task, one, other) %}
    {%- set equal = [] -%}
    {%- for column in strandline._all_quoted(task['keys']) -%}
        {%- do equal.append(one ~ '.' ~ column ~ ' <=> ' ~ other ~ '.' ~ column) -%}
    {%- endfor -%}
    {{- return(equal | join(' and ')) -}}
{% endmacro %}

{#- The type of `notified`: the time of a notification, and the anomaly that represents the
    incident. -#}
{% macro _notified_type() %}
    {{- return('struct<at: timestamp, anomaly_id: string>') -}}
{% endmacro %}

{#- The type of `notified_severities`: the severities of which was notified, in order. The first is
    that of the first notification of the incident, each other one is a rise. -#}
{% macro _severities_type() %}
    {{- return('array<struct<severity: string, at: timestamp, anomaly_id: string>>') -}}
{% endmacro %}

{#- Adds to the table of an older version the columns that it does not have. -#}
{% macro _add_anomaly_columns(relation) %}
    {%- set types = strandline._types_of(relation) -%}
    {%- set missing = [] -%}
    {%- for name, type in {'notified_severities': strandline._severities_type(),
        'withheld': strandline._notified_type()}.items() if name not in types -%}
        {%- do missing.append(name ~ ' ' ~ type) -%}
    {%- endfor -%}
    {%- if missing -%}
        {%- do run_query('alter table ' ~ relation ~ ' add columns (' ~ missing | join(', ')
            ~ ')') -%}
    {%- endif -%}
{% endmacro %}

{#- Columns of an alias, as a select list. -#}
{% macro _with_alias(alias, columns) %}
    {{- return(alias ~ '.' ~ columns | join(', ' ~ alias ~ '.')) -}}
{% endmacro %}

{#- The columns of the parent of a family, from `_notified_incidents`: the stored parent with the
    current bounds and values, or a new one. -#}
{% macro _parent_row(task, run) %}
{%- set values = ['current_value', 'baseline_value', 'severity', 'labels'] -%}
{%- set given = strandline._new_anomaly(run) -%}
{%- for column in given -%}
    {%- do given.update({column: 'coalesce(__family.__parent.' ~ column ~ ', ' ~ given[column]
        ~ ')'}) -%}
{%- endfor -%}
{%- for column in values -%}
    {%- do given.update({column: '__family.__family_values.' ~ column}) -%}
{%- endfor -%}
{%- do given.update({
    'anomaly_id': '__family.__root_id', 'is_parent': 'true', 'incident_id': '__family.incident_id',
    'replaces': 'if(__family.__parent is null, __family.replaces, __family.__parent.replaces)',
    'status': "case when __family.__parent is null then 'new' "
        ~ "when __family.__parent.status <> 'outdated' and struct("
        ~ strandline._with_alias('__family.__parent', ['starts_at', 'ends_at'] + values)
        ~ ") <=> struct(__family.starts_at, __family.ends_at, "
        ~ strandline._with_alias('__family.__family_values', values)
        ~ ") then __family.__parent.status else 'updated' end",
}) -%}
{{- return(strandline._anomaly_row(task, '__family', given)) -}}
{% endmacro %}

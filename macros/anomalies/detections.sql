{#- Fails if a named column does not exist in the detections, or if its type does not fit. A
    relation that does not exist yet is not checked. Returns the type of the labels: array, text, or
    none. -#}
{% macro _check_detections(detections, keys, columns) %}
    {%- set faults = [] -%}
    {%- set named = [] -%}
    {%- set labels = [] -%}
    {%- for column in keys -%}{%- do named.append(['keys', column]) -%}{%- endfor -%}
    {%- for argument, column in columns.items() if column is not none and argument != 'severity' -%}
        {%- do named.append([argument, column | lower]) -%}
    {%- endfor -%}
    {%- for relation in detections -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- for argument, column in named if types -%}
            {%- set type = types.get(column) -%}
            {%- if type is none -%}
                {%- do faults.append(strandline._no_column(argument, column, relation, types)) -%}
            {%- elif argument in ['start', 'end'] and type != 'timestamp' -%}
                {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of "
                    ~ relation.identifier ~ ", which is " ~ type
                    ~ "; take a TIMESTAMP (cast it in a staging model)") -%}
            {%- elif argument in ['keys', 'labels'] and 'map<' in type -%}
                {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of "
                    ~ relation.identifier ~ ", which is " ~ type
                    ~ "; Spark does not compare maps: make it an array, a struct or a text") -%}
            {%- elif argument == 'labels'
                and not modules.re.match('array<|string$|varchar|char', type) -%}
                {%- do faults.append("`labels` names " ~ column ~ " of " ~ relation.identifier
                    ~ ", which is " ~ type ~ "; a parent has the labels of all its members: "
                    ~ "make it an array of them, or a text") -%}
            {%- elif argument == 'labels' -%}
                {%- do labels.append('array' if type.startswith('array<') else 'text') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if labels | unique | list | length > 1 -%}
        {%- do faults.append("`labels` names " ~ columns.labels ~ ", which is an array in one of "
            ~ "`detections` and a text in another; make it an array in all of them") -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies', faults | unique | list) -%}
    {{- return(labels | first if labels else none) -}}
{% endmacro %}

{#- An optional column in each relation of detections; none if a relation does not have it. Only
    the column of the default name may be absent. -#}
{% macro _optional_columns(detections, argument, column, usual) %}
    {%- set faults, columns = [], [] -%}
    {%- for relation in detections if column is not none -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- set type = types.get(column | lower) -%}
        {%- do columns.append(none if type is none else column | lower) -%}
        {%- if type is none and types and column | lower != usual -%}
            {%- do faults.append(strandline._no_column(argument, column, relation, types)) -%}
        {%- elif argument == 'arrival' and type is not none and 'map<' in type -%}
            {%- do faults.append("`arrival` names " ~ column ~ " of " ~ relation.identifier
                ~ ", which is " ~ type ~ "; take a column that grows, such as a BIGINT") -%}
        {%- elif argument == 'ignored' and type not in [none, 'boolean'] -%}
            {%- do faults.append("`ignored` names " ~ column ~ " of " ~ relation.identifier
                ~ ", which is " ~ type ~ "; take a BOOLEAN, true for what is to be ignored") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse('anomalies', faults | unique | list) -%}
    {{- return(columns or [none] * detections | length) -}}
{% endmacro %}

{#- Fails if a relation of `upstream` has no buckets with arrivals. One that does not exist yet is
    not checked. -#}
{% macro _check_anomaly_upstream(upstream) %}
    {%- set faults = [] -%}
    {%- for relation in upstream -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- for column in ['agg_timestamp', 'agg_arrival'] if types and column not in types -%}
            {%- do faults.append(strandline._no_column('upstream', column, relation, types)
                ~ "; take the table of an aggregation, which has agg_timestamp and "
                ~ "agg_arrival") -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do strandline._refuse('anomalies', faults) -%}
{% endmacro %}

{#- Whether a detection, with the columns of its relation, does not end after `not_after`. -#}
{% macro _is_not_future(task) %}
    {{- return('true' if task.settings.not_after is none else '(not coalesce('
        ~ strandline._quoted(task.columns.end) ~ ' > (' ~ task.settings.not_after
        ~ '\n), false))') -}}
{% endmacro %}

{#- All detections with the column names of the result, and whether they are ignored; NaN is
    converted to null. Those that end after `not_after` are left out; with `is_future` only they are
    returned. -#}
{% macro _detected(task, is_future=false) %}
    {%- set columns = task.columns -%}
    {%- for relation in task.settings.detections %}
select
    {{ strandline._all_quoted(task['keys']) | join(', ') }},
    {{ strandline._quoted(columns.start) }} as starts_at,
    {{ strandline._quoted(columns.end) }} as ends_at,
    {%- for name in ['current', 'baseline'] %}
    {{ "cast(null as double)" if columns[name] is none
        else "nullif(cast(" ~ strandline._quoted(columns[name])
            ~ " as double), double('NaN'))" }} as {{ name }}_value,
    {%- endfor %}
    cast({{ 'null' if task.settings.severity[loop.index0] is none
        else strandline._quoted(task.settings.severity[loop.index0]) }} as string) as severity,
    {{ 'cast(null as string)' if columns.labels is none
        else strandline._quoted(columns.labels) }} as labels,
    {{ 'false' if task.settings.ignored[loop.index0] is none
        else 'coalesce(' ~ strandline._quoted(task.settings.ignored[loop.index0])
            ~ ', false)' }} as __is_ignored
from {{ relation }}
{%- if task.settings.not_after is not none %}
where {{ 'not ' if is_future }}{{ strandline._is_not_future(task) }}
{%- endif %}
{%- if not loop.last %} union all{% endif -%}
    {%- endfor -%}
{% endmacro %}

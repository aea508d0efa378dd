{#- What the labels are in all relations of detections: array, text, or none without labels. Appends
    a fault if they differ. -#}
{% macro _label_type(read) %}
    {%- set kinds = [] -%}
    {%- for types in read.types.detections if read.labels is string
        and read.labels | lower in types -%}
        {%- do kinds.append('array' if types[read.labels | lower].startswith('array<') else 'text')
            -%}
    {%- endfor -%}
    {%- if kinds | unique | list | length > 1 -%}
        {%- do read.faults.append("`labels` names " ~ read.labels ~ ", which is an array in one of "
            ~ "`detections` and a text in another; make it an array in all of them") -%}
    {%- endif -%}
    {{- return(kinds | first if kinds else none) -}}
{% endmacro %}

{#- An optional column in each relation of detections, in lower case; none if a relation does not
    have it. -#}
{% macro _existing_columns(read, argument) %}
    {%- set columns = [] -%}
    {%- for types in read.types.detections -%}
        {%- set column = none if read[argument] is none else read[argument] | lower -%}
        {%- do columns.append(column if column in types else none) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- Appends a fault if a relation of `upstream` has no buckets with arrivals. -#}
{% macro _check_upstream_buckets(read) %}
    {%- for types in read.types.upstream -%}
        {%- set relation = read.upstream[loop.index0] -%}
        {%- for column in ['agg_timestamp', 'agg_arrival'] if types and column not in types -%}
            {%- do read.faults.append(strandline._no_column('upstream', column, relation, types)
                ~ "; take the table of an aggregation, which has agg_timestamp and "
                ~ "agg_arrival") -%}
        {%- endfor -%}
    {%- endfor -%}
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

{#- The statement that creates or replaces an incremental table from its body. The task and the
    materialization's own properties are stored in the same commit. -#}
{% macro _create_table(relation, task, body, own_properties) %}
    {%- do strandline._check_contract(body) -%}
    {%- set properties = {'strandline.task': strandline._property_json(
        strandline._compared_task(task))} -%}
    {%- do properties.update(strandline._column_mapping(
        strandline._query_columns(body) | map(attribute='name') | list)) -%}
    {%- do properties.update(own_properties) -%}
    {%- do properties.update(config.get('tblproperties') or {}) -%}
create or replace table {{ relation }}
using delta
tblproperties (
    {%- for name, value in properties.items() %}
    {{ strandline._quoted_literal(name) }}
        = {{ strandline._quoted_literal(value) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ strandline._comment() }}
as
{{ body }}
{%- endmacro %}

{#- The columns of a query, as a list of `name` and `type`. Spark analyses it and runs nothing. -#}
{% macro _query_columns(query) %}
    {%- set columns = [] -%}
    {%- for row in run_query('describe query ' ~ query).rows -%}
        {%- do columns.append({'name': row[0], 'type': row[1]}) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}

{#- The property by which Delta accepts every column name: without it, Delta refuses a name that
    contains a blank or one of ,;{}()= and line breaks. Delta sets the protocol by itself. A table
    without such a name does not get the property, so that more readers can read it. -#}
{% macro _column_mapping(names) %}
    {%- for name in names if modules.re.search('[ ,;{}()\n\t=]', name) -%}
        {{- return({'delta.columnMapping.mode': 'name'}) -}}
    {%- endfor -%}
    {{- return({}) -}}
{% endmacro %}

{#- The clause of the table's comment, which is the model's description; empty unless `persist_docs`
    requires it. -#}
{% macro _comment() %}
    {%- set persists = config.get('persist_docs') or {} -%}
    {%- if persists is mapping and persists.get('relation') and model.description -%}
        {{- 'comment ' ~ strandline._quoted_literal(model.description) -}}
    {%- endif -%}
{% endmacro %}

{#- A value as JSON for a table property. If a text contains url, token, password, secret or access
    key, Spark treats it as a secret and shows asterisks instead, also to the run that reads it.
    Therefore the last letter of such a word is written as a JSON escape. -#}
{% macro _property_json(value) %}
    {%- set json = namespace(text=tojson(value)) -%}
    {%- for stem, letter, code in [('ur', 'l', '6c'), ('toke', 'n', '6e'), ('passwor', 'd', '64'),
        ('secre', 't', '74'), ('access[.]?ke', 'y', '79')] -%}
        {%- set json.text = modules.re.sub('((?i:' ~ stem ~ '))' ~ letter, '\\g<1>\\\\u00' ~ code,
            json.text) -%}
        {%- set upper = {'6c': '4c', '6e': '4e', '64': '44', '74': '54', '79': '59'}[code] -%}
        {%- set json.text = modules.re.sub('((?i:' ~ stem ~ '))' ~ letter | upper,
            '\\g<1>\\\\u00' ~ upper, json.text) -%}
    {%- endfor -%}
    {{- return(json.text) -}}
{% endmacro %}

{#- All properties of a Delta table. -#}
{% macro _properties_of(relation) %}
    {%- set properties = {} -%}
    {%- for row in run_query('show tblproperties ' ~ relation).rows -%}
        {%- do properties.update({row[0]: row[1]}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{% endmacro %}

{#- The later one of a stored horizon and that of another table of the aggregation, if it has one.
    `strandline purge` stores its horizon in one table after the other, and may be killed
    between. -#}
{% macro _later_horizon(own, relation) %}
    {%- set other = strandline._properties_of(relation).get('strandline.purged_before')
        if relation else none -%}
    {{- return([own or '', other or ''] | max or none) -}}
{% endmacro %}

{#- Sets properties of a table, in a commit of their own. -#}
{% macro _set_properties(relation, properties) %}
    {%- set pairs = [] -%}
    {%- for name, value in properties.items() -%}
        {%- do pairs.append(strandline._quoted_literal(name) ~ ' = '
            ~ strandline._quoted_literal(value)) -%}
    {%- endfor -%}
    {%- do run_query('alter table ' ~ relation ~ ' set tblproperties (' ~ pairs | join(', ')
        ~ ')') -%}
{% endmacro %}

{#- Stops an incremental run whose task means something else than the rows that are stored. -#}
{% macro _check_configuration(relation, task, properties) %}
    {%- set who = model.name -%}
    {%- if 'strandline.task' not in properties -%}
        {%- do strandline._refuse(who, [relation ~ " exists and was not built by Strandline: drop or rename it, "
            ~ "or replace it by `dbt build --full-refresh --select " ~ who ~ "`"]) -%}
    {%- endif -%}
    {%- set stored = fromjson(properties['strandline.task']) -%}
    {%- set given = strandline._meaning(task) -%}
    {%- set faults = [] -%}
    {%- for key in given if given[key] != stored.get(key) -%}
        {%- do faults.append("`" ~ key ~ "` is now " ~ tojson(given[key]) ~ ", and the stored rows were built with "
            ~ tojson(stored.get(key))) -%}
    {%- endfor -%}
    {%- if faults -%}
        {%- do faults.append("to rebuild the table under the new definition, and all that is fed from it: "
            ~ "`dbt build --full-refresh --select " ~ who ~ "+`") -%}
    {%- endif -%}
    {%- do strandline._refuse(who ~ ": the definition has changed", faults) -%}
{% endmacro %}

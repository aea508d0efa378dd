{#- A value of a bucket, unless none begins at its time: that stops the query. It is a value and no filter, because Spark pulls
    filters in front of the relation's own joins, where they would speak of rows that are not in it. -#}
{% macro _started(value, ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- set start = ts if unit == 'micros' else strandline._calendar_bucket(ts, unit, task.zone) -%}
    {%- set given = strandline._literal(task.who ~ ": " ~ task.name ~ " has a row at ") -%}
    {%- set wrong = strandline._literal(", where no " ~ ('bucket' if unit == 'micros' else unit[:-1]) ~ " begins in " ~ task.zone
        ~ "; `" ~ task.ts ~ "` must be the start of a bucket of '" ~ task.granularity.text ~ "': is `zone` right?") -%}
    {{- return("if(" ~ ts ~ " = " ~ start ~ ", " ~ value ~ ", raise_error(concat(" ~ given ~ ", coalesce(cast(" ~ ts
        ~ " as string), 'null'), " ~ wrong ~ ")))") -}}
{% endmacro %}

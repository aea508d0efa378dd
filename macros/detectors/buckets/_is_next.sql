{#- True where the next bucket of a series lies a whole number of buckets later; two rows of one bucket, and buckets that
    lie askew, stop the query. -#}
{% macro _is_next(task) %}
    {%- set key = "to_json(struct(" ~ task.key | join(', ') ~ "), map('ignoreNullFields', 'false'))" if task.key else "'the series'" -%}
    {%- set next = strandline._place_start('strandline_next', task) -%}
    {{- return("case when strandline_next = strandline_place or pmod(strandline_next - strandline_place, " ~ task.granularity.step ~ "L) <> 0 then raise_error(concat("
        ~ strandline._literal(task.who ~ ": " ~ task.name ~ " has rows of ") ~ ", " ~ key ~ ", ' at ', strandline_start, ' and at ', " ~ next ~ ", "
        ~ strandline._literal("; a series has one row a bucket of '" ~ task.granularity.text ~ "': add what tells them apart to `key`, or correct `granularity`")
        ~ ")) else true end") -}}
{% endmacro %}

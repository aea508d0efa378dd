{#- True where a bucket begins; anything else stops the query. -#}
{% macro _is_start(ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- set starts = ts ~ ' is not null' if unit == 'micros' else ts ~ ' <=> ' ~ strandline._calendar_bucket(ts, unit, task.zone) ~ ' and ' ~ ts ~ ' is not null' -%}
    {%- set told = strandline._quoted(", where no " ~ ('bucket' if unit == 'micros' else unit[:-1]) ~ " begins in " ~ task.zone
        ~ "; `" ~ task.ts ~ "` must be the start of a bucket of '" ~ task.granularity.text ~ "': is `zone` right?") -%}
    {{- return("if(" ~ starts ~ ", true, raise_error(concat('" ~ strandline._quoted(task.who ~ ": " ~ task.name) ~ " has a row at ', coalesce(cast("
        ~ ts ~ " as string), 'null'), '" ~ told ~ "')))") -}}
{% endmacro %}

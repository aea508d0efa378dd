{#- The first day (UTC) of the month or year that a bucket's start lies in: the value by which
    a summary table is partitioned. -#}
{% macro _partition_of(ts, unit) %}
    {{- "trunc(date_from_unix_date(cast(floor(unix_seconds(" ~ ts ~ ") / 86400) as int)), '" ~ unit ~ "')" -}}
{% endmacro %}

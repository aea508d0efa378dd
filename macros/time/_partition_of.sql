{#- The first day of the week (a Monday), month or year in which a bucket begins by its zone's clock:
    the value by which a summary table is partitioned. -#}
{% macro _partition_of(ts, unit, time_zone) %}
    {{- return("trunc(date_from_unix_date(" ~ strandline._local_day(ts, time_zone) ~ "), '" ~ unit ~ "')") -}}
{% endmacro %}

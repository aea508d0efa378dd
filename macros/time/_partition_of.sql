{#- The first day of the week (a Monday), month or year in which a bucket begins by its zone's clock:
    the value by which a summary table is partitioned. Weeks, which every row of a table of seconds
    is asked for, are whole numbers; day 4 of 1970 was a Monday. -#}
{% macro _partition_of(ts, unit, time_zone) %}
    {%- set day = strandline._local_day(ts, time_zone) -%}
    {%- if unit == 'week' -%}
        {{- return("date_from_unix_date(" ~ day ~ " - pmod(" ~ day ~ " - 4, 7))") -}}
    {%- endif -%}
    {{- return("trunc(date_from_unix_date(" ~ day ~ "), '" ~ unit ~ "')") -}}
{% endmacro %}

{#- The date of an instant by a zone's clock, as days since 1970-01-01. Whole numbers only: dates
    are never asked of Spark's functions that look at the session's zone. -#}
{% macro _local_day(ts, time_zone) %}
    {%- set seconds = "unix_seconds(" ~ strandline._local(ts, time_zone) ~ ")" -%}
    {{- return("cast((" ~ seconds ~ " - pmod(" ~ seconds ~ ", 86400)) div 86400 as int)") -}}
{% endmacro %}

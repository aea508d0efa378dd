{#- A whole number of Unix milliseconds as a TIMESTAMP; null outside the years 1 to 9999, which Spark
    cannot all hold. -#}
{% macro _millis_instant(millis) -%}
timestamp_millis(case when {{ millis }} between -62135596800000 and 253402300799999 then {{ millis }} end)
{%- endmacro %}

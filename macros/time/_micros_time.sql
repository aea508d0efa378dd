{#- Unix microseconds as a TIMESTAMP that Spark folds into a literal, so that files are skipped by it. -#}
{% macro _micros_time(micros) %}
    {{- return('timestamp_micros(' ~ micros ~ 'L)') -}}
{% endmacro %}

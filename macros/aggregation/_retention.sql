{% macro _retention(retention, durations, faults) %}{{- return({}) -}}{% endmacro %}

{#- An empty table of anomalies as a query: what the first build finds stored. -#}
{% macro _no_anomalies(task) %}
    {%- set never = 'cast(null as timestamp)' -%}
    {%- set given = strandline._new_anomaly({'frame_end': never, 'run_at': never}) -%}
    {%- do given.update({'anomaly_id': 'cast(null as string)'}) -%}
    {{- return('select ' ~ strandline._anomaly_row(task, 'd', given) ~ ' from (' ~ strandline._detected(task) ~ ') as d where false') -}}
{% endmacro %}

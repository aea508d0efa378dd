{#- What is new for one aggregation table: the partitions that are touched, and their rows. The
    finest adds the new events to its stored rows; a coarser one takes its buckets anew from
    all their finer rows, so that it is always their exact merge. -#}
{% macro _aggregation_change(relation, task, properties) %}
    {%- set change = strandline['_events_change' if task.from_events else '_rollup_change'](relation, task, properties) -%}
    {{- return(change) -}}
{% endmacro %}

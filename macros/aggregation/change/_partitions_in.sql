{#- The partitions that a query names in its column `agg_partition`, each once, as a list of texts. -#}
{% macro _partitions_in(query) %}
    {%- set row = run_query("select array_join(collect_set(cast(agg_partition as string)), ',') from (" ~ query ~ ")").rows[0] -%}
    {{- return((row[0] or '').split(',') | select | sort | list) -}}
{% endmacro %}

{#- What a query of changes, with the columns `agg_partition` and `agg_arrival`, comes to: `partitions`, each
    once, as sorted texts, and the latest arrival as `seen`. What arrives after the query is left to
    the next run: its partitions are not known. -#}
{% macro _touched(query) %}
    {%- set row = run_query("select array_join(collect_set(cast(agg_partition as string)), ','), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ query ~ ")").rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'seen': strandline._typed_literal(row[1], row[2]),
    }) -}}
{% endmacro %}

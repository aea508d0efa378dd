{#- A literal predicate on a feed's partitions that keeps at least all rows from which the buckets of
    other partitions are made. -#}
{% macro _touching_partitions(dates, unit, feed_unit) %}
    {%- set ranges = [] -%}
    {%- set lead = modules.datetime.timedelta(days={'week': 6, 'month': 30, 'year': 365}[feed_unit]) -%}
    {%- for first, last in strandline._partition_spans(dates, unit, slack=1) -%}
        {%- do ranges.append("agg_partition between date'" ~ (first - lead) ~ "' and date'" ~ last ~ "'") -%}
    {%- endfor -%}
    {{- return('(' ~ ranges | join(' or ') ~ ')') -}}
{% endmacro %}

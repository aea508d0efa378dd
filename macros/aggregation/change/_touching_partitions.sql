{#- A literal predicate on a feed's partitions that keeps all rows from which the buckets of other partitions are
    made. Where clocks do not change near the partitions' edges, these are just the partitions
    of the same days. -#}
{% macro _touching_partitions(dates, unit, feed_unit, time_zone) %}
    {%- set slack = 0 if strandline._is_calm(strandline._partition_spans(dates, unit), time_zone) else 1 -%}
    {%- set nests = feed_unit == unit or (feed_unit == 'month' and unit == 'year') -%}
    {%- set lead = 0 if nests and not slack else {'week': 6, 'month': 30, 'year': 365}[feed_unit] -%}
    {%- set ranges = [] -%}
    {%- for first, last in strandline._partition_spans(dates, unit, slack) -%}
        {%- do ranges.append("agg_partition between date'" ~ (first - modules.datetime.timedelta(days=lead)) ~ "' and date'" ~ last ~ "'") -%}
    {%- endfor -%}
    {{- return('(' ~ ranges | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The properties that a new aggregation table is created with: statistics of just the columns by
    which runs find what they need keep the log small, however many parts there are. Refuses to
    make a table from finer rows of which some have been purged. -#}
{% macro _aggregation_properties(task) %}
    {%- set purged = strandline._properties_of(task.feed).get('strandline.purged_before')
        if not task.from_events and not task.feed.startswith('(') else none -%}
    {%- if purged -%}
        {%- do strandline._refuse('aggregation ' ~ task.aggregation, [task.feed_name ~ " has been purged of all before " ~ purged
            ~ ": rebuilt from what is left of it, " ~ task.duration ~ " would lose what they hold of that time; rebuild from the "
            ~ "events, `dbt build --full-refresh --select " ~ task.feed_name ~ "+`, or drop the table if that is meant"]) -%}
    {%- endif -%}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'}) -}}
{% endmacro %}

{#- The materialization of one table of an aggregation. The first build, and a full refresh, create
    it from the body. Every other run computes what has changed since the table's own watermark, and
    writes it in one commit, or writes nothing. -#}
{% materialization strandline_aggregation, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- set task = run.task -%}
    {%- if run.is_new -%}
        {%- set properties = strandline._aggregation_properties(task) -%}
        {%- do strandline._create(run, strandline._create_table(this, task, compiled_code, properties)) -%}
        {%- do strandline._report_created(this, strandline._late_events_of_empty(this, task)) -%}
    {%- else -%}
        {%- set region = strandline._recomputed_range(this, task) -%}
        {%- if not task.from_events -%}
            {%- set change = strandline._rollup_change(this, task, run.properties, region) -%}
        {%- elif region -%}
            {%- set change = strandline._recomputed_change(this, task, run.properties, region) -%}
        {%- else -%}
            {%- set change = strandline._events_change(this, task, run.properties) -%}
        {%- endif -%}
        {%- do strandline._write_change(this, change) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

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

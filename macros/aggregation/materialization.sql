{#- The materialization of one table of an aggregation. The first build and a full refresh create it
    from the body. Every other run computes the changes above the table's own watermark and writes
    them in one commit, or writes nothing. -#}
{% materialization strandline_aggregation, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set task = run.task -%}
    {%- if run.is_new -%}
        {%- set properties = strandline._aggregation_properties(task) -%}
        {%- do strandline._create(run,
            strandline._create_table(this, task, compiled_code, properties)) -%}
        {%- do strandline._report_created(this, strandline._late_events_of_empty(this, task)) -%}
    {%- else -%}
        {%- set time_range = strandline._recomputed_range(this, task) -%}
        {%- if not task.is_base -%}
            {%- set change = strandline._rollup_change(this, task, run.properties, time_range) -%}
        {%- elif time_range -%}
            {%- set change = strandline._recomputed_change(this, task, run.properties,
                time_range) -%}
        {%- else -%}
            {%- set change = strandline._events_change(this, task, run.properties) -%}
        {%- endif -%}
        {%- do strandline._write_change(this, change) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The properties of a new aggregation table. Statistics are limited to the columns by which runs
    search, which keeps the log small however many parts there are. Fails if the upstream table has
    been purged. -#}
{% macro _aggregation_properties(task) %}
    {%- set purged = strandline._properties_of(task.upstream).get('strandline.purged_before')
        if not task.is_base and not task.upstream.startswith('(') else none -%}
    {%- if purged -%}
        {%- do strandline._refuse('aggregation ' ~ task.aggregation,
            ["the rows of " ~ task.upstream_name ~ " before " ~ purged
            ~ " have been purged: rebuilt from the other rows, " ~ task.duration
            ~ " would lose that time; rebuild from the events, `dbt build --full-refresh --select "
            ~ task.upstream_name
            ~ "+`, or drop the table if the loss is intended"]) -%}
    {%- endif -%}
    {{- return({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'}) -}}
{% endmacro %}

{#- The steps that the materializations of incremental tables share. Each part has its own
    materialization, which says what a run changes: `_begin_run`, then `_create` or `_write_change`,
    then `_finish_run`. The task is stored with the table; a table that was built under another
    task is never written into. -#}
{% macro _begin_run(compiled) %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set task = strandline._read_task(compiled) -%}
    {%- set is_new = existing is none or should_full_refresh() or not existing.is_table -%}
    {%- do strandline._without_old_token() -%}
    {%- do run_hooks(pre_hooks) -%}
    {%- set properties = {} if is_new else strandline._properties_of(this) -%}
    {%- if not is_new -%}{%- do strandline._check_configuration(this, task, properties) -%}{%- endif -%}
    {{- return({'task': task, 'existing': existing, 'is_new': is_new, 'properties': properties}) -}}
{% endmacro %}

{#- Creates or replaces the table by a statement of `_create_table`; a view in its place is dropped. -#}
{% macro _create(run, sql) %}
    {%- if run.existing is not none and not run.existing.is_table -%}
        {%- do adapter.drop_relation(run.existing) -%}
    {%- endif -%}
    {%- call statement('main') -%}{{ sql }}{%- endcall -%}
{% endmacro %}

{#- Says what a new table lacks, as the model's message: its late events, if there are any. -#}
{% macro _report_created(relation, late) %}
    {%- if late and late.count -%}
        {%- call noop_statement('main', message='created; ' ~ strandline._late_message(late)) -%}{%- endcall -%}
        {%- do strandline._warn_if_all_late(relation, late) -%}
    {%- endif -%}
{% endmacro %}

{#- Writes a change, and reports it as the model's message. A change is none, or a mapping: `sql`
    gives the rows; with `partitions` they replace what these hold, without they are appended.
    `watermark` is the greatest value of `column` (agg_arrival unless it is given) when the change
    was computed. `properties` are set on the table after its rows are written. Partitions are
    replaced by their files, not by a delete of rows and an insert, which is Delta's default. -#}
{% macro _write_change(relation, change) %}
    {%- if change is none -%}
        {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set message = 'read, nothing late' -%}
    {%- if change.partitions -%}
        {%- do run_query('set spark.databricks.delta.replaceWhere.dataColumns.enabled = false') -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- do run_query('reset spark.databricks.delta.replaceWhere.dataColumns.enabled') -%}
        {%- set message = 'rewrote ' ~ change.partitions | length ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] -%}
    {%- elif change.sql -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- set message = 'added rows' -%}
    {%- elif change.late and not change.properties -%}
        {%- set message = 'nothing new' -%}
    {%- endif -%}
    {%- if change.late and change.late.count -%}
        {%- set message = message ~ '; ' ~ strandline._late_message(change.late) -%}
    {%- endif -%}
    {%- if change.properties -%}{%- do strandline._set_properties(relation, change.properties) -%}{%- endif -%}
    {%- call noop_statement('main', message=message) -%}{%- endcall -%}
    {%- if change.late -%}{%- do strandline._warn_if_all_late(relation, change.late) -%}{%- endif -%}
{% endmacro %}

{#- One commit that replaces the rows of some partitions, or appends rows. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
select * from (
{{ change.sql }}
)
where {{ strandline._assert_no_concurrent_write(relation, change.watermark, change.column or 'agg_arrival') }}
{%- endmacro %}

{#- Grants, descriptions and hooks; gives what a materialization returns. -#}
{% macro _finish_run(run) %}
    {%- do apply_grants(this, config.get('grants'), should_revoke(run.existing, full_refresh_mode=true)) -%}
    {%- do persist_docs(this, model) -%}
    {%- do run_hooks(post_hooks) -%}
    {{- return({'relations': [this.incorporate(type='table')]}) -}}
{% endmacro %}

{#- Late events in words, as part of a model's message. -#}
{% macro _late_message(late) %}
    {{- return(late.count ~ ' of ' ~ late.events ~ (' event' if late.events == 1 else ' events') ~ (' is' if late.count == 1 else ' are')
        ~ ' late: ' ~ late.reasons | join('; ')) -}}
{% endmacro %}

{#- Warns when no event of a run counts. Copies of events that were counted before are no reason. -#}
{% macro _warn_if_all_late(relation, late) %}
    {%- set unexpected = [] -%}
    {%- for reason in late.reasons if not reason.startswith('duplicate: ') -%}{%- do unexpected.append(reason) -%}{%- endfor -%}
    {%- if unexpected and late.count == late.events -%}
        {%- do exceptions.warn(relation.identifier ~ ': no event of this run counts; ' ~ strandline._late_message(late)) -%}
    {%- endif -%}
{% endmacro %}

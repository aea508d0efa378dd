{#- The materialization of every summary table. The first build, and a full refresh, create the
    table from the body. Every other run asks what changed since the table's own state, and writes
    just that in one commit, or writes nothing. The task is stored with the table, and a table
    built under another one is never written into. -#}
{% materialization strandline_summary, adapter='spark' %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set grants = config.get('grants') -%}
    {%- set task = strandline._read_task(compiled_code) -%}

    {%- do strandline._without_old_token() -%}
    {{ run_hooks(pre_hooks) }}

    {%- if existing is none or should_full_refresh() or not existing.is_table -%}
        {%- if existing is not none and not existing.is_table -%}{%- do adapter.drop_relation(existing) -%}{%- endif -%}
        {%- call statement('main') -%}
            {{ strandline._create_summary(this, task, compiled_code) }}
        {%- endcall -%}
        {%- set late = task.late or strandline._late_of_empty(this, task) -%}
        {%- if late and late.count -%}
            {%- call noop_statement('main', message='created; ' ~ strandline._late_message(late)) -%}{%- endcall -%}
            {%- do strandline._warn_if_all_late(this, late) -%}
        {%- endif -%}
    {%- else -%}
        {%- set properties = strandline._properties_of(this) -%}
        {%- do strandline._check_configuration(this, task, properties) -%}
        {%- set change = strandline._change(this, task, properties) -%}
        {%- if change is not none and not strandline._write_change(this, change) -%}
            {%- do task.update({'asks': true}) -%}
            {%- set change = strandline._change(this, task, properties) -%}
            {%- if change is not none -%}{%- do strandline._write_change(this, change) -%}{%- endif -%}
        {%- endif -%}
        {%- if change is none -%}
            {%- call noop_statement('main', message='nothing new', rows_affected=0) -%}{%- endcall -%}
        {%- endif -%}
    {%- endif -%}

    {%- do apply_grants(this, grants, should_revoke(existing, full_refresh_mode=true)) -%}
    {%- do persist_docs(this, model) -%}

    {{ run_hooks(post_hooks) }}

    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}

{#- What a run has to write into a summary table: none when nothing is new, else a mapping.
    `sql` gives the rows (or is none); with `partitions` they replace what these hold, without they
    are appended. `consumed` is how far the table was when the change was worked out, by the greatest
    value of `column` (agg_arrival unless it is given); with `presumes` that is not known, but taken to be so, and `presumes` is the
    error with which the write stops where it is not: the change is then asked for once more, with `asks` in the task. `properties` are set on the table after its
    rows are written. Each kind of task has its macro, `_<kind>_change`. -#}
{% macro _change(relation, task, properties) %}
    {{- return(context['strandline']['_' ~ task.kind ~ '_change'](relation, task, properties)) -}}
{% endmacro %}

{#- Writes a change, and tells dbt what it came to as the model's result; false where nothing is written, because what
    the change presumes does not hold. Properties that speak of the rows are set only when these are there. Partitions
    are replaced by their files, not by a delete of rows and an insert, which is what Delta does by default. -#}
{% macro _write_change(relation, change) %}
    {%- set told = namespace(message='looked, nothing late') -%}
    {%- if change.partitions -%}
        {%- do run_query('set spark.databricks.delta.replaceWhere.dataColumns.enabled = false') -%}
        {%- if change.presumes -%}
            {%- if not adapter.attempt(strandline._insert_rows(relation, change), change.presumes) -%}{{- return(false) -}}{%- endif -%}
        {%- else -%}
            {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- endif -%}
        {%- do run_query('reset spark.databricks.delta.replaceWhere.dataColumns.enabled') -%}
        {%- set told.message = 'rewrote ' ~ change.partitions | length ~ (' partition' if change.partitions | length == 1 else ' partitions')
            ~ ', from ' ~ change.partitions[0] -%}
    {%- elif change.sql -%}
        {%- do run_query(strandline._insert_rows(relation, change)) -%}
        {%- set told.message = 'added rows' -%}
    {%- elif change.late and not change.properties -%}
        {%- set told.message = 'nothing new' -%}
    {%- endif -%}
    {%- if change.late and change.late.count -%}
        {%- set told.message = told.message ~ '; ' ~ strandline._late_message(change.late) -%}
    {%- endif -%}
    {%- if change.properties -%}{%- do strandline._set_properties(relation, change.properties) -%}{%- endif -%}
    {%- call noop_statement('main', message=told.message) -%}{%- endcall -%}
    {%- if change.late -%}{%- do strandline._warn_if_all_late(relation, change.late) -%}{%- endif -%}
    {{- return(true) -}}
{% endmacro %}

{#- One commit that replaces the rows of some partitions, or appends rows; none when another run has
    written since this one asked how far the table is, or where that was presumed and is not so. -#}
{% macro _insert_rows(relation, change) -%}
insert into {{ relation }}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
select * from (
{{ change.sql }}
)
where {{ strandline._is_as_far(relation, change) if change.presumes
    else strandline._still(relation, change.consumed, change.column or 'agg_arrival') }}
{%- endmacro %}

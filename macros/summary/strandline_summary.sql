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

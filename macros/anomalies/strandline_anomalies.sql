{#- The materialization of a table of anomalies. The first build, and a full refresh, create it; every other run merges the rows
    that differ, in one commit, or writes nothing. How far scheduled runs have analysed, the mark, is a property of
    the table, as is the task: under another one it is never written into. -#}
{% materialization strandline_anomalies, adapter='spark' %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set grants = config.get('grants') -%}
    {%- set task = strandline._read_task(compiled_code) -%}
    {%- set is_new = existing is none or should_full_refresh() or not existing.is_table -%}

    {%- do strandline._without_old_token() -%}
    {{ run_hooks(pre_hooks) }}

    {%- set properties = {} if is_new else strandline._properties_of(this) -%}
    {%- if not is_new -%}{%- do strandline._check_configuration(this, task, properties) -%}{%- endif -%}
    {%- set mark = properties.get('strandline.mark') -%}
    {%- set run = strandline._anomaly_run(task, none if mark is none else strandline._text_micros(mark)) -%}

    {%- if is_new -%}
        {%- set create = strandline._create_anomalies(this, task, run) -%}
        {%- if existing is not none and not existing.is_table -%}{%- do adapter.drop_relation(existing) -%}{%- endif -%}
        {%- call statement('main') -%}{{ create }}{%- endcall -%}
    {%- elif run is none -%}
        {%- call noop_statement('main', message='no new granule', rows_affected=0) -%}{%- endcall -%}
    {%- else -%}
        {%- set written = strandline._write_anomalies(this, task, run, properties['strandline.build']) -%}
        {%- call noop_statement('main', message=written) -%}{%- endcall -%}
    {%- endif -%}
    {%- if run is not none -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}

    {%- do apply_grants(this, grants, should_revoke(existing, full_refresh_mode=true)) -%}
    {%- do persist_docs(this, model) -%}

    {{ run_hooks(post_hooks) }}

    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}

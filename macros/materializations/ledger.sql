{#- The query of a ledger, with all that it reads: `name` is what the tables belong to, and `tables`
    say of each its name, relation and whether its rows are kept. Of `more`: with `corrects` events
    may be added or removed later; `late_arrival` is a query of the last arrival that `late` has
    read, else a property of it; `rebuild` selects what a full refresh is for. -#}
{% macro _ledger_body(name, source, arrival, tables, late, quarantine, more={}) %}
    {{- config(materialized='strandline_ledger', file_format=strandline._file_format()) -}}
    {%- if execute -%}
        {%- set task = {'kind': 'ledger', 'aggregation': name, 'upstream': source | string,
            'upstream_name': source.identifier, 'arrival': arrival,
            'arrival_type': strandline._types_of(source).get(arrival | lower, 'bigint'),
            'has_lookback': more.get('has_lookback') or none,
            'settings': dict(tables=tables, late=late | string,
                quarantine=quarantine | string if quarantine else none, **more)} -%}
        {{- strandline._task_line(task) }}
select
    (select max({{ strandline._quoted(task.arrival) }}) from {{ task.upstream }}) as arrival,
    (select count(*) from {{ task.upstream }}) as received,
    {%- for table in tables %}
    (select sum(agg_count) from {{ table.relation }}) as {{ table.name }},
    {%- endfor %}
    (select count(*) from {{ late }}) as late
    {%- if quarantine %},
    (select count(*) from {{ quarantine }}) as quarantined
    {%- endif %}
    {%- endif -%}
{% endmacro %}

{#- The materialization of a ledger. A run that does not balance fails, and nothing is written. -#}
{% materialization strandline_ledger, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- set last = strandline._ledger_last(none if run.is_new else this) -%}
    {%- do last.update({'removed': run.properties.get('strandline.removed', 0) | int}) -%}
    {%- set found = strandline._ledger_found(run.task, last) -%}
    {#- Before the row: a run that was killed in between finds the same figures again. -#}
    {%- if found.get('removed', last.removed) != last.removed -%}
        {%- do strandline._set_properties(this, {'strandline.removed': found.removed}) -%}
    {%- endif -%}
    {%- if run.is_new -%}
        {%- do strandline._create(run, strandline._create_table(this, run.task,
            strandline._ledger_row(run.task, found, last), {})) -%}
    {%- elif found.is_new -%}
        {%- do run_query(strandline._insert_rows(this, {'sql': strandline._ledger_row(run.task,
            found, last), 'watermark': last.run, 'column': 'run'})) -%}
    {%- endif -%}
    {%- call noop_statement('main', message=found.message) -%}{%- endcall -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The last row of a ledger; zeros before the first one. -#}
{% macro _ledger_last(relation) %}
    {%- set counts = ['run', 'received', 'applied', 'purged', 'duplicates', 'late', 'unusable',
        'quarantined', 'corrected'] -%}
    {%- set rows = run_query('select ' ~ strandline._exact_text('arrival') ~ ', typeof(arrival), '
        ~ counts | join(', ') ~ ' from ' ~ relation ~ ' order by run desc limit 1').rows
        if relation else [] -%}
    {%- set last = {'arrival': strandline._typed_literal(rows[0][0], rows[0][1]) if rows else none}
        -%}
    {%- for name in counts -%}
        {%- do last.update({name: rows[0][loop.index + 1] | int if rows else 0}) -%}
    {%- endfor -%}
    {{- return(last) -}}
{% endmacro %}

{#- The next row of a ledger; none before anything was read. -#}
{% macro _ledger_row(task, found, last) -%}
select
    cast({{ last.run + 1 }} as bigint) as run,
    cast({{ found.get('arrival') or 'null' }} as {{ task.arrival_type }}) as arrival
    {%- for name in ['received', 'applied', 'purged', 'duplicates', 'late', 'unusable',
        'quarantined', 'corrected'] %},
    cast({{ found.get('counts', {}).get(name, 0) }} as bigint) as {{ name }}
    {%- endfor %}
{%- if not found.is_new %}
where false
{%- endif %}
{%- endmacro %}

{#- What to pass as the quarantine of a ledger, for messages. -#}
{% macro _quarantine_form() %}
    {{- return("pass a relation such as source('raw', 'orders_quarantine'), or leave it out") -}}
{% endmacro %}

{#- The late table of an aggregation or of a table of points: the rows of the source that do not
    count, with all their columns and the reason. Both describe what a run classifies as a mapping:

    sql        CTEs; the last one has the columns of the source and `late_reason`
    rows       the name of the last one
    noun       what a row is, for messages: event or point
    arrival    the arrival of a row, in SQL
    is_new     which rows are late and not stored yet
    is_read    which rows the run reads for the first time; none for all
    read       the arrival up to which rows were read before, if some are read again; else none
    last       the greatest arrival in the late table, read before anything else: the write fails
               if another run has added rows since
    newest     an aggregate of the rows that the next run needs, as text; none without it -#}
{% macro _late_rows(task, classified) %}
{{ classified.sql }}

select
    {%- for column in task.columns %}
    {{ strandline._quoted(column) }},
    {%- endfor %}
    late_reason
from {{ classified.rows }}
where {{ classified.is_new }}
{%- endmacro %}

{#- Creates a late table from its body, or appends the late rows that are not stored yet. The
    watermark is a property. It may be behind the rows, but never ahead of them: it is read before
    the rows of a new table, and set after those of an existing one. So a run that was killed
    between the two commits reads the same rows again and stores none twice. -#}
{% macro _write_late(run, body, classified) %}
    {%- set stored = strandline._late_watermark(run.properties) -%}
    {%- set found = strandline._found_late(classified) -%}
    {%- set properties = {} if found.arrival is none else {'strandline.watermark': tojson({
        'arrival': found.arrival, 'newest': found.newest or stored.get('newest')})} -%}
    {%- if run.is_new -%}
        {%- do strandline._create(run,
            strandline._create_table(this, run.task, body, properties)) -%}
        {%- do strandline._report_created(this, found.late) -%}
    {%- elif found.arrival is none -%}
        {%- do strandline._write_change(this, none) -%}
    {%- else -%}
        {%- do strandline._write_change(this, {
            'sql': strandline._late_rows(run.task, dict(classified, is_new='(' ~ classified.is_new
                ~ ') and ' ~ classified.arrival ~ ' <= ' ~ found.arrival))
                if found.late.count else none,
            'properties': properties, 'late': found.late, 'watermark': classified.last,
            'column': strandline._quoted(run.task.arrival)}) -%}
    {%- endif -%}
{% endmacro %}

{#- Which rows of its source a late table has read, as a condition; none if it has read nothing. -#}
{% macro _rows_read_by_late(_, task, properties) %}
    {%- set last = strandline._late_watermark(properties).get('arrival') -%}
    {{- return(none if last is none else strandline._quoted(task.arrival) ~ ' <= ' ~ last) -}}
{% endmacro %}

{#- The stored watermark of a late table: `arrival` as a literal, and `newest`; empty before the
    first row. -#}
{% macro _late_watermark(properties) %}
    {{- return(fromjson(properties.get('strandline.watermark', '{}'))) -}}
{% endmacro %}

{#- Of classified rows: the latest arrival (none if there are no new rows), `newest`, and the counts
    of late rows that are not stored yet. -#}
{% macro _found_late(classified) %}
    {%- set latest = 'max(' ~ classified.arrival ~ ')' -%}
    {%- set row = run_query(classified.sql ~ ' select ' ~ strandline._exact_text(latest
            if not classified.read
            else 'if(count(*) > 0, greatest(' ~ latest ~ ', ' ~ classified.read ~ '), null)')
        ~ ', typeof(' ~ latest ~ '), cast(' ~ (classified.newest or 'null') ~ ' as string), '
        ~ strandline._late_counts(classified.is_new) ~ ' from ' ~ classified.rows
        ~ (' where ' ~ classified.is_read if classified.is_read else '')).rows[0] -%}
    {{- return({'arrival': strandline._typed_literal(row[0], row[1]), 'newest': row[2],
        'late': strandline._late_record(classified.noun, [row[3], row[4], row[5]])}) -}}
{% endmacro %}

{#- The number of classified rows, of late ones among them, and their reasons, as columns of a query
    over classified rows. -#}
{% macro _late_counts(condition='late_reason is not null') -%}
    count(*), count_if({{ condition }}),
    array_join(array_sort(collect_set(if({{ condition }}, late_reason, null))), '\n')
{%- endmacro %}

{#- The values of these columns as a record: `noun`, `rows`, `count` and `reasons`. -#}
{% macro _late_record(noun, values) %}
    {{- return({'noun': noun, 'rows': values[0] | int, 'count': values[1] | int,
        'reasons': (values[2] or '').split('\n') | select | list}) -}}
{% endmacro %}

{#- Reports the late rows of a new table, if there are any, as the model's message. -#}
{% macro _report_created(relation, late) %}
    {%- if late and late.count -%}
        {%- call noop_statement('main',
            message='created; ' ~ strandline._late_message(late)) -%}{%- endcall -%}
        {%- do strandline._warn_if_all_late(relation, late) -%}
    {%- endif -%}
{% endmacro %}

{#- The late rows of a run as part of the model's message. -#}
{% macro _late_message(late) %}
    {{- return(late.count ~ ' of ' ~ late.rows ~ ' ' ~ late.noun ~ ('' if late.rows == 1 else 's')
        ~ (' is' if late.count == 1 else ' are')
        ~ ' late: ' ~ late.reasons | join('; ')) -}}
{% endmacro %}

{#- Warns if no row of a run counts. Duplicates of earlier events alone are no reason to warn. -#}
{% macro _warn_if_all_late(relation, late) %}
    {%- set unexpected = [] -%}
    {%- for reason in late.reasons if not reason.startswith('duplicate: ') -%}
        {%- do unexpected.append(reason) -%}
    {%- endfor -%}
    {%- if unexpected and late.count == late.rows -%}
        {%- do exceptions.warn(relation.identifier ~ ': no ' ~ late.noun ~ ' of this run counts; '
            ~ strandline._late_message(late)) -%}
    {%- endif -%}
{% endmacro %}

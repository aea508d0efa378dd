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
    {%- call noop_statement('main', message=found.message,
        rows_affected=none if run.is_new or found.is_new else 0) -%}{%- endcall -%}
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

{#- The argument `quarantine` of a ledger, for `_arguments`. -#}
{% macro _quarantine_argument(quarantine) %}
    {{- return(['relation', quarantine, "pass a relation such as source('raw', "
        ~ "'orders_quarantine'), or leave it out", {'optional': true, 'unread': true}]) -}}
{% endmacro %}

{#- What has happened since the last row: the watermark of all tables (`arrival`), and the counts
    of the next row. Nothing is new if a table is behind: the next run counts its events. -#}
{% macro _ledger_found(task, last) %}
    {%- set tables = strandline._ledger_tables(task) -%}
    {%- set base = tables[0] -%}
    {%- for table in tables if table.arrival != base.arrival -%}
        {{- return({'is_new': false, 'message': 'waits: ' ~ table.name
            ~ ' has not read all rows of ' ~ base.name}) -}}
    {%- endfor -%}
    {%- set longest = (tables | selectattr('is_kept') | list)[-1] -%}
    {%- set read = strandline._ledger_read(task, last, base.arrival,
        strandline._ledger_late_arrival(task)) -%}
    {%- if read.is_behind -%}
        {{- return({'is_new': false, 'message': 'waits: the table of late events has not read all '
            ~ 'events of ' ~ base.name}) -}}
    {%- endif -%}
    {%- set quarantined = run_query('select count(*) from ' ~ task.settings.quarantine).rows[0][0]
        | int if task.settings.quarantine else 0 -%}
    {%- set excess = longest.events - last.applied - last.purged
        - (read.received - read.duplicates - read.late - read.unusable) -%}
    {%- set unread = strandline._ledger_unread(task, last) -%}
    {%- set lower = strandline._ledger_lower(task, last, excess, unread) -%}
    {%- do strandline._refuse_imbalance(task, tables, longest, read, excess, unread, lower) -%}
    {%- set next = {'received': last.received - last.quarantined + read.received + lower.received
            + quarantined,
        'applied': base.events, 'purged': longest.events - base.events,
        'duplicates': last.duplicates + read.duplicates,
        'late': last.late + read.late + lower.late,
        'unusable': last.unusable + read.unusable + lower.unusable, 'quarantined': quarantined,
        'corrected': last.corrected + excess - lower.counted} -%}
    {%- set changes = [] -%}
    {%- for name in next if next[name] != last[name] -%}
        {%- do changes.append((next[name] - last[name]) ~ ' ' ~ name) -%}
    {%- endfor -%}
    {{- return({'is_new': changes | length > 0, 'counts': next,
        'removed': last.get('removed', 0) + lower.received - unread.events,
        'arrival': read.arrival or last.arrival,
        'message': changes | join(', ') or 'nothing new'}) -}}
{% endmacro %}

{#- The number of events in each table of the aggregation, and the last arrival in it. -#}
{% macro _ledger_tables(task) %}
    {%- set queries, found = [], [] -%}
    {%- for table in task.settings.tables -%}
        {%- do queries.append('select ' ~ loop.index0 ~ ' as place, max(agg_arrival) as arrival, '
            ~ 'coalesce(sum(agg_count), 0) as events from ' ~ table.relation) -%}
    {%- endfor -%}
    {%- set query = 'select place, ' ~ strandline._exact_text('arrival')
        ~ ', typeof(arrival), events from (' ~ queries | join(' union all ')
        ~ ') order by place' -%}
    {%- for row in run_query(query).rows -%}
        {%- do found.append(dict(task.settings.tables[row[0] | int], events=row[3] | int,
            arrival=strandline._typed_literal(row[1], row[2]))) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}

{#- The last arrival that the table of late events has read, as a literal; none if it is behind. -#}
{% macro _ledger_late_arrival(task) %}
    {%- if not task.settings.get('late_arrival') -%}
        {{- return(fromjson(strandline._properties_of(task.settings.late).get(
            'strandline.watermark', '{}')).get('arrival')) -}}
    {%- endif -%}
    {%- set rows = run_query(task.settings.late_arrival).rows -%}
    {{- return(strandline._typed_literal(rows[0][0] | string, 'bigint') if rows else none) -}}
{% endmacro %}

{#- The events of the source since the last row, and those among them that are late. `counted` is
    the last arrival in the tables, `late` the last one that the table of late events has read. The
    tables have read all events up to `late` if those above `counted` are all late; otherwise only
    those up to `counted` are in this row. -#}
{% macro _ledger_read(task, last, counted, late) %}
    {%- if late is none -%}
        {{- return({'is_behind': counted is not none, 'received': 0, 'duplicates': 0, 'late': 0,
            'unusable': 0, 'arrival': none}) -}}
    {%- endif -%}
    {%- set arrival = strandline._quoted(task.arrival) -%}
    {%- set new = arrival ~ ' <= ' ~ late
        ~ (' and ' ~ arrival ~ ' > ' ~ last.arrival if last.arrival else '') -%}
    {%- set is_counted = arrival ~ ' <= ' ~ counted if counted else 'false' -%}
    {%- set query -%}
with __received as (
    select {{ is_counted }} as __is_counted from (select * from {{ task.upstream }}) where {{ new }}
),

__rejected as (
    select {{ is_counted }} as __is_counted, late_reason as __reason
    from {{ task.settings.late }}
    where {{ new }}
),

__both as (
    select __is_counted, 'received' as __kind from __received
    union all
    select
        __is_counted,
        case
            when __reason like 'duplicate: %' then 'duplicate'
            when __reason like 'late: %' then 'late'
            else 'unusable'
        end as __kind
    from __rejected
)

select
    coalesce({{ late }} < {{ counted or 'null' }}, false) as is_behind,
    {%- for kind in ["'received'", "'duplicate'", "'late'", "'unusable'"] %}
    count_if(__kind = {{ kind }} and __is_counted),
    count_if(__kind = {{ kind }}){{ ',' if not loop.last }}
    {%- endfor %}
from __both
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {%- set above = [] -%}
    {%- for place in [1, 3, 5, 7] -%}
        {%- do above.append((row[place + 1] | int) - (row[place] | int)) -%}
    {%- endfor -%}
    {%- set is_whole = above[0] == above[1] + above[2] + above[3] -%}
    {%- set place = 2 if is_whole else 1 -%}
    {{- return({'is_behind': row[0] | string | lower == 'true',
        'received': row[place] | int, 'duplicates': row[place + 2] | int,
        'late': row[place + 4] | int, 'unusable': row[place + 6] | int,
        'arrival': late if is_whole else counted}) -}}
{% endmacro %}

{#- The events at or below the last arrival of the ledger that became visible later and were read by
    a lookback: those that are counted now, and those that are in the table of late events. All are
    `received` now. Zeros without a lookback. -#}
{% macro _ledger_lower(task, last, excess, unread) %}
    {%- if not task.has_lookback or not last.arrival -%}
        {{- return({'counted': 0, 'late': 0, 'unusable': 0, 'received': 0}) -}}
    {%- endif -%}
    {%- set row = run_query("select count_if(late_reason like 'late: %'), count_if(late_reason not "
        ~ "like 'late: %') from " ~ task.settings.late ~ ' where '
        ~ strandline._quoted(task.arrival) ~ ' <= ' ~ last.arrival).rows[0] -%}
    {%- set late, unusable = (row[0] | int) - last.late, (row[1] | int) - last.unusable -%}
    {#- Without corrections all of the excess are such events. The count of the source is no bound:
        it may have lost others meanwhile. -#}
    {%- set most = unread.events - late - unusable if task.settings.get('corrects') else excess -%}
    {%- set counted = [[excess, most] | min, 0] | max -%}
    {{- return({'counted': counted, 'late': late, 'unusable': unusable,
        'received': counted + late + unusable}) -}}
{% endmacro %}

{#- What the source has at or below the last arrival of the ledger: `present` events, which are
    `events` more than were read, less those that had been removed before. Fewer is allowed (a
    source may be pruned). `above` are the events above that arrival; their files are found by
    statistics, and Delta answers the count of all events from its log. It is queried first, so that
    an event that is added in between is not taken for one at or below. `newest` is the greatest
    arrival of a source that has no event at or above the last one any more, else none. -#}
{% macro _ledger_unread(task, last) %}
    {%- if not last.arrival -%}{{- return({'events': 0, 'newest': none}) -}}{%- endif -%}
    {%- set all = run_query('select count(*) from ' ~ task.upstream).rows[0][0] | int -%}
    {%- set arrival = strandline._quoted(task.arrival) -%}
    {%- set rows = run_query('select count_if(' ~ arrival ~ ' is distinct from ' ~ last.arrival
        ~ '), count(*) from (select * from ' ~ task.upstream ~ ') where ' ~ arrival ~ ' >= '
        ~ last.arrival ~ ' or ' ~ arrival ~ ' is null').rows -%}
    {%- set present = all - (rows[0][0] | int) -%}
    {%- set newest = none -%}
    {%- if all and not rows[0][1] | int -%}
        {%- set newest = run_query('select cast(max(' ~ arrival ~ ') as string) from '
            ~ task.upstream).rows[0][0] -%}
    {%- endif -%}
    {{- return({'events': present - (last.received - last.quarantined - last.get('removed', 0)),
        'present': present, 'newest': newest, 'arrival': last.arrival}) -}}
{% endmacro %}

{#- Appends a fault if the source was loaded again and its arrivals begin at a lower one: events
    were written since the last row of the ledger, and none at or above its arrival is left. Events
    that were only removed are allowed. Warns where the Delta history does not show it. -#}
{% macro _check_reload(task, unread, faults) %}
    {%- set fault = "the greatest arrival of " ~ task.upstream_name ~ " is " ~ unread.newest
        ~ ", and events up to " ~ strandline._shown_arrival(unread.arrival)
        ~ " were read: " -%}
    {%- set written = none if task.settings.get('corrects')
        else strandline._written_since_row(task.upstream) -%}
    {%- if written -%}
        {%- do faults.append(fault ~ "it was loaded again with lower arrivals, which count as "
            ~ "read (" ~ written ~ "); load it with arrivals that go on") -%}
    {%- elif written is none -%}
        {%- do exceptions.warn("ledger of '" ~ task.aggregation ~ "': " ~ fault ~ "if it was "
            ~ "loaded again, its new events count as read; rebuild the tables") -%}
    {%- endif -%}
{% endmacro %}

{#- The last commit that wrote rows to a Delta table after the last row of this ledger, in words;
    empty if there is none; none if the relation is no Delta table. -#}
{% macro _written_since_row(upstream) %}
    {%- set provider = [] -%}
    {%- for row in run_query('describe extended ' ~ upstream).rows if row[0] == 'Provider' -%}
        {%- do provider.append(row[1] | lower) -%}
    {%- endfor -%}
    {%- if provider != ['delta'] -%}{{- return(none) -}}{%- endif -%}
    {%- set writes = ['WRITE', 'CREATE TABLE AS SELECT', 'REPLACE TABLE AS SELECT',
        'CREATE OR REPLACE TABLE AS SELECT', 'STREAMING UPDATE', 'MERGE', 'COPY INTO', 'RESTORE',
        'CLONE', 'CONVERT'] -%}
    {%- set own = [] -%}
    {%- for row in run_query('describe history ' ~ this).rows if row['operation'] in writes -%}
        {%- do own.append(row['timestamp']) -%}
    {%- endfor -%}
    {%- for row in run_query('describe history ' ~ upstream).rows
        if row['operation'] in writes and own and row['timestamp'] > own[0] -%}
        {{- return("version " ~ row['version'] ~ ", " ~ row['operation']) -}}
    {%- endfor -%}
    {{- return('') -}}
{% endmacro %}

{#- A literal of an arrival in a message: `6` and not `cast('6' as bigint)`. -#}
{% macro _shown_arrival(literal) %}
    {%- set text = modules.re.match("cast\\('(.*)' as \\w+\\)$", literal) -%}
    {{- return(text.group(1) if text else literal) -}}
{% endmacro %}

{#- Fails if an event is nowhere or counted twice. `longest` is a table of which no row is ever
    removed. `excess` events are counted more than the source has; that can be right only where
    events are corrected or removed. `unread` is what the source has at or below the last arrival
    that was read, beyond what was read; a range that is recomputed counts such events, and a
    lookback those in `lower`. -#}
{% macro _refuse_imbalance(task, tables, longest, read, excess, unread, lower) %}
    {%- set faults = [] -%}
    {%- for table in tables if table.events > longest.events
        or table.is_kept and table.events != longest.events -%}
        {%- do faults.append(table.name ~ " counts " ~ table.events ~ " events, and "
            ~ longest.name ~ " " ~ longest.events) -%}
    {%- endfor -%}
    {%- set excess = excess - lower.counted -%}
    {%- set unread = dict(unread, events=unread.events - lower.received) -%}
    {%- if excess and not task.settings.get('corrects') -%}
        {%- do faults.append(excess | abs ~ " of " ~ read.received ~ " new events of "
            ~ task.upstream_name ~ (" are neither counted nor late" if excess < 0
                else " are counted more often than they are there")) -%}
    {%- endif -%}
    {%- if unread.events > ([excess, 0] | max) -%}
        {%- do faults.append(task.upstream_name ~ " has " ~ unread.present
            ~ " events up to arrival " ~ strandline._shown_arrival(unread.arrival) ~ ", and "
            ~ (unread.present - unread.events) ~ " of them were there when they were read: "
            ~ unread.events ~ " became visible afterwards and are counted nowhere, because "
            ~ "arrivals must only grow" ~ task.settings.get('way_out', '')) -%}
    {%- endif -%}
    {%- if unread.newest is not none -%}
        {%- do strandline._check_reload(task, unread, faults) -%}
    {%- endif -%}
    {%- if faults -%}
        {%- do faults.append("rebuild the tables: `dbt build --full-refresh --select "
            ~ (task.settings.get('rebuild') or tables[0].name ~ '+')
            ~ "`; if events were removed from the source on purpose, only this ledger: "
            ~ "`dbt run --full-refresh --select "
            ~ model.name ~ "`") -%}
    {%- endif -%}
    {%- do strandline._refuse("ledger of '" ~ task.aggregation ~ "' does not balance", faults) -%}
{% endmacro %}

{#- What has happened since the last row: how far all tables have read (`arrival`), and the counts
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
    {%- do strandline._refuse_imbalance(task, tables, longest, read, excess) -%}
    {%- set next = {'received': last.received - last.quarantined + read.received + quarantined,
        'applied': base.events, 'purged': longest.events - base.events,
        'duplicates': last.duplicates + read.duplicates, 'late': last.late + read.late,
        'unusable': last.unusable + read.unusable, 'quarantined': quarantined,
        'corrected': last.corrected + excess} -%}
    {%- set changes = [] -%}
    {%- for name in next if next[name] != last[name] -%}
        {%- do changes.append((next[name] - last[name]) ~ ' ' ~ name) -%}
    {%- endfor -%}
    {{- return({'is_new': changes | length > 0, 'counts': next,
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
    {%- set new = task.arrival ~ ' <= ' ~ late
        ~ (' and ' ~ task.arrival ~ ' > ' ~ last.arrival if last.arrival else '') -%}
    {%- set is_counted = task.arrival ~ ' <= ' ~ counted if counted else 'false' -%}
    {%- set query -%}
with received as (
    select {{ is_counted }} as is_counted from (select * from {{ task.upstream }}) where {{ new }}
),

rejected as (
    select {{ is_counted }} as is_counted, late_reason from {{ task.settings.late }} where {{ new }}
),

both as (
    select is_counted, 'received' as kind from received
    union all
    select
        is_counted,
        case
            when late_reason like 'duplicate: %' then 'duplicate'
            when late_reason like 'late: %' then 'late'
            else 'unusable'
        end as kind
    from rejected
)

select
    coalesce({{ late }} < {{ counted or 'null' }}, false) as is_behind,
    {%- for kind in ["'received'", "'duplicate'", "'late'", "'unusable'"] %}
    count_if(kind = {{ kind }} and is_counted),
    count_if(kind = {{ kind }}){{ ',' if not loop.last }}
    {%- endfor %}
from both
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

{#- Fails if an event is nowhere or counted twice. `longest` is a table of which no row is ever
    removed. `excess` events are counted more than the source has; that can be right only where
    events are corrected or removed. -#}
{% macro _refuse_imbalance(task, tables, longest, read, excess) %}
    {%- set faults = [] -%}
    {%- for table in tables if table.events > longest.events
        or table.is_kept and table.events != longest.events -%}
        {%- do faults.append(table.name ~ " counts " ~ table.events ~ " events, and "
            ~ longest.name ~ " " ~ longest.events) -%}
    {%- endfor -%}
    {%- if excess and not task.settings.get('corrects') -%}
        {%- do faults.append(excess | abs ~ " of " ~ read.received ~ " new events of "
            ~ task.upstream_name ~ (" are neither counted nor late" if excess < 0
                else " are counted more often than they are there")) -%}
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

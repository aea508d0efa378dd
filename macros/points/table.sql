{#- The arguments of a table of points, for `_arguments`: those that all of them have, and the `own`
    ones of one kind. -#}
{% macro _points_arguments(source, ts, bucket, keys, arrival, not_after, own) %}
    {{- return(dict({
        'source': ['relation', source,
            "pass a relation: ref('signal') or source('plant', 'signal')"],
        'ts': ['column', ts, "name the column of the points' time"],
        'bucket': ['length', bucket, "write the length of a bucket such as '1 hour' (for months "
            ~ "and years, roll up the days of such a table, or put time_weight into the `select` "
            ~ "of an aggregation)"],
        'keys': ['columns', keys,
            "write a list of columns, such as ['sensor'], or [] for one signal",
            {'reserved': {'names': ['summary'], 'prefix': 'agg_', 'why': 'and summary and names '
                ~ 'that begin with agg_ are columns of the table itself'}}],
        'arrival': ['column', arrival],
        'not_after': ['expression', not_after, strandline._bound_form(), {'optional': true}],
    }, **own)) -}}
{% endmacro %}

{#- What the materialization needs to know of a table of summaries of points, as plain data, beside
    what was read of the arguments. `value` is the column that is summarised, if there is one. The
    bound is a key of its own only if it is given, as in tables of 0.1.0. -#}
{% macro _points_task(summary, read, value, own) %}
    {%- if execute and read.types.source and read.not_after is not none
        and (load_cached_relation(this) is none or should_full_refresh()) -%}
        {%- do strandline._check_row_expressions([['`not_after` is', read.not_after, 'timestamp']],
            '(select * from ' ~ read.source ~ ') as __upstream', read.source, read.types.source,
            read.faults) -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- return({'read': read, 'task': dict({
        'kind': 'points', 'summary': summary, 'upstream': read.source | string,
        'upstream_name': read.source.identifier, 'keys': read['keys'], 'ts': read.ts,
        'value': value, 'bucket': read.bucket, 'arrival': read.arrival,
        'partition': 'week' if read.bucket <= 86400000000 else 'year',
    }, **dict(own, **({'not_after': read.not_after} if read.not_after is not none else {})))}) -}}
{% endmacro %}

{#- The body of a table of summaries of points: the summaries of all points of the source. -#}
{% macro _points_table(given) %}
    {%- set task = given.task -%}
    {{- config(
        materialized='strandline_points',
        file_format=strandline._file_format(),
        unique_key=['agg_timestamp'] + task['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
{{ strandline._all_summaries(task) }}
    {%- endif -%}
{% endmacro %}

{#- All rows of a table of summaries from all points of the source: the body of the first build. -#}
{% macro _all_summaries(task, splits=1) -%}
with __points as (
    {{ strandline._bucketed_points(task) }}
)

{{ strandline._summarised_points(task, '__points', splits) }}
{%- endmacro %}

{#- The materialization of a table of summaries of points. A run recomputes the buckets with new
    points, and replaces their partitions in one commit. -#}
{% materialization strandline_points, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- if run.is_new -%}
        {%- set chosen = strandline._new_points_width(run.task) -%}
        {%- do run.task.update({'width': chosen.width}) -%}
        {%- do strandline._create(run, strandline._create_table(this, run.task,
            strandline._all_summaries(run.task, strandline._splits(run.task.upstream, chosen)),
            dict({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'},
                **strandline._width_property(chosen)))) -%}
    {%- else -%}
        {%- do run.task.update({'width': strandline._stored_width(run.properties).width}) -%}
        {%- set change = strandline._points_change(this, run.task) -%}
        {%- do strandline._write_change(this, change) -%}
        {%- if change and change.late -%}
            {%- do exceptions.warn(strandline._points_warning(this, change.late)) -%}
        {%- endif -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The width of the partitions of a new table. A stored row takes some 60 bytes. -#}
{% macro _new_points_width(task) %}
    {{- return(strandline._chosen_width(task, row_bytes=60,
        counts=strandline._bucket_counts('(' ~ strandline._bucketed_points(task) ~ ')',
            'timestamp_micros(__bucket)', '__bucket', task['keys']))) -}}
{% endmacro %}

{#- Adds the column `agg_late` to a table of 0.1.0, which lists no points that it could not
    add. -#}
{% macro _add_late_column(relation) %}
    {%- set types = strandline._types_of(relation) -%}
    {%- if types and 'agg_late' not in types -%}
        {%- do run_query('alter table ' ~ relation ~ ' add columns (agg_late array<struct<arrival: '
            ~ types['agg_arrival'] ~ ', ts: timestamp>> after summary)') -%}
    {%- endif -%}
{% endmacro %}

{#- The reason of a point that cannot be added to a bucket whose points were removed from the
    source. -#}
{% macro _removed_points_reason() %}
    {{- return('late: it lies between points of its bucket that were removed from the source') -}}
{% endmacro %}

{#- What a run says of points that cannot be added, with the way out. -#}
{% macro _points_warning(relation, late) %}
    {{- return(relation.identifier ~ ': ' ~ late.count
        ~ (' point does' if late.count == 1 else ' points do')
        ~ ' not count, because points of the same bucket, counted before, were removed from the '
        ~ 'source, and only a point before or after all of them can be added; bring the points of '
        ~ 'the table back into the source and rebuild it: `dbt build --full-refresh --select '
        ~ model.name ~ '+`, or leave it as it is') -}}
{% endmacro %}

{#- The incremental change of a table of summaries of points: the buckets with new points,
    recomputed from all their points. Where the source has fewer points of a bucket than are
    stored, the new points are added to the stored summary instead (`_added_points`). The other
    rows of the changed partitions stay. Literal bounds of time skip the source's other files.
    Points that arrive after the first query of the run are left to the next run. -#}
{% macro _points_change(relation, task) %}
    {%- set watermark = strandline._watermark(relation) -%}
    {%- set is_new = strandline._is_new(task, watermark) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(__bucket)',
        strandline._width_of(task), 'UTC') -%}
    {%- set unit = strandline._width_of(task) -%}
    {%- set span = "select " ~ partition
        ~ " as __partition, min(__bucket) as __first, max(__bucket) + " ~ task.bucket
        ~ " as __until, max(__arrival) as __latest, count(*) as __points from ("
        ~ strandline._bucketed_points(task, is_new) ~ ") group by 1" -%}
    {%- set found = run_query("select to_json(sort_array(collect_list(named_struct("
        ~ "'agg_partition', " ~ strandline._partition_text('__partition', unit)
        ~ ", 'first', __first, 'until', __until)))), "
        ~ strandline._exact_text('max(__latest)') ~ ", typeof(max(__latest)), sum(__points) from ("
        ~ span ~ ")").rows[0] -%}
    {%- if found[1] is none -%}{{- return(none) -}}{%- endif -%}
    {%- do strandline._add_late_column(relation) -%}

    {%- set is_read = "__upstream." ~ strandline._quoted(task.arrival) ~ " <= "
        ~ strandline._typed_literal(found[1], found[2]) -%}
    {%- set texts, bounds, time = [], [], strandline._point_time(task) -%}
    {%- for span in fromjson(found[0]) -%}
        {%- do texts.append(span.agg_partition) -%}
        {%- do bounds.append(time ~ " >= timestamp_micros(" ~ span.first ~ ") and " ~ time
            ~ " < timestamp_micros(" ~ span.until ~ ")") -%}
    {%- endfor -%}
    {%- set partitions = strandline._partitions_in(texts | join(','), unit) -%}
    {%- set in_partitions = strandline._in_partitions(partitions, unit) -%}
    {%- set new = strandline._bucketed_points(task,
        (is_new ~ ' and ' if is_new else '') ~ is_read) -%}
    {%- set all = strandline._bucketed_points(task, is_read ~ ' and (' ~ bounds | join(' or ')
        ~ ')') -%}
    {%- set points = strandline._points_of_changed_buckets(task, new, all, watermark) -%}
    {%- set change = {'partitions': partitions, 'is_replaced': in_partitions,
        'watermark': watermark} -%}

    {%- set pruned = points ~ strandline._pruned_buckets(relation, task, in_partitions) -%}
    {%- if not watermark or run_query(pruned ~ ' select count(*) from __pruned').rows[0][0] | int
        == 0 -%}
        {{- return(dict(change, sql=points ~ '\n\n'
            ~ strandline._summarised_points(task, '__current')
            ~ strandline._unchanged_buckets(relation, task, in_partitions))) -}}
    {%- endif -%}
    {%- set refused = run_query(pruned ~ strandline._new_points_of_pruned(task)
        ~ ' select count_if(not __is_added) from __new_of_pruned').rows[0][0] | int -%}
    {{- return(dict(change, sql=pruned ~ strandline._added_points(task)
        ~ strandline._unchanged_buckets(relation, task, in_partitions),
        late={'noun': 'point', 'rows': found[3] | int, 'count': refused,
            'reasons': [strandline._removed_points_reason()]} if refused else none)) -}}
{% endmacro %}

{#- The buckets with new points and all their points that the source has, as CTEs that end in
    `__current`. -#}
{% macro _points_of_changed_buckets(task, new, all, watermark) -%}
with __changed_buckets as (
    select distinct __bucket{{ strandline._key_list(task) }}
    from (
    {{ new }}
    )
),

__current as (
    select *, {{ '__arrival > ' ~ watermark if watermark else 'true' }} as __is_new
    from (
    {{ all }}
    ) as __point
    where exists (select 1 from __changed_buckets
        where {{ strandline._same_bucket(task, '__changed_buckets', '__point') }})
)
{%- endmacro %}

{#- The stored rows of the changed partitions that have no new points. -#}
{% macro _unchanged_buckets(relation, task, in_partitions) %}
union all
select *
from {{ relation }} as __stored
where {{ in_partitions }}
    and not exists (select 1 from __changed_buckets
        where {{ strandline._same_bucket(task, '__changed_buckets') }})
{%- endmacro %}

{#- The keys of a table, quoted, each after a comma. -#}
{% macro _key_list(task, prefix='') -%}
    {%- for key in task['keys'] %}, {{ prefix }}{{ strandline._quoted(key) }}{% endfor -%}
{%- endmacro %}

{#- Whether a row belongs to a bucket of another relation: a row of points, or of the stored table
    (the default). -#}
{% macro _same_bucket(task, buckets, rows='__stored') -%}
    {{ buckets }}.__bucket = {{ 'unix_micros(__stored.agg_timestamp)' if rows == '__stored'
        else rows ~ '.__bucket' }}
        and {{ strandline._same_columns(task['keys'], buckets, rows) }}
{%- endmacro %}

{#- The stored rows of changed buckets whose points the source no longer has, as a CTE: it has fewer
    points up to the watermark than are stored, or this was found in an earlier run. -#}
{% macro _pruned_buckets(relation, task, in_partitions) -%}
,

__source_counts as (
    select __bucket{{ strandline._key_list(task) }}, count_if(not __is_new) as __points
    from __current
    group by __bucket{{ strandline._key_list(task) }}
),

__pruned as (
    select __stored.*, __source_counts.__bucket
    from {{ relation }} as __stored
    join __source_counts
        on {{ strandline._same_bucket(task, '__source_counts') }}
    where {{ in_partitions }}
        and (__stored.agg_late is not null or __source_counts.__points < __stored.agg_count)
)
{%- endmacro %}

{#- The new points of pruned buckets, as a CTE. In the order of arrival, a point is added if it lies
    before or after all points of its bucket so far (or at the same time as the first or last): so
    the result does not depend on how points are split into runs. Heartbeats are always added, since
    ranges may overlap. `__side` is where the added points lie: before the stored ones, after them,
    or at the same time, which adds nothing but their number. -#}
{% macro _new_points_of_pruned(task) -%}
    {%- set is_beat = task.summary == 'heartbeat_agg' -%}
    {%- set equal = '=' if task.summary == 'state_agg' else '' -%}
,

__ranged as (
    select
        __current.*,
        unix_micros(__pruned.summary.first_time) as __first,
        unix_micros(__pruned.summary.last_time) as __last,
        min(__current.__t) over __earlier as __least,
        max(__current.__t) over __earlier as __greatest
    from __current
    join __pruned
        on {{ strandline._same_bucket(task, '__pruned', '__current') }}
    where __current.__is_new
    window __earlier as (
        partition by __current.__bucket{{ strandline._key_list(task, '__current.') }}
        order by __current.__arrival, __current.__t
        rows between unbounded preceding and 1 preceding
    )
),

__new_of_pruned as (
    select
        * except (__first, __last, __least, __greatest),
        {{ 'true' if is_beat else '__t <= least(__first, __least) or __t >= greatest(__last, '
            ~ '__greatest)' }} as __is_added,
        {{ '1' if is_beat else 'case when __t >' ~ equal ~ ' __last then 1 when __t <' ~ equal
            ~ ' __first then -1 else 0 end' }} as __side
    from __ranged
)
{%- endmacro %}

{#- The rows of changed buckets if some of them are pruned: those of the others from all their
    points, and for a pruned one the rollup of its stored summary and of those of the added points.
    `agg_late` lists the points that are not added, by arrival and time; it is null as long as a
    bucket is not pruned. -#}
{% macro _added_points(task) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(__bucket)',
        strandline._width_of(task), 'UTC') -%}
    {{- strandline._new_points_of_pruned(task) }},

__whole as (
    select *
    from __current as __point
    where not exists (select 1 from __pruned
        where {{ strandline._same_bucket(task, '__pruned', '__point') }})
),

__added as (
    select * from __new_of_pruned where __is_added and __side <> 0
),

__additions as (
    {{ strandline._summarised_points(task, '__added', more=['__side']) }}
    union all
    select * except (__bucket) from __pruned
    union all
    select
        timestamp_micros(__bucket) as agg_timestamp,
        {%- for key in task['keys'] %}
        {{ strandline._quoted(key) }},
        {%- endfor %}
        max(__arrival) as agg_arrival,
        count_if(__is_added) as agg_count,
        null as summary,
        collect_list(if(__is_added, null, named_struct(
            'arrival', __arrival, 'ts', timestamp_micros(__t)))) as agg_late,
        {{ partition }} as agg_partition
    from __new_of_pruned
    where not __is_added or __side = 0
    group by __bucket{{ strandline._key_list(task) }}
)

{{ strandline._summarised_points(task, '__whole') }}
union all
select
    agg_timestamp,
    {%- for key in task['keys'] %}
    {{ strandline._quoted(key) }},
    {%- endfor %}
    max(agg_arrival) as agg_arrival,
    sum(agg_count) as agg_count,
    {{ strandline.rollup('summary', of=task.summary) }} as summary,
    sort_array(flatten(collect_list(agg_late))) as agg_late,
    agg_partition
from __additions
group by agg_timestamp{{ strandline._key_list(task) }}, agg_partition
{%- endmacro %}

{#- The rows of a table of summaries, from a CTE of points. With `splits` the rows are distributed
    before they are grouped: see `_spread`. The group columns start with the bucket, which
    Spark's sort compares first and which differs most. `more` are columns by which the points of a
    bucket are summarised apart. -#}
{% macro _summarised_points(task, points, splits=none, more=[]) -%}
    {%- set partition = strandline._partition_of('timestamp_micros(__bucket)',
        strandline._width_of(task), 'UTC') -%}
    {%- set group = ['__bucket'] + more -%}
    {%- for key in task['keys'] -%}{%- do group.append(strandline._quoted(key)) -%}{%- endfor -%}
    {%- set spread = ['__partition'] if splits is none
        else strandline._spread('__partition', group, splits) -%}
    {%- set distributed = '' if splits is none else ' distribute by ' ~ spread | join(', ') -%}
    {%- set source = '(select *, ' ~ partition ~ ' as __partition from ' ~ points ~ distributed
        ~ ')' -%}
    {%- set keys = (group + spread) | join(', ') -%}
    {%- set summary, rows = '', source -%}
    {%- if task.summary == 'time_weight' -%}
        {%- set summary = strandline._time_weight_summary(task) -%}
        {%- set rows = strandline._time_weight_rows(task, source, keys) -%}
    {%- elif task.summary == 'counter_agg' -%}
        {%- set summary = strandline._counter_summary() -%}
        {%- set rows = strandline._rows_with_previous(strandline._as_doubles(source), keys) -%}
    {%- elif task.summary == 'state_agg' -%}
        {%- set states = strandline._collected_states('timestamp_micros(__t)', '__value') -%}
        {%- set summary = strandline._folded_states(states, task.gap, task.form == 'full') -%}
    {%- elif task.summary == 'heartbeat_agg' -%}
        {%- set summary = strandline._folded_heartbeats(
            'timestamp_micros(__t)', 'timestamp_micros(__bucket)', task.bucket,
            task.interval) -%}
    {%- endif -%}
select
    timestamp_micros(__bucket) as agg_timestamp,
    {%- for key in task['keys'] %}
    {{ strandline._quoted(key) }},
    {%- endfor %}
    max(__arrival) as agg_arrival,
    count(*) as agg_count,
    {{ summary }} as summary,
    if(false, array(named_struct('arrival', max(__arrival), 'ts', timestamp_micros(__bucket))),
        null) as agg_late,
    __partition as agg_partition
from {{ rows }}
group by {{ keys }}
{%- endmacro %}

{#- The points of a source that count, with their bucket in microseconds. Buckets are counted from
    Monday, 3 January 2000, so that weeks begin on Mondays. A point without an arrival fails the
    run. Points that do not count are in the table of late points. -#}
{% macro _bucketed_points(task, condition=none) -%}
    {%- set micros = strandline._point_micros(task) -%}
select
        {%- for key in task['keys'] %}
        __upstream.{{ strandline._quoted(key) }},
        {%- endfor %}
        {{ micros }} as __t,
        {%- if task.value %}
        __upstream.{{ strandline._quoted(task.value) }} as __value,
        {%- endif %}
        {{ strandline._point_arrival(task) }} as __arrival,
        {{ micros }} - pmod({{ micros }} - 946857600000000L, {{ task.bucket }}L) as __bucket
    from (select * from {{ task.upstream }}) as __upstream
    where
        {%- for fault in strandline._point_faults(task) %}
        {{ 'and ' if not loop.first }}not ({{ fault.condition }})
        {%- endfor %}
    {%- if condition %}
        and {{ condition }}
    {%- endif %}
{%- endmacro %}

{#- The time of a point as a TIMESTAMP; null if it cannot be read. -#}
{% macro _point_time(task) %}
    {{- return('try_cast(__upstream.' ~ strandline._quoted(task.ts) ~ ' as timestamp)') -}}
{% endmacro %}

{#- The time of a point in microseconds; null if it cannot be read. -#}
{% macro _point_micros(task) %}
    {{- return('unix_micros(' ~ strandline._point_time(task) ~ ')') -}}
{% endmacro %}

{#- The arrival of a point. A null arrival fails the run, because it cannot be compared with the
    watermark. -#}
{% macro _point_arrival(task) %}
    {%- set message = task.summary ~ "_table: a point of " ~ task.upstream_name ~ " has no "
        ~ task.arrival ~ "; every point needs an arrival that only grows" -%}
    {{- return("coalesce(__upstream." ~ strandline._quoted(task.arrival) ~ ", raise_error("
        ~ strandline._literal(message) ~ "))") -}}
{% endmacro %}

{#- The reasons why a point does not count: conditions, which are never null, with texts. The table
    and its late points share them, so that every point is in exactly one of them. A null key is a
    key. The range of years is that of the partitions' calendar. Delta's file statistics use Java's
    calendar, which skips from 4 to 15 October 1582. -#}
{% macro _point_faults(task) %}
    {%- set ts = '__upstream.' ~ strandline._quoted(task.ts) -%}
    {%- set time, micros = strandline._point_time(task), strandline._point_micros(task) -%}
    {%- set reasons = [] -%}
    {%- for condition, text in [
        [ts ~ ' is null', 'is null'],
        [micros ~ ' is null', 'cannot be read as a TIMESTAMP'],
        ['coalesce(' ~ strandline._is_skipped_time(time) ~ ', false)',
            'is in 4 to 16 October 1582, which Delta cannot search by time'],
    ] -%}
        {%- do reasons.append({'condition': condition,
            'reason': 'no time: ' ~ task.ts ~ ' ' ~ text}) -%}
    {%- endfor -%}
    {%- if task.get('not_after') -%}
        {%- do reasons.append({'condition': 'coalesce(' ~ time ~ ' > (' ~ task.not_after
            ~ '\n), false)',
            'reason': 'from the future: ' ~ task.ts ~ ' is after ' ~ task.not_after}) -%}
    {%- endif -%}
    {%- do reasons.append({'condition': 'coalesce(' ~ micros
        ~ ' not between -62104060800000000L and 253370764799999999L, true)',
        'reason': 'no time: ' ~ task.ts ~ ' is outside the years 2 to 9998'}) -%}
    {%- if task.value -%}
        {%- set value = '__upstream.' ~ strandline._quoted(task.value) -%}
        {%- set kind = 'no state: ' if task.summary == 'state_agg' else 'no value: ' -%}
        {%- if task.get('nulls') != 'end' -%}
            {%- do reasons.append({'condition': value ~ ' is null',
                'reason': kind ~ task.value ~ ' is null'}) -%}
        {%- endif -%}
        {%- if task.summary in ['time_weight', 'counter_agg'] -%}
            {%- do reasons.append({'condition': value ~ ' is not null and try_cast(' ~ value
                ~ ' as double) is null',
                'reason': 'no value: ' ~ task.value ~ ' cannot be read as a number'}) -%}
        {%- endif -%}
        {%- if task.summary == 'counter_agg' -%}
            {%- do reasons.append({'condition': 'coalesce(try_cast(' ~ value ~ ' as double) < 0 or '
                ~ 'isnan(try_cast(' ~ value ~ ' as double)), false)',
                'reason': 'no value: ' ~ task.value ~ ' is below 0 or NaN'}) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(reasons) -}}
{% endmacro %}

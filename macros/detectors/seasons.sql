{#- The body of an incremental model of what each bucket of a series was expected to be, by
    Holt-Winters' smoothing. See _macros.yml. -#}
{% macro seasonal_table(source, ts, value, granularity, seasonality, keys=[], method='additive',
    alpha=none, beta=none, gamma=none, damping=1, seasons=2, limit=4, time_zone='UTC',
    arrival='agg_arrival') %}
    {%- set own = ['expected', 'deviation', 'state'] -%}
    {%- set read = strandline._arguments(strandline._caller('seasonal_table'), kwargs, varargs,
        dict(strandline._detector_arguments({
            'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
            'time_zone': time_zone,
        }, {
            'seasonality': ['any', seasonality],
            'method': ['choice', method, "write 'additive' (the season is added to the level) or "
                ~ "'multiplicative' (it is a factor of it)",
                {'of': ['additive', 'multiplicative']}],
            'alpha': strandline._weight_argument(alpha),
            'beta': strandline._weight_argument(beta),
            'gamma': strandline._weight_argument(gamma),
            'damping': ['number', damping, 'write a number from 0.01 to 1 (1: the trend goes on)',
                {'from': 0.01, 'to': 1}],
            'seasons': ['count', seasons, 'write over how many first seasons a series is fitted, '
                ~ 'a whole number from 2 to 52', {'from': 2, 'to': 52}],
            'limit': ['number', limit, 'write a number of deviations from 1 up, or none: then '
                ~ 'every value is learned from as it is', {'optional': true, 'from': 1}],
            'arrival': ['column', arrival],
        }), source=['relation', source, "pass a relation: ref('flights_by_hour')"],
        keys=['columns', keys, "list the columns that identify a series, such as ['carrier'], "
            ~ "or [] for one series", {'type': 'comparable', 'reserved': {'names': own,
            'prefix': 'agg_', 'why': 'and ' ~ own | join(', ') ~ ' and names that begin with agg_ '
                ~ 'are columns of the table itself'}}])) -%}
    {%- if value is string and (value | lower in own + read['keys']
        or (value | lower).startswith('agg_')) -%}
        {%- do read.faults.append("`value` is '" ~ value ~ "', which is another column of the "
            ~ "table; rename it in a staging model") -%}
    {%- endif -%}
    {%- set task = strandline._seasonal_task(read) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {{- config(
        materialized='strandline_seasons',
        file_format=strandline._file_format(),
        unique_key=['agg_timestamp'] + task['keys'],
        partition_by=['agg_partition'],
    ) -}}
    {%- if execute -%}
        {{- strandline._task_line(task) }}
{{ strandline._smoothed_input(strandline._run_of_seasons(task)) }}
    {%- endif -%}
{% endmacro %}

{#- The weight of the newest value, for `_arguments`. -#}
{% macro _weight_argument(weight) %}
    {{- return(['number', weight, 'write a number from 0 to 1, or leave it out: then it is fitted',
        {'optional': true, 'from': 0, 'to': 1}]) -}}
{% endmacro %}

{#- What the materialization needs to know of a seasonal table, as plain data: the task of a
    detector, and the rule of the fold. Appends faults. -#}
{% macro _seasonal_task(read) %}
    {%- set task = strandline._detector_task(dict(read, detector=none, until=none, severity=none,
        description=none), {'seasonality': read.seasonality}) -%}
    {%- set season, step = task.periods.seasonality, (task.granularity or {'step': 1}).step -%}
    {%- set length = season.length // step -%}
    {%- if season.length and not 2 <= length <= 10000 -%}
        {%- do read.faults.append("`seasonality` is '" ~ read.seasonality ~ "', which has "
            ~ length ~ (' bucket' if length == 1 else ' buckets') ~ "; a season has 2 to 10,000")
            -%}
    {%- endif -%}
    {%- if task.granularity is none -%}{{- return(none) -}}{%- endif -%}
    {{- return({
        'kind': 'seasons', 'upstream': read.source | string, 'upstream_name': task.name,
        'keys': task['keys'], 'ts': task.ts, 'value': task.value, 'arrival': task.arrival,
        'granularity': task.granularity, 'time_zone': task.time_zone, 'is_local': task.is_local,
        'bucket': step * {'months': 2629800000000, 'days': 86400000000,
            'micros': 1}[task.granularity.unit],
        'partition': 'month',
        'rule': {'length': length, 'step': step,
            'is_multiplicative': read.method == 'multiplicative', 'alpha': read.alpha,
            'beta': read.beta, 'gamma': read.gamma, 'damping': read.damping,
            'seasons': read.seasons, 'limit': read.limit},
    }) -}}
{% endmacro %}

{#- The task of a run: as it is stored, with what is the same in all of them. `given` is the query
    of the source's buckets. -#}
{% macro _run_of_seasons(task, width=none) %}
    {%- set run = dict(task, width=width, source=task.upstream, name=task.upstream_name,
        who='seasonal_table in ' ~ model.name, is_ordered=true) -%}
    {{- return(dict(run, given=strandline._given_buckets(run))) -}}
{% endmacro %}

{#- The materialization of a seasonal table. A run computes the partitions from the first changed
    bucket on, from the states that are stored before them, and replaces them in one commit. -#}
{% materialization strandline_seasons, adapter='spark' %}
    {%- set run = strandline._begin_run(compiled_code) -%}
    {%- if run.is_unchanged -%}{{ return(report_unchanged()) }}{%- endif -%}
    {%- do strandline._refuse_without_session() -%}
    {%- if run.is_new -%}
        {%- set task = strandline._run_of_seasons(run.task) -%}
        {#- A row has some 60 bytes, and its part of a state. -#}
        {%- set chosen = strandline._chosen_width(task, row_bytes=200,
            counts=strandline._bucket_counts('(' ~ task.given ~ ')', '__start', '__position',
                task['keys'])) -%}
        {%- do strandline._create(run, strandline._create_table(this, run.task,
            strandline._smoothed(this, dict(task, width=chosen.width)),
            dict({'delta.dataSkippingStatsColumns': 'agg_timestamp,agg_arrival'},
                **strandline._width_property(chosen)))) -%}
    {%- else -%}
        {%- do strandline._write_change(this, strandline._seasonal_change(this,
            strandline._run_of_seasons(run.task,
                strandline._stored_width(run.properties).width))) -%}
    {%- endif -%}
    {{ return(strandline._finish_run(run)) }}
{% endmaterialization %}

{#- The fold needs the driver's session. -#}
{% macro _refuse_without_session() %}
    {%- if not strandline._in_session() -%}
        {%- do strandline._refuse('seasonal_table of ' ~ model.name, ["this table is computed row "
            ~ "after row in the driver's session, and the connection is not of type strandline "
            ~ "with method session or connect; take such a profile (docs/profiles.md)"]) -%}
    {%- endif -%}
{% endmacro %}

{#- The change of a seasonal table: the partitions from the first changed bucket on. None if nothing
    is new. Buckets that change after the first query of the run are left to the next one. -#}
{% macro _seasonal_change(relation, task) %}
    {%- set watermark, unit = strandline._watermark(relation), strandline._width_of(task) -%}
    {%- set partition = strandline._partition_of('__start', unit, 'UTC') -%}
    {%- set is_new = '__arrival > ' ~ watermark ~ ' or __arrival is null' if watermark
        else 'true' -%}
    {%- set found = run_query("select " ~ strandline._partition_text('min(__partition)', unit)
        ~ ", " ~ strandline._exact_text('max(__arrival)') ~ ", typeof(max(__arrival)), count(*)"
        ~ " from (select *, " ~ partition ~ " as __partition from (" ~ task.given ~ ") where "
        ~ is_new ~ ")").rows[0] -%}
    {%- if not found[3] | int -%}{{- return(none) -}}{%- endif -%}
    {%- set first = strandline._partitions_in(found[0], unit) | first -%}
    {%- set literal = ('timestamp' if unit == 'hour' else 'date') ~ "'" ~ first ~ "'" -%}
    {%- set start = "timestamp'" ~ first ~ ('' if unit == 'hour' else 'T00:00:00Z') ~ "'" -%}
    {%- set is_read = "__start >= " ~ start ~ ('' if found[1] is none else ' and (__arrival is null'
        ~ ' or __arrival <= ' ~ strandline._typed_literal(found[1], found[2]) ~ ')') -%}
    {%- set found = strandline._staged(relation, 'found', 'select * from (' ~ task.given
        ~ ') where ' ~ is_read) -%}
    {%- set changed = strandline._with_kept(task, found, relation ~ ' where agg_partition >= '
        ~ literal) -%}
    {%- set partitions = strandline._partitions_in(run_query('select '
        ~ strandline._partitions_text(partition, unit) ~ ' from (' ~ changed ~ ')').rows[0][0],
        unit) -%}
    {{- return({'partitions': partitions, 'is_replaced': 'agg_partition >= ' ~ literal,
        'watermark': watermark,
        'sql': strandline._smoothed(relation, dict(task, given=changed),
            strandline._states_before(relation, task, 'agg_partition < ' ~ literal))}) -}}
{% endmacro %}

{#- The buckets of a relation, with the stored ones that it does not have: what was removed from the
    source after it was read, by a retention for instance, stays. `stored` is the table, with a
    condition. -#}
{% macro _with_kept(task, buckets, stored) -%}
select * from {{ buckets }}
union all
select __kept.*
from (
    {{ strandline._given_buckets(dict(task, source=stored, ts='agg_timestamp',
        arrival='agg_arrival')) }}
) as __kept
left anti join {{ buckets }} as __now
    on __kept.__start = __now.__start
    and {{ strandline._same_columns(task['keys'], '__kept', '__now') }}
{%- endmacro %}

{#- The last state of each series in the rows of a condition. -#}
{% macro _states_before(relation, task, condition) -%}
select {{ (strandline._all_quoted(task['keys'])
    + ['max_by(state, agg_timestamp) as state']) | join(', ') }}
from {{ relation }}
where state is not null and {{ condition }}
{%- if task['keys'] %}
group by {{ strandline._all_quoted(task['keys']) | join(', ') }}
{%- else %}
having count(*) > 0
{%- endif %}
{%- endmacro %}

{#- The type of a state of a series: see src/strandline/seasons/fold.py. -#}
{% macro _state_type() -%}
struct<position: bigint, smoothed: struct<level: double, trend: double, season: array<double>,
    variance: double, alpha: double, beta: double, gamma: double>, first: bigint,
    values: array<double>, places: array<int>, damping: double, is_factor: boolean>
{%- endmacro %}

{#- The rows of a seasonal table, from buckets and the states before them, as a query. -#}
{% macro _smoothed(relation, task, states=none) %}
    {%- set folded = strandline._staging(relation, 'folded').identifier -%}
    {%- do adapter.smooth_query(strandline._smoothed_input(task, states), folded,
        tojson(task.rule)) -%}
    {%- set columns = ['__start as agg_timestamp'] -%}
    {%- for key in task['keys'] -%}
        {%- do columns.append('__key_' ~ loop.index0 ~ ' as ' ~ strandline._quoted(key)) -%}
    {%- endfor -%}
    {{- return('select ' ~ (columns + ['__arrival as agg_arrival', '__value as '
        ~ strandline._quoted(task.value), 'expected', 'deviation', 'state',
        '__partition as agg_partition']) | join(', ') ~ ' from `' ~ folded ~ '`') -}}
{% endmacro %}

{#- What the fold reads: the buckets of each series in order, behind the state before them if there
    is one. One shuffle and one sort, of which the windows make use. Keys get names without dots,
    for the fold. -#}
{% macro _smoothed_input(task, states=none) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set series = strandline._series(task, '__position') -%}
{%- set partition = strandline._partition_of('__start', strandline._width_of(task), 'UTC') -%}
select
    {%- for key in keys %}
    {{ key }} as __key_{{ loop.index0 }},
    {%- endfor %}
    __start, __position, __value, __arrival, __trained, __place, __partition, state, __begins,
    __is_last
from (
    select
        *,
        row_number() over ({{ series }}) = 1 as __begins,
        not __partition <=> lead(__partition) over ({{ series }}) as __is_last,
        lead(__position) over ({{ series }}) as __next
    from (
        select *
        from (
            select
                {{ (keys + ['__start', '__position', '__value']) | join(', ') }},
                {{ strandline._arrival_of_bucket(task) }} as __arrival,
                if(abs(__value) < double('Infinity'), __value, null) as __trained,
                cast(pmod({{ strandline._compared_bucket(task) }} div {{ task.rule.step }}L,
                    {{ task.rule.length }}L) as int) as __place,
                {{ partition }} as __partition,
                cast(null as {{ strandline._state_type() }}) as state
            from (
                {{ task.given }}
            )
            {%- if states %}
            union all
            select
                {{ (keys + ['null', 'state.position'] + ['null'] * 5 + ['state']) | join(', ') }}
            from (
                {{ states }}
            )
            {%- endif %}
        )
        distribute by {{ keys | join(', ') or '1' }}
        sort by {{ (keys + ['__position']) | join(', ') }}
    )
)
where {{ strandline._is_next(task) }}
{%- endmacro %}

{#- The arrival of a bucket. A null arrival fails the run, because it cannot be compared with the
    watermark. -#}
{% macro _arrival_of_bucket(task) %}
    {%- set message = task.who ~ ": a row of " ~ task.name ~ " has no " ~ task.arrival
        ~ "; every row needs an arrival that only grows" -%}
    {{- return("coalesce(__arrival, raise_error(" ~ strandline._literal(message) ~ "))") -}}
{% endmacro %}

{#- The body of a view of the buckets that are too far from what a seasonal table expected. See
    _macros.yml. -#}
{% macro seasonal_detector(source, ts, value, granularity, keys=[], deviations=4, min_change=0,
    pattern='up_or_down', detector='seasonal', until=none, time_zone='UTC', arrival=none,
    severity=none, description=none, min_duration=none) %}
    {%- set read = strandline._arguments(strandline._caller('seasonal_detector'), kwargs, varargs,
        strandline._detector_arguments({
        'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
        'detector': detector, 'until': until, 'time_zone': time_zone, 'arrival': arrival,
        'severity': severity, 'description': description, 'min_duration': min_duration,
    }, {
        'deviations': strandline._deviations_argument(deviations, 'standard deviations', 4),
        'min_change': strandline._min_change_argument(min_change),
        'pattern': strandline._pattern_argument(pattern),
    })) -%}
    {%- set task = strandline._detector_task(read, {}) -%}
    {%- do strandline._check_seasonal(read, ['expected', 'deviation']) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set task = dict(task, carried={'expected': '__baseline', 'deviation': '__deviation'}) -%}
{{ strandline._buckets(task) }},

__classified as (
    select
        *,
        {{ strandline._bounds_around('__margin', read.pattern) }}
    from (
        select *, greatest({{ deviations }}D * __deviation, {{ min_change }}D) as __margin
        from __buckets
        where __baseline is not null
    )
)

{{ strandline._detections(task) }}
{% endmacro %}

{#- Appends a fault if the relation is not made by a seasonal table. -#}
{% macro _check_seasonal(read, columns) %}
    {%- set missing = columns | reject('in', read.types.source) | list -%}
    {%- if read.types.source and missing -%}
        {%- do read.faults.append("`source` has no column " ~ missing | join(' and ')
            ~ "; take a model of seasonal_table") -%}
    {%- endif -%}
{% endmacro %}

{#- The body of a view of what the next buckets of each series are expected to be. See
    _macros.yml. -#}
{% macro forecast_table(source, granularity, seasonality, keys=[], ahead=none, deviations=2,
    time_zone='UTC') %}
    {%- set read = strandline._arguments(strandline._caller('forecast_table'), kwargs, varargs, {
        'source': ['relation', source, "pass ref(…) of a model of seasonal_table"],
        'granularity': ['any', granularity, "write the length of a bucket, such as 'PT1H'"],
        'seasonality': ['any', seasonality, "write the length of a season, such as 'P7D'"],
        'keys': ['columns', keys, "list the keys of the seasonal table", {'reserved': {
            'names': ['starts_at', 'ends_at', 'ahead', 'expected', 'lower_bound', 'upper_bound'],
            'why': 'which is also a column of the result'}}],
        'ahead': ['any', ahead],
        'deviations': strandline._deviations_argument(deviations, 'standard deviations', 4),
        'time_zone': ['zone', time_zone],
    }) -%}
    {%- do strandline._check_seasonal(read, ['state']) -%}
    {%- set task = strandline._detector_task(dict(read, ts='agg_timestamp', value=none,
        detector=none, until=none, severity=none, description=none),
        dict({'seasonality': read.seasonality},
            **({} if read.ahead is none else {'ahead': read.ahead}))) -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set step = task.granularity.step -%}
    {%- set length = task.periods.seasonality.length // step -%}
    {%- set keys = strandline._all_quoted(task['keys']) -%}
with __states as (
    {{ strandline._states_before(read.source, task, 'true') }}
),

__ahead as (
    select
        {{ (keys + ['state as __last', 'state.smoothed as __smoothed']) | join(', ') }},
        __ahead,
        if(state.damping = 1, __ahead, state.damping
            * (1 - pow(state.damping, __ahead)) / (1 - state.damping)) as __trends,
        state.position + __ahead * {{ step }}L as __position
    from __states
    lateral view explode(sequence(1L, {{ task.periods.get('ahead', task.periods.seasonality).length
        // step }}L)) as __ahead
    where state.smoothed is not null
),

__placed as (
    select *, cast(pmod({{ strandline._compared_bucket(task) }} div {{ step }}L, {{ length }}L)
        as int) as __place
    from (
        select *, {{ strandline._bucket_number_start('__position', task) }} as __start
        from __ahead
    )
),

__expected as (
    select
        *,
        __smoothed.level + __smoothed.trend * __trends as __level,
        __smoothed.season[__place] as __season,
        {#- What an error of a bucket changes in the one that is so many buckets later. -#}
        __smoothed.alpha * (1 + __smoothed.beta * __trends)
            + if(pmod(__ahead, {{ length }}L) = 0, __smoothed.gamma, 0D) as __effect
    from __placed
)

select
    {%- for key in keys %}
    {{ key }},
    {%- endfor %}
    __start as starts_at,
    {{ strandline._bucket_number_start('__position + ' ~ step ~ 'L', task) }} as ends_at,
    cast(__ahead as int) as ahead,
    __mean as expected,
    __mean - {{ deviations }}D * __spread as lower_bound,
    __mean + {{ deviations }}D * __spread as upper_bound
from (
    select
        *,
        if(__last.is_factor, __level * __season, __level + __season) as __mean,
        sqrt(__smoothed.variance * (1 + coalesce(sum(__effect * __effect) over (
            {{ 'partition by ' ~ keys | join(', ') if keys }} order by __ahead
            rows between unbounded preceding and 1 preceding), 0D))) as __spread
    from __expected
)
{% endmacro %}

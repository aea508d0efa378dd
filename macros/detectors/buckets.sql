{#- The CTEs that end in `buckets`, the input of a detector: key, start, position, value. A detector
    that evaluates each row by itself does not sort, and a filter on the start reaches the scan. -#}
{% macro _buckets(task) -%}
{%- set is_filled = task.missing == 'zero' -%}
with __given as (
    {{ strandline._given_buckets(task) }}
),
{% if task.is_ordered %}
__ordered as (
    select *
    from (
        select
            *,
            {%- if is_filled %}
            {{ strandline._buckets_end(task) }} as __end,
            {%- endif %}
            lead(__position) over ({{ strandline._series(task, '__position') }})
                as __next
        from __given
    )
    where {{ strandline._is_next(task) }}
),
{% endif %}
__buckets as (
    {{ strandline._filled_buckets(task) if is_filled
        else 'select * from ' ~ ('__ordered' if task.is_ordered else '__given') }}
)
{%- endmacro %}

{#- The buckets of the relation: key, start, position and value. If they are sorted, a time that is
    not the start of a bucket fails the query, because it would be compared with the wrong
    bucket. -#}
{% macro _given_buckets(task) -%}
{%- set ts = '__bucket.' ~ strandline._quoted(task.ts) -%}
select
        {%- for column in task['keys'] %}
        __bucket.{{ strandline._quoted(column) }},
        {%- endfor %}
        {{ ts }} as __start,
        {{ strandline._checked_start(strandline._bucket_number(ts, task), ts, task)
            if task.is_ordered else strandline._bucket_number(ts, task) }} as __position,
        {%- if task.arrival is not none %}
        __bucket.{{ strandline._quoted(task.arrival) }} as __arrival,
        {%- endif %}
        {%- for column, name in task.get('carried', {}).items() %}
        __bucket.{{ column }} as {{ name }},
        {%- endfor %}
        {{ '1D' if task.value is none else "nullif(cast(__bucket."
            ~ strandline._quoted(task.value) ~ " as double), double('NaN'))" }} as __value
    from (select * from {{ task.source }}) as __bucket
{%- endmacro %}

{#- Every bucket of a key from its first one to the newest of all keys, or to `until`; missing
    buckets have the value 0. -#}
{% macro _filled_buckets(task) -%}
{%- set step = task.granularity.step ~ 'L' -%}
select
        {%- for column in task['keys'] %}
        {{ strandline._quoted(column) }},
        {%- endfor %}
        {{ strandline._bucket_number_start('__filled', task) }} as __start,
        __filled as __position,
        {%- if task.arrival is not none %}
        if(__filled = __position, __arrival, null) as __arrival,
        {%- endif %}
        if(__filled = __position, __value, 0D) as __value
    from (
        select *, explode(sequence(
            __position, greatest(__position,
                coalesce(__next, __end) - {{ step }}), {{ step }}
        )) as __filled
        from __ordered
    )
{%- endmacro %}

{#- The position at which the buckets end: that of `until`, otherwise the end of the newest bucket
    of any key. -#}
{% macro _buckets_end(task) %}
    {%- if task.until is none -%}
        {{- return('(select max(__position) + ' ~ task.granularity.step
            ~ 'L from __given)') -}}
    {%- endif -%}
    {{- return('(select ' ~ strandline._bucket_number('__last.__until', task)
        ~ ' from (select ' ~ task.until ~ ' as __until) as __last)') -}}
{% endmacro %}

{#- True if the distance to the next bucket of a series is a whole number of buckets. Two rows of
    one bucket, and misaligned buckets, fail the query. -#}
{% macro _is_next(task) %}
    {%- set key = "to_json(struct(" ~ strandline._all_quoted(task['keys']) | join(', ')
        ~ "), map('ignoreNullFields', 'false'))" if task['keys'] else "'the series'" -%}
    {%- set next = strandline._bucket_number_start('__next', task) -%}
    {{- return("case when __next = __position or pmod(__next - "
        ~ "__position, " ~ task.granularity.step ~ "L) <> 0 then raise_error(concat("
        ~ strandline._literal(task.who ~ ": " ~ task.name ~ " has rows of ") ~ ", " ~ key
        ~ ", ' at ', __start, ' and at ', " ~ next ~ ", "
        ~ strandline._literal("; a series has one row per bucket of '" ~ task.granularity.text
            ~ "': add a column that distinguishes them to `keys`, or correct `granularity`")
        ~ ")) else true end") -}}
{% endmacro %}

{#- A value of a bucket, if its time is the start of a bucket; otherwise the query fails. It is a
    value and not a filter, because Spark moves filters in front of the relation's own joins, where
    they would check rows that are not in the relation. -#}
{% macro _checked_start(value, ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- set start = ts if unit == 'micros'
        else strandline._calendar_bucket(ts, unit, task.time_zone) -%}
    {%- set given = strandline._literal(task.who ~ ": " ~ task.name ~ " has a row at ") -%}
    {%- set wrong = strandline._literal(", where no "
        ~ ('bucket' if unit == 'micros' else unit[:-1]) ~ " begins in " ~ task.time_zone
        ~ "; `" ~ task.ts ~ "` must be the start of a bucket of '" ~ task.granularity.text
        ~ "': is `time_zone` right?") -%}
    {{- return("if(" ~ ts ~ " = " ~ start ~ ", " ~ value ~ ", raise_error(concat(" ~ given
        ~ ", coalesce(cast(" ~ ts
        ~ " as string), 'null'), " ~ wrong ~ ")))") -}}
{% endmacro %}

{#- The position of a bucket, a whole number of the granularity's unit: months or days of the zone's
    calendar, or microseconds. Equal starts have equal positions, and positions grow with the
    start. -#}
{% macro _bucket_number(ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('unix_micros(' ~ ts ~ ')') -}}{%- endif -%}
    {%- set day = strandline._local_day(strandline._local(ts, task.time_zone)) -%}
    {%- if unit == 'days' -%}{{- return('cast(' ~ day ~ ' as bigint)') -}}{%- endif -%}
    {%- set date = 'date_from_unix_date(' ~ day ~ ')' -%}
    {{- return('cast(year(' ~ date ~ ') * 12 + month(' ~ date ~ ') - 1 as bigint)') -}}
{% endmacro %}

{#- The instant at which the bucket of a position begins. -#}
{% macro _bucket_number_start(position, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('timestamp_micros(' ~ position ~ ')') -}}{%- endif -%}
    {%- set day = position if unit == 'days'
        else 'unix_date(make_date(cast((' ~ position ~ ') div 12 as int), cast(pmod(' ~ position
            ~ ', 12) + 1 as int), 1))' -%}
    {{- return(strandline._day_start(day, task.time_zone)) -}}
{% endmacro %}

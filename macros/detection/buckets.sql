{#- The CTEs that end in `buckets`, the input of a detector: key, start, position, value. A detector
    that evaluates each row by itself does not sort, and a filter on the start reaches the scan. -#}
{% macro _buckets(task) -%}
{%- set is_filled = task.missing == 'zero' -%}
with given as (
    {{ strandline._given_buckets(task) }}
),
{% if task.is_ordered %}
ordered as (
    select *
    from (
        select
            *,
            {%- if is_filled %}
            {{ strandline._buckets_end(task) }} as strandline_end,
            {%- endif %}
            lead(strandline_position) over ({{ strandline._series(task, 'strandline_position') }})
                as strandline_next
        from given
    )
    where {{ strandline._is_next(task) }}
),
{% endif %}
buckets as (
    {{ strandline._filled_buckets(task) if is_filled
        else 'select * from ' ~ ('ordered' if task.is_ordered else 'given') }}
)
{%- endmacro %}

{#- The buckets of the relation: key, start, position and value. If they are sorted, a time that is
    not the start of a bucket fails the query, because it would be compared with the wrong
    bucket. -#}
{% macro _given_buckets(task) -%}
{%- set ts = 'bucket.' ~ task.ts -%}
select
        {%- for column in task['keys'] %}
        bucket.{{ column }},
        {%- endfor %}
        {{ ts }} as strandline_start,
        {{ strandline._checked_start(strandline._bucket_number(ts, task), ts, task)
            if task.is_ordered else strandline._bucket_number(ts, task) }} as strandline_position,
        {%- if task.arrival is not none %}
        bucket.{{ task.arrival }} as strandline_arrival,
        {%- endif %}
        nullif(cast(bucket.{{ task.value }} as double), double('NaN')) as strandline_value
    from (select * from {{ task.source }}) as bucket
{%- endmacro %}

{#- Every bucket of a key from its first one to the newest of all keys, or to `until`; missing
    buckets have the value 0. -#}
{% macro _filled_buckets(task) -%}
{%- set step = task.granularity.step ~ 'L' -%}
select
        {%- for column in task['keys'] %}
        {{ column }},
        {%- endfor %}
        {{ strandline._bucket_number_start('strandline_filled', task) }} as strandline_start,
        strandline_filled as strandline_position,
        {%- if task.arrival is not none %}
        if(strandline_filled = strandline_position, strandline_arrival, null) as strandline_arrival,
        {%- endif %}
        if(strandline_filled = strandline_position, strandline_value, 0D) as strandline_value
    from (
        select *, explode(sequence(
            strandline_position, greatest(strandline_position,
                coalesce(strandline_next, strandline_end) - {{ step }}), {{ step }}
        )) as strandline_filled
        from ordered
    )
{%- endmacro %}

{#- The position at which the buckets end: that of `until`, otherwise the end of the newest bucket
    of any key. -#}
{% macro _buckets_end(task) %}
    {%- if task.until is none -%}
        {{- return('(select max(strandline_position) + ' ~ task.granularity.step
            ~ 'L from given)') -}}
    {%- endif -%}
    {{- return('(select ' ~ strandline._bucket_number('last.strandline_until', task)
        ~ ' from (select ' ~ task.until ~ ' as strandline_until) as last)') -}}
{% endmacro %}

{#- True if the distance to the next bucket of a series is a whole number of buckets. Two rows of
    one bucket, and misaligned buckets, fail the query. -#}
{% macro _is_next(task) %}
    {%- set key = "to_json(struct(" ~ task['keys'] | join(', ')
        ~ "), map('ignoreNullFields', 'false'))" if task['keys'] else "'the series'" -%}
    {%- set next = strandline._bucket_number_start('strandline_next', task) -%}
    {{- return("case when strandline_next = strandline_position or pmod(strandline_next - "
        ~ "strandline_position, " ~ task.granularity.step ~ "L) <> 0 then raise_error(concat("
        ~ strandline._literal(task.who ~ ": " ~ task.name ~ " has rows of ") ~ ", " ~ key
        ~ ", ' at ', strandline_start, ' and at ', " ~ next ~ ", "
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

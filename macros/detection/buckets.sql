{#- The CTEs that lead to `buckets`, what a detector judges: key, start, place, value. Where each
    row is judged by itself nothing is put in order, and a reader's filter on the start reaches the
    scan. -#}
{% macro _buckets(task) -%}
{%- set is_filled = task.missing == 'zero' -%}
with given as (
    {{ strandline._given_buckets(task) }}
),
{% if task.is_ordered %}
followed as (
    select *
    from (
        select
            *,
            {%- if is_filled %}
            {{ strandline._buckets_end(task) }} as strandline_end,
            {%- endif %}
            lead(strandline_place) over ({{ strandline._series(task, 'strandline_place') }}) as strandline_next
        from given
    )
    where {{ strandline._is_next(task) }}
),
{% endif %}
buckets as (
    {{ strandline._filled_buckets(task) if is_filled else 'select * from ' ~ ('followed' if task.is_ordered else 'given') }}
)
{%- endmacro %}

{#- The buckets of the relation: key, start, place and value. Where they are put in order, a time at
    which no bucket begins stops the query: it would be compared with others than its own. -#}
{% macro _given_buckets(task) -%}
{%- set ts = 'bucket.' ~ task.ts -%}
select
        {%- for column in task['keys'] %}
        bucket.{{ column }},
        {%- endfor %}
        {{ ts }} as strandline_start,
        {{ strandline._checked_start(strandline._bucket_number(ts, task), ts, task) if task.is_ordered else strandline._bucket_number(ts, task) }} as strandline_place,
        nullif(cast(bucket.{{ task.value }} as double), double('NaN')) as strandline_value
    from (select * from {{ task.source }}) as bucket
{%- endmacro %}

{#- Every bucket of a key from its first to the newest of all, or to `until`; those that were not
    there have the value 0. -#}
{% macro _filled_buckets(task) -%}
{%- set step = task.granularity.step ~ 'L' -%}
select
        {%- for column in task['keys'] %}
        {{ column }},
        {%- endfor %}
        {{ strandline._bucket_number_start('strandline_filled', task) }} as strandline_start,
        strandline_filled as strandline_place,
        if(strandline_filled = strandline_place, strandline_value, 0D) as strandline_value
    from (
        select *, explode(sequence(
            strandline_place, greatest(strandline_place, coalesce(strandline_next, strandline_end) - {{ step }}), {{ step }}
        )) as strandline_filled
        from followed
    )
{%- endmacro %}

{#- The place at which the buckets end: that of `until`, else the end of the newest bucket of any
    key. -#}
{% macro _buckets_end(task) %}
    {%- if task.until is none -%}
        {{- return('(select max(strandline_place) + ' ~ task.granularity.step ~ 'L from given)') -}}
    {%- endif -%}
    {{- return('(select ' ~ strandline._bucket_number('last.strandline_until', task) ~ ' from (select ' ~ task.until ~ ' as strandline_until) as last)') -}}
{% endmacro %}

{#- True where the next bucket of a series lies a whole number of buckets later; two rows of one
    bucket, and buckets that lie askew, stop the query. -#}
{% macro _is_next(task) %}
    {%- set key = "to_json(struct(" ~ task['keys'] | join(', ') ~ "), map('ignoreNullFields', 'false'))" if task['keys'] else "'the series'" -%}
    {%- set next = strandline._bucket_number_start('strandline_next', task) -%}
    {{- return("case when strandline_next = strandline_place or pmod(strandline_next - strandline_place, " ~ task.granularity.step ~ "L) <> 0 then raise_error(concat("
        ~ strandline._literal(task.who ~ ": " ~ task.name ~ " has rows of ") ~ ", " ~ key ~ ", ' at ', strandline_start, ' and at ', " ~ next ~ ", "
        ~ strandline._literal("; a series has one row a bucket of '" ~ task.granularity.text ~ "': add what tells them apart to `keys`, or correct `granularity`")
        ~ ")) else true end") -}}
{% endmacro %}

{#- A value of a bucket, unless none begins at its time: that stops the query. It is a value and no
    filter, because Spark pulls filters in front of the relation's own joins, where they would speak
    of rows that are not in it. -#}
{% macro _checked_start(value, ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- set start = ts if unit == 'micros' else strandline._calendar_bucket(ts, unit, task.time_zone) -%}
    {%- set given = strandline._literal(task.who ~ ": " ~ task.name ~ " has a row at ") -%}
    {%- set wrong = strandline._literal(", where no " ~ ('bucket' if unit == 'micros' else unit[:-1]) ~ " begins in " ~ task.time_zone
        ~ "; `" ~ task.ts ~ "` must be the start of a bucket of '" ~ task.granularity.text ~ "': is `time_zone` right?") -%}
    {{- return("if(" ~ ts ~ " = " ~ start ~ ", " ~ value ~ ", raise_error(concat(" ~ given ~ ", coalesce(cast(" ~ ts
        ~ " as string), 'null'), " ~ wrong ~ ")))") -}}
{% endmacro %}

{#- The place of a bucket among the others, a whole number of the granularity's unit: months or days
    of the zone's calendar, or microseconds. It is the same for the same start, and grows with
    it. -#}
{% macro _bucket_number(ts, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('unix_micros(' ~ ts ~ ')') -}}{%- endif -%}
    {%- set day = strandline._local_day(strandline._local(ts, task.time_zone)) -%}
    {%- if unit == 'days' -%}{{- return('cast(' ~ day ~ ' as bigint)') -}}{%- endif -%}
    {%- set date = 'date_from_unix_date(' ~ day ~ ')' -%}
    {{- return('cast(year(' ~ date ~ ') * 12 + month(' ~ date ~ ') - 1 as bigint)') -}}
{% endmacro %}

{#- The instant at which the bucket of a place begins. -#}
{% macro _bucket_number_start(place, task) %}
    {%- set unit = task.granularity.unit -%}
    {%- if unit == 'micros' -%}{{- return('timestamp_micros(' ~ place ~ ')') -}}{%- endif -%}
    {%- set day = place if unit == 'days'
        else 'unix_date(make_date(cast((' ~ place ~ ') div 12 as int), cast(pmod(' ~ place ~ ', 12) + 1 as int), 1))' -%}
    {{- return(strandline._day_start(day, task.time_zone)) -}}
{% endmacro %}

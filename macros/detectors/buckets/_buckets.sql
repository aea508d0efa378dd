{#- The CTEs that lead to `buckets`, what a detector judges: key, start, place, value. Where each row is judged by itself
    nothing is put in order, and a reader's filter on the start reaches the scan. -#}
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

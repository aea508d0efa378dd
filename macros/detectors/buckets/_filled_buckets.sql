{#- Every bucket of a key from its first to the newest of all, or to `until`; those that were not there have the value 0. -#}
{% macro _filled_buckets(task) -%}
{%- set step = task.granularity.step ~ 'L' -%}
select
        {%- for column in task.key %}
        {{ column }},
        {%- endfor %}
        {{ strandline._place_start('strandline_filled', task) }} as strandline_start,
        strandline_filled as strandline_place,
        if(strandline_filled = strandline_place, strandline_value, 0D) as strandline_value
    from (
        select *, explode(sequence(
            strandline_place, greatest(strandline_place, coalesce(strandline_next, strandline_end) - {{ step }}), {{ step }}
        )) as strandline_filled
        from followed
    )
{%- endmacro %}

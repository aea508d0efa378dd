{#- The stays of a time window: each row knows when it leaves. -#}
{% macro _timed_stays(task, run) -%}
{%- set leaves = '__is_in and __expires <= ' ~ run.now -%}
__stays as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry,
        if({{ leaves }}, entry, null) as exit,
        if(__is_in, __cycle, null) as entered,
        if({{ leaves }}, named_struct('at', timestamp_micros(__expires), 'arrival',
            cast(null as bigint), 'step', array_repeat(0, size(__cycle.step))), null)
            as expelled,
        {{ strandline._stay_end(task) }}
    from (
        select *, {{ strandline._expires(task) }} as __expires
        from (
            {{ strandline._lined_rows(task, run) | indent(12) }}
        )
    )
)
{%- endmacro %}

{#- When a row leaves by time, in microseconds: with `every` at the first of its times. -#}
{% macro _expires(task) %}
    {%- set end = '(__time + ' ~ task.store.size ~ ')' -%}
    {{- return(end if not task.every
        else '(' ~ end ~ ' + pmod(-' ~ end ~ ', ' ~ task.every ~ 'L))') -}}
{% endmacro %}

{#- The stays of a time window: each row knows when it leaves. -#}
{% macro _timed_stays(task, run) -%}
{%- set leaves = 'window_is_in and window_expires <= ' ~ run.now -%}
stays as (
    select {{ task.columns | join(', ') }}, entry, if({{ leaves }}, entry, null) as exit,
        if(window_is_in, window_cycle, null) as entered,
        if({{ leaves }}, named_struct('at', timestamp_micros(window_expires), 'arrival',
            cast(null as bigint), 'step', array_repeat(0, size(window_cycle.step))), null)
            as expelled,
        {{ strandline._stay_end(task) }}
    from (
        select *, {{ strandline._expires(task) }} as window_expires
        from (
            {{ strandline._lined_rows(task, run) | indent(12) }}
        )
    )
)
{%- endmacro %}

{#- When a row leaves by time, in microseconds: with `every` at the first of its times. -#}
{% macro _expires(task) %}
    {%- set end = '(window_t + ' ~ task.store.size ~ ')' -%}
    {{- return(end if not task.every
        else '(' ~ end ~ ' + pmod(-' ~ end ~ ', ' ~ task.every ~ 'L))') -}}
{% endmacro %}

{#- The events' clock in Unix microseconds: strandline_as_of, else the newest time that `clock` or the detections know, and
    never before what the mark was set by. None while there is no time. -#}
{% macro _anomaly_clock(task, mark) %}
    {%- set as_of = strandline._as_of() -%}
    {%- if as_of is not none -%}{{- return(as_of) -}}{%- endif -%}
    {%- set clock = task.settings.clock or '(select max(ends_at) from (' ~ strandline._detected(task) ~ '))' -%}
    {%- set newest = run_query('select unix_micros(' ~ clock ~ ')').rows[0][0] -%}
    {%- set known = [] if newest is none else [newest | int] -%}
    {%- if mark is not none -%}{%- do known.append(mark + task.settings.completeness_delay) -%}{%- endif -%}
    {{- return(known | max if known else none) -}}
{% endmacro %}

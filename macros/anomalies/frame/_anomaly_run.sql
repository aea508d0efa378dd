{#- What a run goes by: its frame, the mark before and after it, and its times as literals. None when no granule
    is to be analysed. -#}
{% macro _anomaly_run(task, mark) %}
    {%- set frame = strandline._frame_by_hand([var('strandline_from', none), var('strandline_to', none)]) -%}
    {%- set now = strandline._anomaly_clock(task, mark) -%}
    {%- if frame is none -%}{%- set frame = strandline._scheduled_frame(task.settings, mark, now) -%}{%- endif -%}
    {%- if frame is none -%}{{- return(none) -}}{%- endif -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return({
        'frame': frame, 'mark_before': mark, 'mark': strandline._moved_mark(mark, frame, task.settings.granularity,
            none if now is none else now - task.settings.completeness_delay),
        'frame_end': strandline._micros_time(frame.end),
        'run_at': strandline._micros_time(as_of) if as_of is not none
            else "timestamp'" ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ "Z'",
    }) -}}
{% endmacro %}

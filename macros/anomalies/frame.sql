{#- What a run goes by: its frame, the mark before and after it, and its times as literals. None
    when no granule is to be analysed. -#}
{% macro _anomaly_run(task, mark) %}
    {%- set frame = strandline._backfill_range([var('strandline_from', none), var('strandline_to', none)]) -%}
    {%- set now = strandline._anomaly_clock(task, mark) -%}
    {%- if frame is none -%}{%- set frame = strandline._scheduled_frame(task.settings, mark, now) -%}{%- endif -%}
    {%- if frame is none -%}{{- return(none) -}}{%- endif -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return({
        'frame': frame, 'mark_before': mark, 'mark': strandline._moved_watermark(mark, frame, task.settings.granularity,
            none if now is none else now - task.settings.completeness_delay),
        'frame_end': strandline._micros_time(frame.end),
        'run_at': strandline._micros_time(as_of) if as_of is not none
            else "timestamp'" ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ "Z'",
    }) -}}
{% endmacro %}

{#- The events' clock in Unix microseconds: strandline_as_of, else the newest time that `clock` or
    the detections know, and never before what the mark was set by. None while there is no time. -#}
{% macro _anomaly_clock(task, mark) %}
    {%- set as_of = strandline._as_of() -%}
    {%- if as_of is not none -%}{{- return(as_of) -}}{%- endif -%}
    {%- set clock = task.settings.clock or '(select max(ends_at) from (' ~ strandline._detected(task) ~ '))' -%}
    {%- set newest = run_query('select unix_micros(' ~ clock ~ ')').rows[0][0] -%}
    {%- set known = [] if newest is none else [newest | int] -%}
    {%- if mark is not none -%}{%- do known.append(mark + task.settings.completeness_delay) -%}{%- endif -%}
    {{- return(known | max if known else none) -}}
{% endmacro %}

{#- The var `strandline_as_of` in Unix microseconds, or none; refuses what is no time. -#}
{% macro _as_of() %}
    {%- set given = var('strandline_as_of', none) -%}
    {%- if given is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = strandline._instant_micros(given) -%}
    {%- if micros is none -%}
        {%- do strandline._refuse('anomalies', ["the var strandline_as_of is '" ~ given ~ "'; write yyyy-MM-dd HH:mm:ss[.ffffff] (UTC), with "
            ~ "an offset such as +01:00 if it is another zone's"]) -%}
    {%- endif -%}
    {{- return(micros) -}}
{% endmacro %}

{#- From the mark, or the mutability period before the end if that is earlier, to the end of the
    newest complete granule; without a mark from the beginning (start none). None when there is
    nothing to analyse. -#}
{% macro _scheduled_frame(settings, mark, now) %}
    {%- if now is none -%}{{- return(none) -}}{%- endif -%}
    {%- set granule = settings.granularity -%}
    {%- set end = (now - settings.completeness_delay) // granule * granule -%}
    {%- set start = mark -%}
    {%- if mark is not none and settings.mutability_period is not none -%}
        {%- set start = [mark, (end - settings.mutability_period) // granule * granule] | min -%}
    {%- endif -%}
    {%- if start is not none and start >= end -%}{{- return(none) -}}{%- endif -%}
    {{- return({'start': start, 'end': end, 'by_hand': false}) -}}
{% endmacro %}

{#- The condition that a row belongs to the frame: its end lies in it. Literal, so that files are
    skipped by it. -#}
{% macro _in_frame(frame) %}
    {%- set last = 'ends_at <= ' ~ strandline._micros_time(frame.end) -%}
    {{- return(last if frame.start is none else 'ends_at > ' ~ strandline._micros_time(frame.start) ~ ' and ' ~ last) -}}
{% endmacro %}

{#- Where the mark is after a run over a frame: never further back, and by hand never beyond what no
    run has analysed, nor beyond the newest complete granule (`complete`, its end, or none):
    scheduled runs begin at the mark, so what it passes too early they never look at. -#}
{% macro _moved_watermark(mark, frame, granularity, complete=none) %}
    {%- if frame.by_hand and (mark is none or complete is none or frame.start > mark) -%}{{- return(mark) -}}{%- endif -%}
    {%- set end = [frame.end, complete] | min if frame.by_hand else frame.end -%}
    {%- set reached = end // granularity * granularity -%}
    {{- return(reached if mark is none else [mark, reached] | max) -}}
{% endmacro %}

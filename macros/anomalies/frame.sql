{#- The parameters of a run: its frame, the watermark before and after it, and its times as
    literals. None if there is no interval to analyse. -#}
{% macro _anomaly_run(task, watermark) %}
    {%- set frame = strandline._backfill_range([strandline._run_setting('strandline_from'),
        strandline._run_setting('strandline_to')]) -%}
    {%- set now = strandline._anomaly_clock(task, watermark) -%}
    {%- if frame is none -%}
        {%- set frame = strandline._scheduled_frame(task.settings, watermark, now) -%}
    {%- endif -%}
    {%- if frame is none -%}{{- return(none) -}}{%- endif -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return({
        'frame': frame, 'previous_watermark': watermark,
        'watermark': strandline._moved_watermark(watermark, frame, task.settings.granularity,
            none if now is none else now - task.settings.completeness_delay),
        'frame_end': strandline._micros_time(frame.end),
        'run_at': strandline._micros_time(as_of) if as_of is not none
            else "timestamp'" ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ "Z'",
    }) -}}
{% endmacro %}

{#- The event clock in Unix microseconds: strandline_as_of if it is set, otherwise the newest time
    in `clock` or in the detections, but not before the time that set the watermark. None if there
    is no time. -#}
{% macro _anomaly_clock(task, watermark) %}
    {%- set as_of = strandline._as_of() -%}
    {%- if as_of is not none -%}{{- return(as_of) -}}{%- endif -%}
    {%- set clock = task.settings.clock
        or '(select max(ends_at) from (' ~ strandline._detected(task) ~ '))' -%}
    {%- set newest = run_query('select unix_micros(' ~ clock ~ ')').rows[0][0] -%}
    {%- set known = [] if newest is none else [newest | int] -%}
    {%- if watermark is not none -%}
        {%- do known.append(watermark + task.settings.completeness_delay) -%}
    {%- endif -%}
    {{- return(known | max if known else none) -}}
{% endmacro %}

{#- The frame of a scheduled run: from the watermark, or from the mutability period before the end
    if that is earlier, to the end of the newest complete interval. Without a watermark it has no
    start. None if there is nothing to analyse. -#}
{% macro _scheduled_frame(settings, watermark, now) %}
    {%- if now is none -%}{{- return(none) -}}{%- endif -%}
    {%- set granularity = settings.granularity -%}
    {%- set end = (now - settings.completeness_delay) // granularity * granularity -%}
    {%- set start = watermark -%}
    {%- if watermark is not none and settings.mutability_period is not none -%}
        {%- set start = [watermark, (end - settings.mutability_period) // granularity * granularity]
            | min -%}
    {%- endif -%}
    {%- if start is not none and start >= end -%}{{- return(none) -}}{%- endif -%}
    {{- return({'start': start, 'end': end, 'is_backfill': false}) -}}
{% endmacro %}

{#- Whether a row belongs to the frame: its end is in it. Literal, so that files are skipped by
    it. -#}
{% macro _in_frame(frame) %}
    {%- set last = 'ends_at <= ' ~ strandline._micros_time(frame.end) -%}
    {{- return(last if frame.start is none
        else 'ends_at > ' ~ strandline._micros_time(frame.start) ~ ' and ' ~ last) -}}
{% endmacro %}

{#- The watermark after a run over a frame. It never moves back. A backfill moves it only if the
    frame starts at or before the watermark, and not beyond the newest complete interval
    (`complete`, its end, or none): scheduled runs start at the watermark, so they would never
    analyse time that it passed too early. -#}
{% macro _moved_watermark(watermark, frame, granularity, complete=none) %}
    {%- if frame.is_backfill and (watermark is none or complete is none
        or frame.start > watermark) -%}
        {{- return(watermark) -}}
    {%- endif -%}
    {%- set end = [frame.end, complete] | min if frame.is_backfill else frame.end -%}
    {%- set reached = end // granularity * granularity -%}
    {{- return(reached if watermark is none else [watermark, reached] | max) -}}
{% endmacro %}

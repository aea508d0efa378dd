{#- The parameters of a run: its frame, all ranges that it analyses, the watermark before and after
    it, its times as literals, and what arrived since the last run (`_arrived`; none in a backfill).
    `stored_ranges` are those in which stored anomalies are compared. None if there is nothing to
    analyse. `properties` are those of the table; empty for a new one. -#}
{% macro _anomaly_run(task, properties) %}
    {%- set stored = properties.get('strandline.watermark') -%}
    {%- set watermark = none if stored is none else strandline._text_micros(stored) -%}
    {%- set backfill = strandline._backfill_range([strandline._run_setting('strandline_from'),
        strandline._run_setting('strandline_to')]) -%}
    {%- do strandline._evaluate_not_after(task) -%}
    {%- set now = strandline._anomaly_clock(task, watermark) -%}
    {%- set is_set_back = backfill is none
        and properties.get('strandline.set_back_from', '') != '' -%}
    {%- set frame = strandline._scheduled_frame(task.settings, watermark, now)
        if backfill is none else backfill -%}
    {%- if frame is none and watermark is none -%}{{- return(none) -}}{%- endif -%}
    {%- set arrived = none if backfill is not none else strandline._arrived(task, properties,
        watermark if frame is none else frame.start) -%}
    {%- if frame is none and not is_set_back and not arrived.late and not arrived.changed -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set frame = frame or {'start': watermark, 'end': watermark, 'is_backfill': false} -%}
    {%- set ranges = strandline._merged_ranges(([frame] if frame.start is none
        or frame.start < frame.end else []) + (arrived.ranges if arrived else [])) -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return({
        'frame': frame, 'ranges': ranges, 'previous_watermark': watermark,
        'stored_ranges': strandline._merged_ranges(ranges + [{'start': frame.start, 'end': none}])
            if is_set_back else ranges,
        'is_set_back': is_set_back, 'arrived': arrived,
        'watermark': strandline._moved_watermark(watermark, frame, task.settings.granularity,
            none if now is none else now - task.settings.completeness_delay),
        'frame_end': strandline._micros_time(frame.end),
        'run_at': strandline._micros_time(as_of) if as_of is not none
            else "timestamp'" ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ "Z'",
    }) -}}
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

{#- Ranges in the order of their start, with those that overlap or touch as one. No start is before
    all times, no end after all. -#}
{% macro _merged_ranges(ranges) %}
    {%- set unbounded, bounded, merged = [], [], [] -%}
    {%- for range in ranges -%}
        {%- do (unbounded if range.start is none else bounded).append(range) -%}
    {%- endfor -%}
    {%- for range in unbounded + bounded | sort(attribute='start') -%}
        {%- set last = merged[-1] if merged else none -%}
        {%- if last is not none and (last.end is none or range.start is none
            or range.start <= last.end) -%}
            {%- do last.update({'end': none if none in [last.end, range.end]
                else [last.end, range.end] | max}) -%}
        {%- else -%}
            {%- do merged.append({'start': range.start, 'end': range.end}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(merged) -}}
{% endmacro %}

{#- Whether a row belongs to one of the ranges: its end is in it. Literal, so that files are skipped
    by it. With `is_wholly` it does not begin before the range either. -#}
{% macro _in_ranges(ranges, is_wholly=false) %}
    {%- set conditions = [] -%}
    {%- for range in ranges -%}
        {%- set bounds = [] -%}
        {%- if range.start is not none -%}
            {%- set start = strandline._micros_time(range.start) -%}
            {%- do bounds.append('ends_at > ' ~ start) -%}
            {%- do bounds.append('starts_at >= ' ~ start) if is_wholly -%}
        {%- endif -%}
        {%- if range.end is not none -%}
            {%- do bounds.append('ends_at <= ' ~ strandline._micros_time(range.end)) -%}
        {%- endif -%}
        {%- do conditions.append(bounds | join(' and ')) -%}
    {%- endfor -%}
    {{- return('(' ~ (conditions | join(' or ') or 'false') ~ ')') -}}
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

{#- The condition that a stored, active row may have to be told though nothing of it changed: it was not, because of feedback
    that is now taken back, say; or it is over by now. What lies before the look-back is left out by
    a literal, unless the mark passes its end only now. -#}
{% macro _pending(task, run) %}
    {%- set due = ['kept.notified_at is null'] -%}
    {%- set tells_ends = task.settings.completed and run.mark is not none -%}
    {%- if tells_ends -%}
        {%- do due.append('kept.parent_id is null and (kept.is_parent or kept.told_completed is null) and kept.ends_at <= '
            ~ strandline._micros_time(run.mark - task.merge_max_gap)) -%}
    {%- endif -%}
    {%- set pending = '(' ~ due | join(' or ') ~ ')' -%}
    {%- set looks_back = run.mark is not none and task.settings.notify_look_back is not none -%}
    {%- if looks_back and not (tells_ends and run.mark_before is none) -%}
        {%- set since = [run.mark - task.settings.notify_look_back] -%}
        {%- if tells_ends -%}{%- do since.append(run.mark_before - task.merge_max_gap) -%}{%- endif -%}
        {%- set bound = strandline._micros_time(since | min - task.merge_max_duration) -%}
        {%- set pending = pending ~ ' and kept.ends_at > ' ~ bound -%}
    {%- endif -%}
    {{- return(pending) -}}
{% endmacro %}

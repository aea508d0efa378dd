{#- The condition that a stored, active row may have to be told though nothing of it changed: it was not, because of feedback
    that is now taken back, say; or it is over by now. What lies before the look-back is left out by a literal. -#}
{% macro _pending(task, run) %}
    {%- set due = ['kept.notified_at is null', 'kept.parent_id is null and kept.incident_id <> kept.anomaly_id and not kept.is_parent'] -%}
    {%- if task.settings.completed and run.mark is not none -%}
        {%- do due.append('kept.parent_id is null and (kept.is_parent or kept.told_completed is null) and kept.ends_at <= '
            ~ strandline._micros_time(run.mark - task.merge_max_gap)) -%}
    {%- endif -%}
    {%- set pending = '(' ~ due | join(' or ') ~ ')' -%}
    {%- if run.mark is not none and task.settings.notify_look_back is not none -%}
        {%- set pending = pending ~ ' and kept.ends_at > '
            ~ strandline._micros_time(run.mark - task.settings.notify_look_back - task.merge_max_duration) -%}
    {%- endif -%}
    {{- return(pending) -}}
{% endmacro %}

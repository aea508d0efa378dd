{#- How many of the judged events of a run are late, and why. The first macro gives the columns of a
    query over `placed`, the second reads them back: `events`, `count` and `reasons`. They stand in
    a query that the run makes anyway. -#}
{% macro _late_events_columns(condition='late_reason is not null') -%}
    count(*), count_if({{ condition }}), array_join(array_sort(collect_set(if({{ condition }}, late_reason, null))), '\n')
{%- endmacro %}

{% macro _late_events(values) %}
    {{- return({
        'events': values[0] | int,
        'count': values[1] | int,
        'reasons': (values[2] or '').split('\n') | select | list,
    }) -}}
{% endmacro %}

{#- The same in words, as part of a model's message. -#}
{% macro _late_message(late) %}
    {{- return(late.count ~ ' of ' ~ late.events ~ (' event' if late.events == 1 else ' events') ~ (' is' if late.count == 1 else ' are')
        ~ ' late: ' ~ late.reasons | join('; ')) -}}
{% endmacro %}

{#- Warns when no event of a run counts. Copies of events that were counted before are no reason. -#}
{% macro _warn_if_all_late(relation, late) %}
    {%- set unexpected = [] -%}
    {%- for reason in late.reasons if not reason.startswith('duplicate: ') -%}{%- do unexpected.append(reason) -%}{%- endfor -%}
    {%- if unexpected and late.count == late.events -%}
        {%- do exceptions.warn(relation.identifier ~ ': no event of this run counts; ' ~ strandline._late_message(late)) -%}
    {%- endif -%}
{% endmacro %}

{#- Whether a model of the project keeps the late events of this model's aggregation: one whose body
    is `aggregation_late` of a definition that this model takes as well. -#}
{% macro _has_late_model() %}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and 'aggregation_late' in (node.raw_code or '') -%}
        {%- for name in node.depends_on.macros if name in model.depends_on.macros and not name.startswith('macro.strandline.') -%}
            {{- return(true) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- How many events are late of a finest table that was just made and is empty; else none. Delta counts
    rows without a job, so only an empty table costs one. -#}
{% macro _late_of_empty(relation, task) %}
    {%- if not task.from_events or strandline._has_late_model() -%}{{- return(none) -}}{%- endif -%}
    {%- if run_query('select count(*) from ' ~ relation).rows[0][0] | int -%}{{- return(none) -}}{%- endif -%}
    {{- return(strandline._new_events(task, strandline._events(task)).late) -}}
{% endmacro %}

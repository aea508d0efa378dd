{#- Which events have to be read: the new ones, and with event ids also those that came before under
    the same id. The literal range of the new ids (`state.ids`; none when no new event has an id) narrows the
    search for earlier ones only, and skips files wherever ids grow with time: no new event depends on it. None
    that arrived after `state.until`; one without an arrival is read, so that it stops the run. -#}
{% macro _events_scope(task, is_new, state) %}
    {%- set arrival, id = 'feed.' ~ task.arrival, 'feed.' ~ task.event_id -%}
    {%- set conditions = ['(' ~ arrival ~ ' <= ' ~ state.until ~ ' or ' ~ arrival ~ ' is null)'] if state.get('until') else [] -%}
    {%- if is_new and task.event_id and state.get('ids') -%}
        {%- do conditions.append('(' ~ is_new ~ ' or ' ~ id ~ ' between ' ~ state.ids[0] ~ ' and ' ~ state.ids[1] ~ ')') -%}
        {%- do conditions.append('exists (select 1 from (select ' ~ id ~ ' as agg_event_id from (select * from ' ~ task.feed
            ~ ') as feed where ' ~ is_new ~ ') as fresh where fresh.agg_event_id <=> ' ~ id ~ ')') -%}
    {%- elif is_new -%}
        {%- do conditions.append(is_new) -%}
    {%- endif -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}

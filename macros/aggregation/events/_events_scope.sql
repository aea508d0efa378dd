{#- Which events have to be read: the new ones, and with event ids also those that came before under
    the same id. The literal range of the new ids skips files wherever ids grow with time. None that
    arrived after `state.until`. -#}
{% macro _events_scope(task, is_new, state) %}
    {%- set conditions = ["feed." ~ task.arrival ~ " <= " ~ state.until] if state.get('until') else [] -%}
    {%- if is_new and task.event_id -%}
        {%- set id = task.event_id -%}
        {%- if state.get('ids') -%}
            {%- do conditions.append("(feed." ~ id ~ " between " ~ state.ids[0] ~ " and " ~ state.ids[1] ~ " or feed." ~ id ~ " is null)") -%}
        {%- endif -%}
        {%- do conditions.append("exists (select 1 from (select * from " ~ task.feed ~ ") as fresh where fresh." ~ id ~ " <=> feed." ~ id
            ~ " and " ~ is_new.replace('feed.', 'fresh.') ~ ")") -%}
    {%- elif is_new -%}
        {%- do conditions.append(is_new) -%}
    {%- endif -%}
    {{- return(conditions | join(' and ')) -}}
{% endmacro %}

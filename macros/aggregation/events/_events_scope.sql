{#- Which events have to be read: the new ones, and with event ids also those that came before under
    the same id. The literal range of the new ids skips files wherever ids grow with time. -#}
{% macro _events_scope(task, is_new, state) %}
    {%- if not is_new or not task.event_id -%}{{- return(is_new) -}}{%- endif -%}
    {%- set id = task.event_id -%}
    {{- return(("(feed." ~ id ~ " between " ~ state.ids[0] ~ " and " ~ state.ids[1] ~ " or feed." ~ id ~ " is null) and " if state.get('ids') else '')
        ~ "exists (select 1 from (select * from " ~ task.feed ~ ") as fresh where fresh." ~ id ~ " <=> feed." ~ id
        ~ " and " ~ is_new.replace('feed.', 'fresh.') ~ ")") -}}
{% endmacro %}

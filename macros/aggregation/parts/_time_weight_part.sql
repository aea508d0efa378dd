{#- The part of a time weight. The finest table keeps the points themselves, in the order of time: a late one may fall between
    two that are stored already. Coarser tables keep the summary, rolled up from the finer rows, which never
    overlap. -#}
{% macro _time_weight_part(task, part, how) %}
    {%- if how == 'take' -%}
        {{- return(strandline._collected_points('agg_event_time', part.argument, 'agg_event_arrival')) -}}
    {%- elif task.from_events -%}
        {{- return('sort_array(flatten(collect_list(' ~ part.column ~ ')))') -}}
    {%- endif -%}
    {{- return(strandline._rolled_time_weight(strandline._collected_parts(part.column))) -}}
{% endmacro %}

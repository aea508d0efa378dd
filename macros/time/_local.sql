{#- An instant on a zone's own clock, written as if it were UTC. -#}
{% macro _local(ts, time_zone) %}
    {{- return(ts if time_zone == 'UTC' else "from_utc_timestamp(" ~ ts ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

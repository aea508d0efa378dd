{#- The instant of an event, from whichever form it has; null where there is none that a bucket could
    hold. The years end where the calendar of the partitions does. -#}
{% macro _event_time(task) %}
    {%- set read = strandline._read_time(task, 'feed.' ~ task.aggregate_by) -%}
    {{- return('if(unix_seconds(' ~ read ~ ') between -62104060800 and 253370764799 and not ' ~ strandline._is_skipped_time(read)
        ~ ', ' ~ read ~ ', null)') -}}
{% endmacro %}

{#- The instant that a column tells in its form, whether a bucket could hold it or not; null where it tells none. -#}
{% macro _read_time(task, column) %}
    {%- if task.time_kind == 'millis' -%}{{- return(strandline._millis_instant(column)) -}}{%- endif -%}
    {%- if task.time_kind != 'text' -%}{{- return(column) -}}{%- endif -%}
    {%- set text = 'trim(' ~ column ~ ')' -%}
    {{- return("if(" ~ text ~ " rlike '" ~ strandline._text_form() ~ "', " ~ strandline._civil_instant('left(' ~ text ~ ', 19)', text)
        ~ ", null)") -}}
{% endmacro %}

{#- Whether an instant lies in 4 to 16 October 1582, with a day on both sides for all zones: Java's calendar goes from the 4th to the
    15th, and Delta's statistics of files with it, so that a query by time would not find such a row. -#}
{% macro _is_skipped_time(ts) %}
    {{- return('unix_seconds(' ~ ts ~ ') between -12220243200 and -12219120001') -}}
{% endmacro %}

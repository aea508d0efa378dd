{#- The instant of an event, from whichever form it has; null where there is none that a bucket could
    hold. The years end where the calendar of the partitions does. -#}
{% macro _event_time(task) %}
    {%- set column = 'feed.' ~ task.aggregate_by -%}
    {%- if task.time_kind == 'millis' -%}
        {%- set read = strandline._millis_instant(column) -%}
    {%- elif task.time_kind == 'text' -%}
        {%- set text = 'trim(' ~ column ~ ')' -%}
        {%- set read = "if(" ~ text ~ " rlike '" ~ strandline._text_form() ~ "', "
            ~ strandline._civil_instant('left(' ~ text ~ ', 19)', text) ~ ", null)" -%}
    {%- else -%}
        {%- set read = column -%}
    {%- endif -%}
    {{- return('if(unix_seconds(' ~ read ~ ') between -62104060800 and 253370764799, ' ~ read ~ ', null)') -}}
{% endmacro %}

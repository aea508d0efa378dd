{#- The instant of an event, from whichever form it has; null where there is none that a bucket could
    hold. The years end where the calendar of the partitions does. -#}
{% macro _event_time(task) %}
    {%- set column = 'feed.' ~ task.aggregate_by -%}
    {%- if task.time_kind == 'millis' -%}
        {%- set read = 'timestamp_millis(if(' ~ column ~ ' between -62104060800000 and 253370764799999, ' ~ column ~ ', null))' -%}
        {{- return(read) -}}
    {%- elif task.time_kind == 'text' -%}
        {%- set offset = strandline._text_offset(column) -%}
        {%- set read = "try_to_timestamp(concat(left(trim(" ~ column ~ "), 19), ' ', if(" ~ offset ~ " = '', 'Z', " ~ offset ~ ")), 'yyyy-MM-dd HH:mm:ss XXX')" -%}
        {%- set read = "if(trim(" ~ column ~ ") rlike '" ~ strandline._text_form() ~ "', " ~ read ~ ", null)" -%}
    {%- else -%}
        {%- set read = column -%}
    {%- endif -%}
    {{- return('if(unix_seconds(' ~ read ~ ') between -62104060800 and 253370764799, ' ~ read ~ ', null)') -}}
{% endmacro %}

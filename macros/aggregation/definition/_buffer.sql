{#- The buffer rule of a definition: how many buckets stay open, and whether older events are left out;
    none when every event goes to its own bucket, however late. -#}
{% macro _buffer(size, drops, aggregate_by, durations, faults) %}
    {%- if drops is not boolean -%}
        {%- do faults.append("`ignore_events_older_than_buffer` is '" ~ drops ~ "'; write true or false") -%}
    {%- endif -%}
    {%- if size is none and drops is not true -%}{{- return(none) -}}{%- endif -%}
    {%- set given = "`buffer_size` is '" ~ size ~ "'" if size is not none else "`ignore_events_older_than_buffer` is true" -%}
    {%- if size is not none and (size is not integer or size is boolean or size < 0) -%}
        {%- do faults.append(given ~ "; write how many buckets stay open behind the newest, a whole number from 0") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- if aggregate_by is none -%}
        {%- do faults.append(given ~ ", and the aggregation goes by the time of arrival (`aggregate_by` is none), "
            ~ "which is never out of order; drop it") -%}
    {%- endif -%}
    {%- if durations and durations[0] in ['months', 'years'] -%}
        {%- do faults.append(given ~ ", and the finest duration is " ~ durations[0] ~ "; a buffer is of seconds, minutes, "
            ~ "hours or days: begin `every` with one of these, or drop it") -%}
    {%- endif -%}
    {{- return({'size': size or 0, 'drops': drops}) -}}
{% endmacro %}

{#- The condition that a row belongs to the frame: its end lies in it. Literal, so that files are skipped by it. -#}
{% macro _in_frame(frame) %}
    {%- set last = 'ends_at <= ' ~ strandline._micros_time(frame.end) -%}
    {{- return(last if frame.start is none else 'ends_at > ' ~ strandline._micros_time(frame.start) ~ ' and ' ~ last) -}}
{% endmacro %}

{#- Where the mark is after a run over a frame: never further back, and by hand never beyond what no run has analysed. -#}
{% macro _moved_mark(mark, frame, granularity) %}
    {%- if frame.by_hand and (mark is none or frame.start > mark) -%}{{- return(mark) -}}{%- endif -%}
    {%- set reached = frame.end // granularity * granularity -%}
    {{- return(reached if mark is none else [mark, reached] | max) -}}
{% endmacro %}

{#- Where the mark is after a run over a frame: never further back, and by hand never beyond what no run has analysed, nor
    beyond the newest complete granule (`complete`, its end, or none): scheduled runs begin at the mark, so what it passes too
    early they never look at. -#}
{% macro _moved_mark(mark, frame, granularity, complete=none) %}
    {%- if frame.by_hand and (mark is none or complete is none or frame.start > mark) -%}{{- return(mark) -}}{%- endif -%}
    {%- set end = [frame.end, complete] | min if frame.by_hand else frame.end -%}
    {%- set reached = end // granularity * granularity -%}
    {{- return(reached if mark is none else [mark, reached] | max) -}}
{% endmacro %}

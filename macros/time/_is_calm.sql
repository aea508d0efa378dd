{#- Whether a zone's clock keeps its offset for sixty hours before and after the edges of spans of days ([first,
    last] pairs of dates): then a bucket that begins on a day holds only instants of that day. At a
    change of some minutes at midnight it need not. -#}
{% macro _is_calm(spans, time_zone) %}
    {%- if time_zone == 'UTC' -%}{{- return(true) -}}{%- endif -%}
    {%- set edges = [] -%}
    {%- for first, last in spans -%}
        {%- do edges.extend(["date'" ~ first ~ "'", "date'" ~ last ~ "'"]) -%}
    {%- endfor -%}
    {%- set at = "unix_date(edge) * 86400L + hour * 3600L" -%}
    {%- set offset = "unix_seconds(" ~ strandline._local("timestamp_seconds(" ~ at ~ ")", time_zone) ~ ") - (" ~ at ~ ")" -%}
    {%- set question = "select forall(array(" ~ edges | join(', ') ~ "), edge -> size(array_distinct(transform(sequence(-60, 84), hour -> "
        ~ offset ~ "))) = 1)" -%}
    {%- set known = strandline._noted(question) -%}
    {%- if known is not none -%}{{- return(known) -}}{%- endif -%}
    {%- set is_calm = run_query(question).rows[0][0] -%}
    {%- do strandline._note(question, is_calm) -%}
    {{- return(is_calm) -}}
{% endmacro %}

{#- What `_touched` would find for a coarser table, worked out from what its feed has noted in this run; none where that does not
    tell it: the feed did not run, or a clock changes near an edge. It holds for a table that is as far as the feed was, which
    is given as `consumed`: a run that died between them leaves them apart. A week of the feed that lies in two months or
    years stands for both. -#}
{% macro _touched_by_feed(task) %}
    {%- set noted = strandline._noted('touched ' ~ task.feed) -%}
    {%- if not noted -%}{{- return(none) -}}{%- endif -%}
    {%- set feed_unit = strandline._duration(task.feed_duration).partition -%}
    {%- set spans = strandline._partition_spans(noted.partitions, feed_unit) -%}
    {%- if spans and not strandline._is_calm(spans, task.time_zone) -%}{{- return(none) -}}{%- endif -%}

    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- set partitions = [] -%}
    {%- for date in noted.partitions -%}
        {%- set first = modules.datetime.date.fromisoformat(date) -%}
        {%- do partitions.extend([strandline._partition_first(first, unit) | string,
            strandline._partition_first(strandline._partition_last(first, feed_unit), unit) | string]) -%}
    {%- endfor -%}
    {{- return({'partitions': partitions | unique | sort | list, 'seen': noted.seen, 'consumed': noted.consumed}) -}}
{% endmacro %}

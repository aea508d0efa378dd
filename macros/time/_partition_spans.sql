{#- The days that partitions cover, as [first, last] pairs of dates, `slack` days wider on both sides and joined where they
    meet: few literal ranges, by which files are skipped. -#}
{% macro _partition_spans(dates, unit, slack=0) %}
    {%- set day = modules.datetime.timedelta(days=1) -%}
    {%- set spans = [] -%}
    {%- for date in dates | sort -%}
        {%- set first = modules.datetime.date.fromisoformat(date) -%}
        {%- set last = strandline._partition_last(first, unit) + slack * day -%}
        {%- set first = first - slack * day -%}
        {%- if spans and first <= spans[-1][1] + day -%}
            {%- set joined = spans.pop() -%}
            {%- do spans.append([joined[0], last]) -%}
        {%- else -%}
            {%- do spans.append([first, last]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(spans) -}}
{% endmacro %}

{#- The summaries of a group in the order of time, as an array of structs whose field `part` has them. -#}
{% macro _collected_parts(summary) -%}
    sort_array(collect_list(case when {{ summary }} is not null
        then named_struct('from', ({{ summary }}).first_time, 'to', ({{ summary }}).last_time, 'part', {{ summary }}) end))
{%- endmacro %}

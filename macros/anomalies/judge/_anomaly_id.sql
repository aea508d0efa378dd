{#- The identity of an anomaly: the same for the same key, start, end and generation, whoever computes it. -#}
{% macro _anomaly_id(task, alias, generation) %}
    {%- set parts = [] -%}
    {%- for column in task.key -%}{%- do parts.append('cast(' ~ alias ~ '.' ~ column ~ ' as string)') -%}{%- endfor -%}
    {%- for column in ['starts_at', 'ends_at'] -%}{%- do parts.append('cast(unix_micros(' ~ alias ~ '.' ~ column ~ ') as string)') -%}{%- endfor -%}
    {{- return('sha2(to_json(array(' ~ parts | join(', ') ~ ', cast(' ~ generation ~ ' as string))), 256)') -}}
{% endmacro %}

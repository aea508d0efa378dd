{#- What the materialization must know, as plain data. What stands beside `settings` gives the stored rows their
    meaning, and is compared by the next run; the settings may change from run to run. -#}
{% macro _anomalies_task(key, columns, durations, settings) %}
    {%- for name in ['mutability_period', 'granularity', 'completeness_delay', 'min_length', 'notify_look_back'] -%}
        {%- do settings.update({name: durations[name]}) -%}
    {%- endfor -%}
    {{- return({
        'kind': 'anomalies', 'key': key, 'columns': columns, 'merge_max_gap': durations.merge_max_gap,
        'merge_max_duration': durations.merge_max_duration, 'partition': 'month', 'settings': settings,
    }) -}}
{% endmacro %}

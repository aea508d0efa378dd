{#- The aggregates that a definition may name. Each is read from mergeable parts (`parts`), never
    stored itself; `read` is how retrieval computes it, `{part}` standing for a stored column. -#}
{% macro _aggregates() %}
    {{- return({
        'avg': {'parts': ['sum', 'count'], 'read': '{sum} / {count}'},
        'sum': {'parts': ['sum'], 'read': '{sum}'},
        'min': {'parts': ['min'], 'read': '{min}'},
        'max': {'parts': ['max'], 'read': '{max}'},
        'count': {'parts': ['count'], 'read': '{count}'},
    }) -}}
{% endmacro %}

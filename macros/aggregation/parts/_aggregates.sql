{#- The aggregates that a definition may name. Each is read from mergeable parts (`parts`), never
    stored itself; `read` is how retrieval computes it, `{part}` standing for a stored column.
    Any expression that calls none of them is the value of the latest event. -#}
{% macro _aggregates() %}
    {{- return({
        'avg': {'parts': ['sum', 'count'], 'read': '{sum} / {count}'},
        'sum': {'parts': ['sum'], 'read': '{sum}'},
        'min': {'parts': ['min'], 'read': '{min}'},
        'max': {'parts': ['max'], 'read': '{max}'},
        'count': {'parts': ['count'], 'read': '{count}'},
        'distinctCount': {'parts': ['distinct'], 'read': 'size({distinct})'},
        'approx_count_distinct': {'parts': ['hll'], 'read': 'hll_sketch_estimate({hll})'},
        'variance': {'parts': ['moments'], 'read': 'if({moments}.n > 1, {moments}.m2 / ({moments}.n - 1), null)'},
        'stddev': {'parts': ['moments'], 'read': 'if({moments}.n > 1, sqrt({moments}.m2 / ({moments}.n - 1)), null)'},
        'var_pop': {'parts': ['moments'], 'read': '{moments}.m2 / {moments}.n'},
        'stddev_pop': {'parts': ['moments'], 'read': 'sqrt({moments}.m2 / {moments}.n)'},
        'first': {'parts': ['first'], 'read': '{first}.value'},
        'last': {'parts': ['last'], 'read': '{last}.value'},
        'quantile': {'parts': ['kll'],
            'read': 'if(kll_sketch_get_n_double({kll}) > 0, kll_sketch_get_quantile_double({kll}, {option}), null)'},
        'time_weight': {'parts': ['time_weight'], 'read': '{time_weight}'},
    }) -}}
{% endmacro %}

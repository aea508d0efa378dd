{#- An aggregate over the rows of a group, in SQL. A result that is not a finite number is null. -#}
{% macro _aggregate_sql(aggregate) -%}
    {%- if aggregate.function == 'own' -%}{{- return(aggregate.sql) -}}{%- endif -%}
    {%- set x = strandline._window_argument(aggregate) -%}
    {%- set n = 'count(' ~ x ~ ')' -%}
    {%- set function = aggregate.function -%}
    {%- set x = x if x == '*' or function in ['count', 'min', 'max', 'sum']
        else 'cast(' ~ x ~ ' as double)' -%}
    {%- set sql = {
        'count': 'count(' ~ x ~ ')',
        'sum': 'sum(' ~ x ~ ')', 'min': 'min(' ~ x ~ ')',
        'max': 'max(' ~ x ~ ')', 'avg': 'avg(' ~ x ~ ')',
        'median': 'percentile(' ~ x ~ ', 0.5D)',
        'variance': 'if(' ~ n ~ ' > 1, var_samp(' ~ x ~ '), null)',
        'stddev': 'if(' ~ n ~ ' > 1, stddev_samp(' ~ x ~ '), null)',
        'geometric_mean': strandline._geometric_mean(
            'min(' ~ x ~ ')', 'avg(ln(' ~ x ~ '))'),
        'skewness': strandline._sample_skewness(n, 'skewness(' ~ x ~ ')'),
        'kurtosis': strandline._sample_kurtosis(n, 'kurtosis(' ~ x ~ ')'),
        'sumsq': 'sum(' ~ x ~ ' * ' ~ x ~ ')',
    }[function] -%}
    {{- return(strandline._finite(sql, aggregate)) -}}
{%- endmacro %}

{#- The geometric mean from the smallest value and the mean of the logarithms: zero if a value is
    zero, null if one is negative. -#}
{% macro _geometric_mean(smallest, logs) %}
    {{- return('case when ' ~ smallest ~ ' > 0 then exp(' ~ logs ~ ') when ' ~ smallest
        ~ ' = 0 then 0D end') -}}
{% endmacro %}

{#- The skewness of a sample from that of a population. -#}
{% macro _sample_skewness(n, g) %}
    {{- return('case when ' ~ n ~ ' > 2 then ' ~ g ~ ' * sqrt(cast(' ~ n ~ ' as double) * (' ~ n
        ~ ' - 1)) / (' ~ n ~ ' - 2) end') -}}
{% endmacro %}

{#- The excess kurtosis of a sample from that of a population. -#}
{% macro _sample_kurtosis(n, g) %}
    {{- return('case when ' ~ n ~ ' > 3 then (' ~ n ~ ' - 1D) / ((' ~ n ~ ' - 2D) * (' ~ n
        ~ ' - 3D)) * ((' ~ n ~ ' + 1) * ' ~ g ~ ' + 6) end') -}}
{% endmacro %}

{#- A number, or null if it is NaN or infinite. Only doubles can be. -#}
{% macro _finite(sql, aggregate) %}
    {%- if aggregate.function == 'count'
        or (aggregate.function in ['min', 'max', 'sum'] and not aggregate.is_double) -%}
        {{- return(sql) -}}
    {%- endif -%}
    {{- return("case when abs(" ~ sql ~ ") < double('Infinity') then " ~ sql ~ ' end') -}}
{% endmacro %}

{#- Moments of a whole from those of its parts (Chan, Golub and LeVeque): no difference of large
    squares, so nothing is lost where values lie far from zero. The parts are few (the finer rows
    of one bucket) and sorted, so that their order never shows in the last bits. -#}
{% macro _rolled_moments() -%}
    nullif(aggregate(
            sort_array(collect_list({x})),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D),
            (a, b) -> named_struct(
                'n', a.n + b.n,
                'mean', a.mean + (b.mean - a.mean) * b.n / (a.n + b.n),
                'm2', a.m2 + b.m2 + (b.mean - a.mean) * (b.mean - a.mean) * a.n * b.n / (a.n + b.n))),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D))
{%- endmacro %}

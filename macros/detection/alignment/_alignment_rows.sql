{#- The alignment sizes of a precision: [the largest step, the size] in units of it, the last for any larger step.
    The same stand in seeds/alignment_sizes.csv, to be read and joined. -#}
{% macro _alignment_rows(precision, round_time) %}
    {%- set second, minute = 1000000000, 60000000000 -%}
    {%- set to_30 = [2, 3, 5, 10, 15, 20, 30] -%}
    {%- set to_500 = [2, 5, 10, 20, 25, 50, 100, 200, 250, 500] -%}
    {%- set to_30_000 = to_500 + [1000, 2000, 3000, 5000, 10000, 15000, 20000, 30000] -%}
    {%- set of_sixties = to_30 + [60, 120, 180, 300, 600, 900, 1200, 1800] -%}
    {%- set of_seconds = [second, 2 * second, 3 * second, 5 * second, 10 * second, 15 * second,
        20 * second, 30 * second] -%}
    {%- set largest, beyond = {
        ('month', false): ([], 12), ('month', true): ([], 12),
        ('day', false): ([], 1), ('day', true): ([], 1),
        ('minute', false): (to_30, 60), ('minute', true): (of_sixties, 3600),
        ('second', false): (to_30, 60), ('second', true): (of_sixties, 3600),
        ('ms', false): (to_30_000, 60000),
        ('ms', true): (to_30_000 + [60000, 120000, 300000, 600000, 900000, 1200000, 1800000], 3600000),
        ('ns', false): (to_500, 1000),
        ('ns', true): (to_500 + [999, 1000000, 10000000, 100000000] + of_seconds, minute),
    }[precision, round_time] -%}
    {%- set rows = [] -%}
    {%- for step in largest -%}
        {%- do rows.append([step, 1000 if step == 999 else step]) -%}
    {%- endfor -%}
    {{- return(rows + [[none, beyond]]) -}}
{% endmacro %}

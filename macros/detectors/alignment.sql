{#- The start of the first window, as an SQL expression. See _macros.yml.

        first ────────────────┐
    ──┬───────────┬───────────┼─┬──────► time, in units of the precision
      │           └ first / alignment * alignment
      └ that + step - window_size: the first window begins here -#}
{% macro window_start(first, window_size, step, round_time=true, precision='ms') %}
    {%- set read = strandline._arguments('window_start', kwargs, varargs, dict({
        'first': ['text', first, "write a SQL expression of the first row's time, a bigint of "
            ~ "units of the precision"],
        'window_size': ['any', window_size, "write the length of a window, such as '6 ms'"],
    }, **strandline._alignment_arguments(step, round_time, precision))) -%}
    {%- set faults = read.faults -%}
    {%- set alignment = strandline._alignment(read) -%}
    {%- if alignment -%}
        {%- set size = strandline._read_units(window_size, 'window_size', alignment.unit,
            faults) -%}
        {%- if size and size % alignment.step -%}
            {%- do faults.append("`window_size` is " ~ size ~ " and `step` " ~ alignment.step
                ~ " of "
                ~ alignment.unit.word ~ "; it must be a multiple of the step, such as "
                ~ (size // alignment.step + 1) * alignment.step) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do strandline._refuse('window_start', faults) -%}
    {%- set back = (size - alignment.step) ~ 'L' -%}
    {%- if alignment.unit.word == 'month' -%}
        (({{ first }}) - pmod({{ first }}, 12L) - {{ back }})
    {%- else -%}
        (({{ first }}) div {{ alignment.size }}L * {{ alignment.size }}L - {{ back }})
    {%- endif -%}
{% endmacro %}

{#- The alignment size of a step, as a number at compile time. See _macros.yml. -#}
{% macro alignment_size(step, round_time=true, precision='ms') %}
    {%- set read = strandline._arguments('alignment_size', kwargs, varargs,
        strandline._alignment_arguments(step, round_time, precision)) -%}
    {%- set alignment = strandline._alignment(read) -%}
    {%- do strandline._refuse('alignment_size', read.faults) -%}
    {{- return(alignment.size) -}}
{% endmacro %}

{#- The arguments that both have, for `_arguments`. -#}
{% macro _alignment_arguments(step, round_time, precision) %}
    {{- return({
        'step': ['any', step, "write the step of the windows, such as '3 ms'"],
        'round_time': ['flag', round_time],
        'precision': ['any', precision],
    }) -}}
{% endmacro %}

{#- The alignment of a step, checked: the unit of the precision, the step in it, and the alignment
    size. None if there is a fault. -#}
{% macro _alignment(read) %}
    {%- set step, round_time, faults = read.step, read.round_time, read.faults -%}
    {%- set unit = strandline._read_precision(read.precision, faults) -%}
    {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
    {%- set units = strandline._read_units(step, 'step', unit, faults) -%}
    {%- if faults -%}{{- return(none) -}}{%- endif -%}
    {%- for largest, size in strandline._alignment_rows(unit.word, round_time)
        if largest is none or units <= largest -%}
        {{- return({'unit': unit, 'step': units, 'size': size}) -}}
    {%- endfor -%}
{% endmacro %}

{#- The alignment sizes of a precision: [the largest step, the size] in units of it, the last one
    for any larger step. The one table of them: `python -m scripts.generated` makes of it the seed
    `alignment_sizes`, for reading and joining, and the copy for `detect`.

    After DolphinDB, anomaly detection engine, "Windowing Logic". The rows of its last table touch
    (1ms~10ms, 10ms~100ms): as in its other tables, a row includes its upper bound. Below its first
    row, 1000ns~1ms, the table without `round_time` applies. -#}
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
        ('ms', true): (to_30_000 + [60000, 120000, 300000, 600000, 900000, 1200000, 1800000],
            3600000),
        ('ns', false): (to_500, 1000),
        ('ns', true): (to_500 + [999, 1000000, 10000000, 100000000] + of_seconds, minute),
    }[precision, round_time] -%}
    {%- set rows = [] -%}
    {%- for step in largest -%}
        {%- do rows.append([step, 1000 if step == 999 else step]) -%}
    {%- endfor -%}
    {{- return(rows + [[none, beyond]]) -}}
{% endmacro %}

{#- The unit of a precision. Appends a fault for any other text, with the nearest name. -#}
{% macro _read_precision(precision, faults) %}
    {%- set unit = strandline._unit(precision, true) if precision is string else none -%}
    {%- if unit is not none and unit.is_precision -%}{{- return(unit) -}}{%- endif -%}
    {%- set known = strandline._precisions() -%}
    {%- do faults.append("`precision` is '" ~ precision ~ "'; it must be one of "
        ~ strandline._choices(known)
        ~ strandline._nearest(precision, known)) -%}
    {{- return(none) -}}
{% endmacro %}

{#- The precisions, longest first. -#}
{% macro _precisions() %}
    {{- return(strandline._units() | selectattr('is_precision') | map(attribute='word') | list
        | reverse | list) -}}
{% endmacro %}

{#- A length of time in units of a precision: a whole number of units, or a text such as '3 ms'.
    Appends a fault for anything else. `name` is the argument's name in the fault. -#}
{% macro _read_units(value, name, precision, faults) %}
    {%- set units = value if value is integer else none -%}
    {%- set fault = none -%}
    {%- if value is not integer -%}
        {%- set total = namespace(length=0, fault=none) -%}
        {%- for number, spelling in strandline._length_parts(value) -%}
            {%- set unit = strandline._unit(spelling, true) -%}
            {%- if unit is none -%}
                {%- set known = strandline._precisions() + (strandline._units()
                    | rejectattr('is_precision') | map(attribute='word') | list) -%}
                {%- set total.fault = total.fault
                    or ": its unit must be one of " ~ strandline._choices(known)
                    ~ strandline._nearest(spelling, known) -%}
            {%- elif unit.kind != precision.kind -%}
                {%- set total.fault = total.fault
                    or ", but the precision is " ~ precision.word ~ ": " ~ ("write months"
                    if precision.kind == 'calendar'
                        else "a month has no fixed length; write days") -%}
            {%- else -%}
                {%- set total.length = total.length + number | int * unit.length -%}
            {%- endif -%}
        {%- else -%}
            {%- set total.fault = "; write a whole number of units of the precision, or one with "
                ~ "its unit: '6 ms'" -%}
        {%- endfor -%}
        {%- set fault = total.fault -%}
        {%- if fault is none and total.length % precision.length -%}
            {%- set fault = ", which is no whole number of " ~ precision.word
                ~ ", the precision" -%}
        {%- elif fault is none -%}
            {%- set units = total.length // precision.length -%}
        {%- endif -%}
    {%- endif -%}
    {%- if units is not none and (units < 1 or units > 9223372036854775807) -%}
        {%- set fault = "; it must be 1 or more, and no more than a bigint holds" -%}
    {%- endif -%}
    {%- if fault -%}
        {%- do faults.append("`" ~ name ~ "` is "
            ~ ("'" ~ value ~ "'" if value is string else value) ~ fault) -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(units) -}}
{% endmacro %}

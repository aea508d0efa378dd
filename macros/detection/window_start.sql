{#- Where the first window begins, a SQL expression. See _macros.yml.

        first ────────────────┐
    ──┬───────────┬───────────┼─┬──────► time, in units of the precision
      │           └ first / alignment * alignment
      └ that + step - window_size: the first window begins here -#}
{% macro window_start(first, window_size, step, round_time=true, precision='ms') %}
    {%- do strandline._check_call('window_start', kwargs, varargs, {
        'first': [first, "write the first row's time, a bigint of units of the precision"],
        'window_size': [window_size, "write the length of a window, such as '6 ms'"],
        'step': [step, "write the step of the windows, such as '3 ms'"],
    }, ['round_time', 'precision']) -%}
    {%- set faults = [] -%}
    {%- set alignment = strandline._alignment(step, round_time, precision, faults) -%}
    {%- if first is not string or not first | trim -%}
        {%- do faults.append("`first` is '" ~ first ~ "'; it must be a SQL expression of the first row's time, as a"
            ~ " bigint of units of the precision") -%}
    {%- endif -%}
    {%- if alignment -%}
        {%- set size = strandline._read_units(window_size, 'window_size', alignment.unit, faults) -%}
        {%- if size and size % alignment.step -%}
            {%- do faults.append("`window_size` is " ~ size ~ " and `step` " ~ alignment.step ~ " of "
                ~ alignment.unit.name ~ "; it must be a multiple of the step, such as "
                ~ (size // alignment.step + 1) * alignment.step) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do strandline._refuse('window_start', faults) -%}
    {%- set back = (size - alignment.step) ~ 'L' -%}
    {%- if alignment.unit.name == 'month' -%}
        (({{ first }}) - pmod({{ first }}, 12L) - {{ back }})
    {%- else -%}
        (({{ first }}) div {{ alignment.size }}L * {{ alignment.size }}L - {{ back }})
    {%- endif -%}
{% endmacro %}

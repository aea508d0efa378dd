{#- Reads `time_weight(value, 'method', 'gap')` in `select`; the time is that of the events. The column bears what is meant, not
    how it was spelt: '90 minutes' and 'PT90M' share one. -#}
{% macro _parse_time_weight(name, argument, given, faults) %}
    {%- set read = modules.re.match("^(.*?),\\s*'([^']*)'\\s*(?:,\\s*'([^']*)'\\s*)?$", argument, modules.re.S) -%}
    {%- set value = read.group(1) | trim if read else '' -%}
    {%- if value in ['', '*'] or modules.re.match('distinct\\s', value | lower) or not strandline._is_balanced(value) -%}
        {%- do faults.append(given ~ "; time_weight takes a value, a method and, for a signal with gaps, the gap, such as "
            ~ "\"time_weight(temperature, 'locf', '90 minutes')\"; the time is that of `aggregate_by`") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set wrong = [] -%}
    {%- set method, gap = strandline._read_method(read.group(2), wrong), strandline._read_gap(read.group(3), wrong) -%}
    {%- for fault in wrong -%}{%- do faults.append(given ~ ": " ~ fault) -%}{%- endfor -%}
    {%- set micros = gap[:-1] | int if read.group(3) else none -%}
    {%- set told = '' if micros is none else ' ' ~ (micros ~ 'us' if micros % 1000000 else micros // 1000000 ~ 's') -%}
    {{- return({'name': name, 'function': 'time_weight', 'argument': value, 'option': {'method': "'" ~ method ~ "'", 'gap': gap},
        'columns': {'time_weight': strandline._part_column('time_weight', value ~ ' ' ~ method ~ told)}}) -}}
{% endmacro %}

{#- Reads `time_weight(value, 'method', 'gap')` in `select`; the time is that of the events. -#}
{% macro _parse_time_weight(name, argument, given, faults) %}
    {%- set read = modules.re.match("^(.*?),\\s*'([^']*)'\\s*(?:,\\s*'([^']*)'\\s*)?$", argument, modules.re.S) -%}
    {%- if read is none or not read.group(1) | trim or not strandline._is_balanced(read.group(1)) -%}
        {%- do faults.append(given ~ "; time_weight takes a value, a method and, for a signal with gaps, the gap, such as "
            ~ "\"time_weight(temperature, 'locf', '90 minutes')\"; the time is that of `aggregate_by`") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set wrong = [] -%}
    {%- set value = read.group(1) | trim -%}
    {%- set option = {'method': "'" ~ strandline._read_method(read.group(2), wrong) ~ "'", 'gap': strandline._read_gap(read.group(3), wrong)} -%}
    {%- for fault in wrong -%}{%- do faults.append(given ~ ": " ~ fault) -%}{%- endfor -%}
    {{- return({'name': name, 'function': 'time_weight', 'argument': value, 'option': option,
        'columns': {'time_weight': strandline._part_column('time_weight', value ~ ' ' ~ read.group(2) | lower ~ ' ' ~ (read.group(3) or ''))}}) -}}
{% endmacro %}

{#- The units in which a step may be written: how many months (calendar) or nanoseconds they have, how a person may
    write them (in the plural too), and whether a time may be counted in them (a precision). -#}
{% macro _alignment_units() %}
    {%- set units = [
        ['month', 'calendar', 1, 'precision', []],
        ['day', 'clock', 86400000000000, 'precision', ['d', 'date']],
        ['minute', 'clock', 60000000000, 'precision', ['m', 'min']],
        ['second', 'clock', 1000000000, 'precision', ['s', 'sec']],
        ['ms', 'clock', 1000000, 'precision', ['milli', 'millisecond', 'timestamp']],
        ['ns', 'clock', 1, 'precision', ['nanosecond']],
        ['us', 'clock', 1000, '', ['microsecond']],
        ['hour', 'clock', 3600000000000, '', ['h', 'hr']],
        ['week', 'clock', 604800000000000, '', ['w']],
        ['quarter', 'calendar', 3, '', []],
        ['year', 'calendar', 12, '', ['y']],
    ] -%}
    {%- set told = [] -%}
    {%- for name, kind, length, role, spellings in units -%}
        {%- do told.append({'name': name, 'kind': kind, 'length': length, 'is_precision': role == 'precision',
            'spellings': [name] + spellings}) -%}
    {%- endfor -%}
    {{- return(told) -}}
{% endmacro %}

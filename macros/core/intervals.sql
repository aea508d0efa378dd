{#- The microseconds of a length of time: whole numbers with units, `'90 minutes'` or `'1 hour 30 min'`, or
    an ISO 8601 duration of weeks to seconds, `'PT90M'`. None when it is no such length: months and
    years have none of their own. -#}
{% macro _interval_micros(text) %}
    {%- set given = text | string | trim -%}
    {%- set iso = strandline._iso_micros(given) -%}
    {%- if iso is not none -%}{{- return(iso or none) -}}{%- endif -%}
    {%- if not modules.re.match('^(\\d+ *[A-Za-z]+ *)+$', given, modules.re.A) -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = namespace(total=0) -%}
    {%- for number, spelling in modules.re.findall('(\\d+) *([A-Za-z]+)', given) -%}
        {%- set unit = strandline._unit_micros(spelling) -%}
        {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
        {%- set micros.total = micros.total + number | int * unit -%}
    {%- endfor -%}
    {{- return(micros.total or none) -}}
{% endmacro %}

{#- The microseconds of a unit in any of its spellings; none for one that is unknown. -#}
{% macro _unit_micros(spelling) %}
    {%- for unit in strandline._units() if spelling | string | lower in unit.spellings -%}
        {{- return(unit.micros) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

{#- The units of a length of time that have one: their microseconds, and how a person may write them. -#}
{% macro _units() %}
    {{- return([
        {'name': 'microsecond', 'micros': 1, 'spellings': ['us', 'usec', 'usecs', 'usecond', 'useconds', 'microsecon', 'microsecond', 'microseconds']},
        {'name': 'millisecond', 'micros': 1000, 'spellings': ['ms', 'msec', 'msecs', 'msecond', 'mseconds', 'millisecon', 'millisecond', 'milliseconds']},
        {'name': 'second', 'micros': 1000000, 'spellings': ['s', 'sec', 'secs', 'second', 'seconds']},
        {'name': 'minute', 'micros': 60000000, 'spellings': ['m', 'min', 'mins', 'minute', 'minutes']},
        {'name': 'hour', 'micros': 3600000000, 'spellings': ['h', 'hr', 'hrs', 'hour', 'hours']},
        {'name': 'day', 'micros': 86400000000, 'spellings': ['d', 'day', 'days']},
        {'name': 'week', 'micros': 604800000000, 'spellings': ['w', 'week', 'weeks']},
    ]) -}}
{% endmacro %}

{#- The microseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; none when it is no
    such duration. Months and years have no fixed length. -#}
{% macro _iso_micros(text) %}
    {%- set form = '^P(?=.)(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?=\\d)(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?$' -%}
    {%- set read = modules.re.match(form, text | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = namespace(total=0) -%}
    {%- for number in read.groups() -%}
        {%- set micros.total = micros.total + (number or 0) | int * [604800, 86400, 3600, 60, 1][loop.index0] * 1000000 -%}
    {%- endfor -%}
    {{- return(micros.total) -}}
{% endmacro %}

{#- An ISO 8601 duration in the three parts that have no fixed length in each other: months (of years too), days (of weeks
    too) and microseconds of hours to seconds. None when it is no such duration, or nothing. -#}
{% macro _iso_period(text) %}
    {%- set form = '^P(?=.)(?:(\\d{1,6})Y)?(?:(\\d{1,6})M)?(?:(\\d{1,6})W)?(?:(\\d{1,6})D)?'
        ~ '(?:T(?=\\d)(?:(\\d{1,7})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})S)?)?$' -%}
    {%- set read = modules.re.match(form, text | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set years, months, weeks, days, hours, minutes, seconds = read.groups('0') | map('int') -%}
    {%- set period = {'months': years * 12 + months, 'days': weeks * 7 + days,
        'micros': ((hours * 60 + minutes) * 60 + seconds) * 1000000} -%}
    {{- return(period if period.values() | sum else none) -}}
{% endmacro %}

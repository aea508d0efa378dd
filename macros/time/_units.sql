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

{#- The six durations, finest first. `spellings` are what a person may write for each;
    `partition` is the calendar unit by which the table of that duration is laid out on disk:
    wide enough that a file is worth opening, narrow enough that a MERGE rewrites little.
    `longest` bounds the length of one bucket in seconds, clock changes included. -#}
{% macro _durations() %}
    {{- return([
        {'name': 'seconds', 'spellings': ['sec', 'second', 'seconds'], 'partition': 'month', 'longest': 1},
        {'name': 'minutes', 'spellings': ['min', 'minute', 'minutes'], 'partition': 'month', 'longest': 60},
        {'name': 'hours', 'spellings': ['hour', 'hours'], 'partition': 'year', 'longest': 7200},
        {'name': 'days', 'spellings': ['day', 'days'], 'partition': none, 'longest': 172800},
        {'name': 'months', 'spellings': ['month', 'months'], 'partition': none, 'longest': 2764800},
        {'name': 'years', 'spellings': ['year', 'years'], 'partition': none, 'longest': 31795200},
    ]) -}}
{% endmacro %}

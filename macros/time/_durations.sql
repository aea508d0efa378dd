{#- The six durations, finest first. `spellings` are what a person may write for each;
    `partition` is the calendar unit by which the table of that duration is laid out on disk: a run
    rewrites the touched ones whole, so narrow, but a file must be worth opening, so not too narrow.
    `longest` bounds the length of one bucket in seconds, clock changes included. -#}
{% macro _durations() %}
    {{- return([
        {'name': 'seconds', 'spellings': ['sec', 'second', 'seconds'], 'partition': 'week', 'longest': 1},
        {'name': 'minutes', 'spellings': ['min', 'minute', 'minutes'], 'partition': 'week', 'longest': 60},
        {'name': 'hours', 'spellings': ['hour', 'hours'], 'partition': 'week', 'longest': 7200},
        {'name': 'days', 'spellings': ['day', 'days'], 'partition': 'week', 'longest': 172800},
        {'name': 'months', 'spellings': ['month', 'months'], 'partition': 'month', 'longest': 2764800},
        {'name': 'years', 'spellings': ['year', 'years'], 'partition': 'year', 'longest': 31795200},
    ]) -}}
{% endmacro %}

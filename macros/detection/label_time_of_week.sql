{#- Detections with a label if they begin on given days of the week, or at given hours. See
    _macros.yml. -#}
{% macro label_time_of_week(detections, days=[], hours=[], day_hours={}, time_zone='UTC',
    label='time of week', ignore=false) %}
    {%- set read = strandline._arguments(strandline._caller('label_time_of_week'), kwargs, varargs,
        strandline._label_arguments(detections, ignore, {
        'days': ['any', days], 'hours': ['any', hours], 'day_hours': ['any', day_hours],
        'time_zone': ['zone', time_zone],
        'label': strandline._label_text(label),
    })) -%}
    {%- do strandline._check_detection_columns(read) -%}
    {%- set faults = read.faults -%}
    {%- set local = strandline._local('__given.starts_at', time_zone) -%}
    {%- set day = 'pmod(' ~ strandline._local_day(strandline._local('__given.starts_at', time_zone))
        ~ ' + 3, 7)' -%}
    {%- set hour = 'pmod(unix_seconds(' ~ local ~ '), 86400) div 3600' -%}
    {%- set times = [] -%}
    {%- set weekdays = strandline._weekdays('days', days, faults) -%}
    {%- if weekdays -%}
        {%- do times.append(day ~ ' in (' ~ weekdays | join(', ') ~ ')') -%}
    {%- endif -%}
    {%- set chosen_hours = strandline._hours('hours', hours, faults) -%}
    {%- if chosen_hours -%}
        {%- do times.append(hour ~ ' in (' ~ chosen_hours | join(', ') ~ ')') -%}
    {%- endif -%}
    {%- if day_hours is not mapping -%}
        {%- do faults.append("`day_hours` is '" ~ day_hours
            ~ "'; write hours by day, such as {'sunday': [22, 23]}") -%}
    {%- endif -%}
    {%- for name, given_hours in (day_hours.items() if day_hours is mapping else []) -%}
        {%- set weekdays = strandline._weekdays('day_hours', [name], faults) -%}
        {%- set chosen_hours = strandline._hours('day_hours', given_hours, faults) -%}
        {%- if weekdays and chosen_hours -%}
            {%- do times.append(day ~ ' = ' ~ weekdays[0] ~ ' and ' ~ hour ~ ' in ('
                ~ chosen_hours | join(', ') ~ ')') -%}
        {%- elif given_hours == [] -%}
            {%- do faults.append("`day_hours` has no hour for '" ~ name
                ~ "'; list some, or name the day in `days`") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not times and not faults -%}
        {%- do faults.append("`days`, `hours` and `day_hours` are all empty; write at least one, "
            ~ "such as days=['saturday', 'sunday']") -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, faults) -%}
{{ strandline._with_labels(detections,
    strandline._label_if('(' ~ times | join(') or (') ~ ')', label), ignore) }}
{%- endmacro %}

{#- Names of days of the week as numbers, from 0 for Monday. -#}
{% macro _weekdays(argument, names, faults) %}
    {%- set known = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday',
        'sunday'] -%}
    {%- set weekdays = [] -%}
    {%- if names is string or names is mapping or names is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` is '" ~ names
            ~ "'; list days of the week, such as ['saturday', 'sunday']") -%}
        {{- return(weekdays) -}}
    {%- endif -%}
    {%- for name in names -%}
        {%- if name | string | lower in known -%}
            {%- do weekdays.append(known.index(name | lower)) -%}
        {%- else -%}
            {%- do faults.append("`" ~ argument ~ "` has the day '" ~ name ~ "'; write one of "
                ~ strandline._choices(known)
                ~ strandline._nearest(name, known)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(weekdays) -}}
{% endmacro %}

{#- Hours of a day, from 0 to 23. -#}
{% macro _hours(argument, hours, faults) %}
    {%- if hours is string or hours is mapping or hours is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` has '" ~ hours
            ~ "'; list hours from 0 to 23, such as [22, 23]") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for hour in hours if hour is not integer or hour is boolean or not 0 <= hour <= 23 -%}
        {%- do faults.append("`" ~ argument ~ "` has the hour '" ~ hour
            ~ "'; write whole numbers from 0 to 23") -%}
    {%- endfor -%}
    {{- return(hours | list) -}}
{% endmacro %}

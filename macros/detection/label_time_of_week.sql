{#- Detections that begin on some days of the week, or at some hours, with a label. See
    _macros.yml. -#}
{% macro label_time_of_week(detections, days=[], hours=[], day_hours={}, time_zone='UTC', label='time of week', ignore=false) %}
    {%- do strandline._check_call(strandline._label_maker('label_time_of_week'), kwargs, varargs, {
        'detections': [detections, "pass a relation or a query in parentheses: ref('few_flights')"],
    }, ['days', 'hours', 'day_hours',
        'time_zone', 'label', 'ignore']) -%}
    {%- set faults = [] -%}
    {%- do strandline._check_label(detections, [], {'label': label, 'ignore': ignore, 'time_zone': time_zone}, faults) -%}
    {%- set local = strandline._local('given.starts_at', time_zone) -%}
    {%- set day = 'pmod(' ~ strandline._local_day(strandline._local('given.starts_at', time_zone)) ~ ' + 3, 7)' -%}
    {%- set hour = 'pmod(unix_seconds(' ~ local ~ '), 86400) div 3600' -%}
    {%- set times = [] -%}
    {%- set places = strandline._weekdays('days', days, faults) -%}
    {%- if places -%}{%- do times.append(day ~ ' in (' ~ places | join(', ') ~ ')') -%}{%- endif -%}
    {%- set wanted = strandline._hours('hours', hours, faults) -%}
    {%- if wanted -%}{%- do times.append(hour ~ ' in (' ~ wanted | join(', ') ~ ')') -%}{%- endif -%}
    {%- if day_hours is not mapping -%}
        {%- do faults.append("`day_hours` is '" ~ day_hours ~ "'; write hours by day, such as {'sunday': [22, 23]}") -%}
    {%- endif -%}
    {%- for name, some in (day_hours.items() if day_hours is mapping else []) -%}
        {%- set places = strandline._weekdays('day_hours', [name], faults) -%}
        {%- set wanted = strandline._hours('day_hours', some, faults) -%}
        {%- if places and wanted -%}
            {%- do times.append(day ~ ' = ' ~ places[0] ~ ' and ' ~ hour ~ ' in (' ~ wanted | join(', ') ~ ')') -%}
        {%- elif some == [] -%}
            {%- do faults.append("`day_hours` has no hour for '" ~ name ~ "'; list some, or name the day in `days`") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not times and not faults -%}
        {%- do faults.append("`days`, `hours` and `day_hours` are all empty; write at least one, such as days=['saturday', 'sunday']") -%}
    {%- endif -%}
    {%- do strandline._refuse(strandline._label_maker('label_time_of_week'), faults | unique | list) -%}
{{ strandline._labelled(detections, strandline._label_if('(' ~ times | join(') or (') ~ ')', label), ignore) }}
{%- endmacro %}

{#- Days of the week by name as numbers, from 0 for Monday. -#}
{% macro _weekdays(argument, names, faults) %}
    {%- set known = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] -%}
    {%- set places = [] -%}
    {%- if names is string or names is mapping or names is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` is '" ~ names ~ "'; list days of the week, such as ['saturday', 'sunday']") -%}
        {{- return(places) -}}
    {%- endif -%}
    {%- for name in names -%}
        {%- if name | string | lower in known -%}
            {%- do places.append(known.index(name | lower)) -%}
        {%- else -%}
            {%- do faults.append("`" ~ argument ~ "` has the day '" ~ name ~ "'; write one of " ~ strandline._choices(known)
                ~ strandline._nearest(name, known)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(places) -}}
{% endmacro %}

{#- Hours of a day, from 0 to 23. -#}
{% macro _hours(argument, hours, faults) %}
    {%- if hours is string or hours is mapping or hours is not sequence -%}
        {%- do faults.append("`" ~ argument ~ "` has '" ~ hours ~ "'; list hours from 0 to 23, such as [22, 23]") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for hour in hours if hour is not integer or hour is boolean or not 0 <= hour <= 23 -%}
        {%- do faults.append("`" ~ argument ~ "` has the hour '" ~ hour ~ "'; write whole numbers from 0 to 23") -%}
    {%- endfor -%}
    {{- return(hours | list) -}}
{% endmacro %}

{#- The duration that a spelling means (`sec`, `Minutes`, …), or none when it means none. -#}
{% macro _duration(spelling) %}
    {%- set wanted = (spelling | string | trim | lower) -%}
    {%- for duration in strandline._durations() if wanted in duration.spellings -%}
        {{- return(duration) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

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

{#- Reads `every`: a range (`sec...year`), a comma list (`sec, min`) or a list of durations.
    Returns their names, finest first; adds what is wrong to `faults`. -#}
{% macro _duration_range(every, faults) %}
    {%- set all = strandline._durations() | map(attribute='name') | list -%}
    {%- set is_range = every is string and '...' in every -%}
    {%- set written = every.split('...' if is_range else ',') if every is string else (every or []) -%}

    {%- set found = [] -%}
    {%- for spelling in written -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- if duration is none -%}
            {%- do faults.append("`every` holds '" ~ spelling | trim ~ "', which is no duration; write "
                ~ "sec, min, hour, day, month or year, as a range ('sec...year') or a list ('sec, min')") -%}
            {{- return([]) -}}
        {%- endif -%}
        {%- do found.append(all.index(duration.name)) -%}
    {%- endfor -%}

    {%- if not found or (is_range and (found | length != 2 or found[0] > found[1])) -%}
        {%- do faults.append("`every` is '" ~ every ~ "'; write a range from finer to coarser, "
            ~ "such as 'sec...year', or a list, such as 'sec, min'") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set first, last = found | min, found | max -%}
    {%- set wanted = all[first:last + 1] -%}
    {%- if not is_range and found | sort != range(first, last + 1) | list -%}
        {%- do faults.append("`every` is '" ~ (every if every is string else every | join(', '))
            ~ "', which skips or repeats a duration; each one is fed from the next finer: write '"
            ~ wanted | join(', ') ~ "'") -%}
    {%- endif -%}
    {{- return(wanted) -}}
{% endmacro %}

{#- The duration a spelling means, refused when the definition does not aggregate by it. -#}
{% macro _defined_duration(definition, spelling, who) %}
    {%- set duration = strandline._duration(spelling) -%}
    {%- if duration is none or duration.name not in definition.durations -%}
        {%- do strandline._refuse(who ~ " of '" ~ definition.name ~ "'", ["'" ~ spelling
            ~ "' is no duration of this aggregation; it is defined for "
            ~ strandline._choices(definition.durations)]) -%}
    {%- endif -%}
    {{- return(duration) -}}
{% endmacro %}

{#- The seconds of a period written as a whole number and a unit: `120 sec`, `24 hours`, `1 year`; none
    when it is no such period. A month counts 31 days and a year 366: what is to be kept for a
    year is kept through a leap year too. -#}
{% macro _period_seconds(text) %}
    {%- set read = modules.re.match('^([1-9][0-9]{0,8})\\s*([A-Za-z]+)$', text | string | trim) -%}
    {%- set unit = strandline._duration(read.group(2)) if read else none -%}
    {%- if unit is none -%}{{- return(none) -}}{%- endif -%}
    {%- set seconds = {'seconds': 1, 'minutes': 60, 'hours': 3600, 'days': 86400,
        'months': 31 * 86400, 'years': 366 * 86400} -%}
    {{- return(read.group(1) | int * seconds[unit.name]) -}}
{% endmacro %}

{#- The units of time, shortest first: the single table of durations and lengths of time. `micros`,
    `days` or `months` is the length of a unit; none of the three has a fixed length in another.
    `spellings` are the accepted spellings. A unit with a `partition` can be a duration of an
    aggregation; its table is partitioned by that calendar unit. A run rewrites changed partitions
    completely, so partitions are small; each must still fill a file, so they are not too small. A
    duration with `listed_only` is not part of a range of `every` unless it is named. `longest` is
    the longest possible bucket, for retention: a day lasts 25 hours when clocks go back. -#}
{% macro _units() %}
    {%- set units = [
        {'name': 'microseconds', 'micros': 1,
            'spellings': ['us', 'usec', 'usecs', 'usecond', 'useconds', 'microsecon', 'microsecond',
                'microseconds']},
        {'name': 'milliseconds', 'micros': 1000,
            'spellings': ['ms', 'msec', 'msecs', 'msecond', 'mseconds', 'millisecon', 'millisecond',
                'milliseconds']},
        {'name': 'seconds', 'micros': 1000000, 'partition': 'week',
            'spellings': ['s', 'sec', 'secs', 'second', 'seconds']},
        {'name': 'minutes', 'micros': 60000000, 'partition': 'week',
            'spellings': ['m', 'min', 'mins', 'minute', 'minutes'],
            'longest': {'seconds': 60, 'words': 'minute', 'text': '60 sec'}},
        {'name': 'hours', 'micros': 3600000000, 'partition': 'week',
            'spellings': ['h', 'hr', 'hrs', 'hour', 'hours'],
            'longest': {'seconds': 3600, 'words': 'hour', 'text': '60 min'}},
        {'name': 'days', 'days': 1, 'spellings': ['d', 'day', 'days'], 'partition': 'week',
            'longest': {'seconds': 90000, 'words': 'day (25 hours when clocks go back)',
                'text': '25 hours'}},
        {'name': 'weeks', 'days': 7, 'spellings': ['w', 'week', 'weeks']},
        {'name': 'months', 'months': 1, 'spellings': ['month', 'months'], 'partition': 'month',
            'longest': {'seconds': 2678400, 'words': 'month (31 days)', 'text': '31 days'}},
        {'name': 'quarters', 'months': 3, 'partition': 'year', 'listed_only': true,
            'spellings': ['quarter', 'quarters'],
            'longest': {'seconds': 7948800, 'words': 'quarter (92 days)', 'text': '92 days'}},
        {'name': 'years', 'months': 12, 'spellings': ['year', 'years'], 'partition': 'year',
            'longest': {'seconds': 31622400, 'words': 'year (366 days)', 'text': '366 days'}},
    ] -%}
    {%- set every_unit = {'micros': 0, 'days': 0, 'months': 0, 'partition': none,
        'listed_only': false, 'longest': none} -%}
    {%- set complete = [] -%}
    {%- for unit in units -%}{%- do complete.append(dict(every_unit, **unit)) -%}{%- endfor -%}
    {{- return(complete) -}}
{% endmacro %}

{#- The durations that an aggregation can have, shortest first. -#}
{% macro _durations() %}
    {{- return(strandline._units() | selectattr('partition') | list) -}}
{% endmacro %}

{#- The duration of a spelling (`sec`, `Minutes`, …), or none if it is not a spelling of one. -#}
{% macro _duration(spelling) %}
    {%- set wanted = spelling | string | trim | lower -%}
    {%- for unit in strandline._units() if unit.partition and wanted in unit.spellings -%}
        {{- return(unit) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

{#- The numbers and units of a length of time: whole numbers with units, `'1 hour 30 min'`, or an
    ISO 8601 duration, `'PT90M'`. Empty for any other text. -#}
{% macro _length_parts(text) %}
    {%- set given = text | string | trim -%}
    {%- set iso = modules.re.match(
        '^P(?=.)(?:(\\d{1,6})Y)?(?:(\\d{1,6})M)?(?:(\\d{1,6})W)?(?:(\\d{1,6})D)?'
        ~ '(?:T(?=\\d)(?:(\\d{1,7})H)?(?:(\\d{1,9})M)?(?:(\\d{1,9})S)?)?$', given, modules.re.A) -%}
    {%- set words = modules.re.match('^(\\d{1,19}\\s*[A-Za-z]+\\s*)+$', given, modules.re.A) -%}
    {%- set parts = [] -%}
    {%- if iso -%}
        {%- set units = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] -%}
        {%- for number in iso.groups() -%}
            {%- if number is not none -%}
                {%- do parts.append([number, units[loop.index0]]) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- elif words -%}
        {%- do parts.extend(modules.re.findall('(\\d+)\\s*([A-Za-z]+)', given)) -%}
    {%- endif -%}
    {{- return(parts) -}}
{% endmacro %}

{#- Parses a length of time: whole numbers with units, `'90 minutes'` or `'1 hour 30 min'`, or an
    ISO 8601 duration, `'PT90M'`. Returns `months`, `days` and `micros`, and as `fixed` the length
    in microseconds if there are no months. For any other text all are 0 and `fixed` is none. -#}
{% macro _period(text) %}
    {%- set period = {'months': 0, 'days': 0, 'micros': 0, 'fixed': none} -%}
    {%- set written = strandline._length_parts(text) -%}
    {%- if not written -%}{{- return(period) -}}{%- endif -%}
    {%- set units = {} -%}
    {%- for unit in strandline._units() -%}
        {%- for spelling in unit.spellings -%}
            {%- do units.update({spelling: unit}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for number, spelling in written -%}
        {%- set unit = units.get(spelling | lower) -%}
        {%- if unit is none -%}
            {{- return({'months': 0, 'days': 0, 'micros': 0, 'fixed': none}) -}}
        {%- endif -%}
        {%- for part in ['months', 'days', 'micros'] if part in unit -%}
            {%- do period.update({part: period[part] + number | int * unit[part]}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if not period.months -%}
        {%- do period.update({'fixed': period.days * 86400000000 + period.micros}) -%}
    {%- endif -%}
    {{- return(period) -}}
{% endmacro %}

{#- Reads `every`: a range (`sec...year`), a comma-separated list (`sec, min`) or a list of
    durations. Returns their names, shortest first; appends errors to `faults`. -#}
{% macro _duration_range(every, faults) %}
    {%- set durations = strandline._durations() -%}
    {%- set all = durations | map(attribute='name') | list -%}
    {%- set is_range = every is string and '...' in every -%}
    {%- set written = every.split('...' if is_range else ',') if every is string
        else (every or []) -%}

    {%- set found = [] -%}
    {%- for spelling in written -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- if duration is none -%}
            {%- do faults.append("`every` holds '" ~ spelling | trim
                ~ "', which is not a duration; write sec, min, hour, day, month, quarter or year, "
                ~ "as a range ('sec...year') or a list ('sec, min')") -%}
            {{- return([]) -}}
        {%- endif -%}
        {%- do found.append(all.index(duration.name)) -%}
    {%- endfor -%}

    {%- if not found or (is_range and (found | length != 2 or found[0] > found[1])) -%}
        {%- do faults.append("`every` is '" ~ every ~ "'; write a range from shorter to longer, "
            ~ "such as 'sec...year', or a list, such as 'sec, min'") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set wanted = [] -%}
    {%- for position in range(found | min, (found | max) + 1)
        if position in found or not durations[position].listed_only -%}
        {%- do wanted.append(all[position]) -%}
    {%- endfor -%}
    {%- if not is_range and found | length != wanted | length -%}
        {%- do faults.append("`every` is '" ~ (every if every is string else every | join(', '))
            ~ "', which skips or repeats a duration; each table is computed from the next shorter "
            ~ "one: write '"
            ~ wanted | join(', ') ~ "'") -%}
    {%- endif -%}
    {{- return(wanted) -}}
{% endmacro %}

{#- What to write as the duration of an aggregation, for messages. -#}
{% macro _duration_form(definition) %}
    {{- return('write one of ' ~ strandline._choices(definition.durations)) -}}
{% endmacro %}

{#- The duration of a spelling. Fails if the definition does not have that duration. -#}
{% macro _defined_duration(definition, spelling, who) %}
    {%- set duration = strandline._duration(spelling) -%}
    {%- if duration is none or duration.name not in definition.durations -%}
        {%- do strandline._refuse(who, ["'" ~ spelling
            ~ "' is not a duration of this aggregation; it has "
            ~ strandline._choices(definition.durations)]) -%}
    {%- endif -%}
    {{- return(duration) -}}
{% endmacro %}

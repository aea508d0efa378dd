{#- The units of time, shortest first: the one table of lengths of time, of durations and of the
    precision of a time. `python -m scripts.generated` copies it for Python.

    word         one of it, in messages and as a precision
    micros, days or months
                 the length of a unit; none of the three has a fixed length in another. `nanos` is
                 that of the one unit which no timestamp of Spark can hold
    spellings    what is accepted, in any case; `types` are names of types, accepted as a precision
                 and as the unit of its steps
    is_precision whether a time can be a whole number of it
    partition    the unit can be a duration of an aggregation; tables of 0.1.0 are partitioned by
                 that calendar unit, and tables without rows. For all others see `_chosen_width`
    listed_only  a duration that is not part of a range of `every` unless it is named
    longest      the longest possible bucket, for retention: a day lasts 25 hours when clocks go
                 back

    Added to each unit: `kind`, and `length` in months (calendar) or nanoseconds (clock). -#}
{% macro _units() %}
    {%- set units = [
        {'name': 'nanoseconds', 'word': 'ns', 'nanos': 1, 'is_precision': true,
            'spellings': ['ns', 'nanosecond', 'nanoseconds']},
        {'name': 'microseconds', 'word': 'us', 'micros': 1,
            'spellings': ['us', 'usec', 'usecs', 'usecond', 'useconds', 'microsecon', 'microsecond',
                'microseconds']},
        {'name': 'milliseconds', 'word': 'ms', 'micros': 1000, 'is_precision': true,
            'spellings': ['ms', 'msec', 'msecs', 'msecond', 'mseconds', 'milli', 'millis',
                'millisecon', 'millisecond', 'milliseconds'],
            'types': ['timestamp', 'timestamps']},
        {'name': 'seconds', 'word': 'second', 'micros': 1000000, 'is_precision': true,
            'spellings': ['s', 'sec', 'secs', 'second', 'seconds'], 'partition': 'week'},
        {'name': 'minutes', 'word': 'minute', 'micros': 60000000, 'is_precision': true,
            'spellings': ['m', 'min', 'mins', 'minute', 'minutes'], 'partition': 'week',
            'longest': {'seconds': 60, 'words': 'minute', 'text': '60 sec'}},
        {'name': 'hours', 'word': 'hour', 'micros': 3600000000,
            'spellings': ['h', 'hr', 'hrs', 'hour', 'hours'], 'partition': 'week',
            'longest': {'seconds': 3600, 'words': 'hour', 'text': '60 min'}},
        {'name': 'days', 'word': 'day', 'days': 1, 'is_precision': true,
            'spellings': ['d', 'day', 'days'], 'types': ['date', 'dates'], 'partition': 'week',
            'longest': {'seconds': 90000, 'words': 'day (25 hours when clocks go back)',
                'text': '25 hours'}},
        {'name': 'weeks', 'word': 'week', 'days': 7, 'spellings': ['w', 'week', 'weeks'],
            'partition': 'year', 'listed_only': true,
            'longest': {'seconds': 608400, 'words': 'week (169 hours when clocks go back)',
                'text': '169 hours'}},
        {'name': 'months', 'word': 'month', 'months': 1, 'is_precision': true,
            'spellings': ['month', 'months'], 'partition': 'month',
            'longest': {'seconds': 2678400, 'words': 'month (31 days)', 'text': '31 days'}},
        {'name': 'quarters', 'word': 'quarter', 'months': 3, 'partition': 'year',
            'listed_only': true, 'spellings': ['quarter', 'quarters'],
            'longest': {'seconds': 7948800, 'words': 'quarter (92 days)', 'text': '92 days'}},
        {'name': 'years', 'word': 'year', 'months': 12,
            'spellings': ['y', 'year', 'years'], 'partition': 'year',
            'longest': {'seconds': 31622400, 'words': 'year (366 days)', 'text': '366 days'}},
    ] -%}
    {%- set every_unit = {'nanos': 0, 'micros': 0, 'days': 0, 'months': 0, 'types': [],
        'is_precision': false, 'partition': none, 'listed_only': false, 'longest': none} -%}
    {%- set complete = [] -%}
    {%- for given in units -%}
        {%- set unit = dict(every_unit, **given) -%}
        {%- do complete.append(dict(unit, kind='calendar' if unit.months else 'clock',
            length=unit.months or unit.nanos + 1000 * unit.micros
                + 86400000000000 * unit.days)) -%}
    {%- endfor -%}
    {{- return(complete) -}}
{% endmacro %}

{#- The unit of a spelling (`sec`, `Minutes`, …), or none if it is not a spelling of one. With
    `or_type` also the unit of the name of a type (`date`). -#}
{% macro _unit(spelling, or_type=false) %}
    {%- set wanted = spelling | string | trim | lower -%}
    {%- for unit in strandline._units()
        if wanted in unit.spellings or (or_type and wanted in unit.types) -%}
        {{- return(unit) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}

{#- The durations of one unit that an aggregation can have, shortest first. -#}
{% macro _durations() %}
    {{- return(strandline._units() | selectattr('partition') | list) -}}
{% endmacro %}

{#- The duration of a spelling, or none if it is not a spelling of one: a unit, or several seconds,
    minutes or hours of which the next unit is a multiple, such as '15 minutes' or PT15M. The name
    of such a one is 15minutes, for the names of tables. -#}
{% macro _duration(spelling) %}
    {%- set unit = strandline._unit(spelling) -%}
    {%- if unit is not none -%}{{- return(unit if unit.partition else none) -}}{%- endif -%}
    {%- set parts = strandline._length_parts(spelling) -%}
    {%- if parts | length != 1 -%}{{- return(none) -}}{%- endif -%}
    {%- set number, unit = parts[0][0] | int, strandline._unit(parts[0][1]) -%}
    {%- if unit is none or not unit.partition -%}{{- return(none) -}}{%- endif -%}
    {%- if number == 1 -%}{{- return(unit) -}}{%- endif -%}
    {%- set whole = {'seconds': 60, 'minutes': 60, 'hours': 24}.get(unit.name, 1) -%}
    {%- if not 1 < number < whole or whole % number -%}{{- return(none) -}}{%- endif -%}
    {{- return(strandline._several(number, unit)) -}}
{% endmacro %}

{#- Several of one unit, as a duration. The clock may go back by an hour within several hours. -#}
{% macro _several(number, unit) %}
    {%- set seconds = number * unit.micros // 1000000 -%}
    {%- set longest = seconds + (3600 if unit.name == 'hours' else 0) -%}
    {%- set spellings = [] -%}
    {%- for spelling in unit.spellings -%}
        {%- do spellings.extend([number ~ spelling, number ~ ' ' ~ spelling]) -%}
    {%- endfor -%}
    {{- return(dict(unit, name=number ~ unit.name, word=number ~ ' ' ~ unit.name,
        micros=number * unit.micros, length=number * unit.length, listed_only=true,
        spellings=spellings + ['pt' ~ number ~ unit.name[0]],
        longest={'seconds': longest, 'words': number ~ ' ' ~ unit.name,
            'text': longest ~ ' sec'})) -}}
{% endmacro %}

{#- A number by which durations are in order: their mean lengths. -#}
{% macro _duration_order(duration) %}
    {{- return(duration.micros or (duration.days or duration.months * 30.4) * 86400000000) -}}
{% endmacro %}

{#- Whether each bucket of a longer duration consists of whole ones of a shorter one. -#}
{% macro _nests(shorter, longer) %}
    {%- if longer.micros -%}{{- return(longer.micros % shorter.micros == 0) -}}{%- endif -%}
    {{- return(shorter.days != 7 if not shorter.months else longer.months % shorter.months == 0) -}}
{% endmacro %}

{#- How a length of time is written, as regular expressions of the whole text: `iso`, an ISO 8601
    duration whose groups are numbers of `iso_units`, or `words`, whole numbers with units, of which
    `part` finds each. `python -m scripts.generated` copies them for Python. -#}
{% macro _length_forms() %}
    {{- return({
        'iso': '^P(?=.)(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?'
            ~ '(?:T(?=[0-9])(?:([0-9]{1,7})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?$',
        'iso_units': ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'],
        'words': '^([0-9]{1,19}\\s*[A-Za-z]+\\s*)+$',
        'part': '([0-9]+)\\s*([A-Za-z]+)',
    }) -}}
{% endmacro %}

{#- The numbers and units of a length of time: whole numbers with units, `'1 hour 30 min'`, or an
    ISO 8601 duration, `'PT90M'`. Empty for any other text. -#}
{% macro _length_parts(text) %}
    {%- set given, forms = text | string | trim, strandline._length_forms() -%}
    {%- set iso = modules.re.match(forms.iso, given) -%}
    {%- set parts = [] -%}
    {%- if iso -%}
        {%- for number in iso.groups() -%}
            {%- if number is not none -%}
                {%- do parts.append([number, forms.iso_units[loop.index0]]) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- elif modules.re.match(forms.words, given) -%}
        {%- do parts.extend(modules.re.findall(forms.part, given)) -%}
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
    {%- for number, spelling in written -%}
        {%- set unit = strandline._unit(spelling) -%}
        {%- if unit is none or unit.nanos -%}
            {{- return({'months': 0, 'days': 0, 'micros': 0, 'fixed': none}) -}}
        {%- endif -%}
        {%- for part in ['months', 'days', 'micros'] -%}
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
    {%- set is_range = every is string and '...' in every -%}
    {%- set written = every.split('...' if is_range else ',') if every is string
        else (every or []) -%}

    {%- set found, orders = [], [] -%}
    {%- for spelling in written -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- if duration is none -%}
            {%- do faults.append("`every` holds '" ~ spelling | trim
                ~ "', which is not a duration; write sec, min, hour, day, week, month, quarter or "
                ~ "year, or several of the first three that the next one is a multiple of "
                ~ "('15 minutes'), as a range ('sec...year') or a list ('sec, min')") -%}
            {{- return([]) -}}
        {%- endif -%}
        {%- do found.append(duration) -%}
        {%- do orders.append(strandline._duration_order(duration)) -%}
    {%- endfor -%}

    {%- if not found or (is_range and (found | length != 2 or orders[0] > orders[1])) -%}
        {%- do faults.append("`every` is '" ~ every ~ "'; write a range from shorter to longer, "
            ~ "such as 'sec...year', or a list, such as 'sec, min'") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set by_order = {} -%}
    {%- for duration in strandline._durations() if not duration.listed_only
        and orders | min <= strandline._duration_order(duration) <= orders | max -%}
        {%- do by_order.update({strandline._duration_order(duration): duration}) -%}
    {%- endfor -%}
    {%- for duration in found -%}{%- do by_order.update({orders[loop.index0]: duration}) -%}
    {%- endfor -%}
    {%- set wanted, names = [], [] -%}
    {%- for order in by_order | sort -%}
        {%- do wanted.append(by_order[order]) -%}
        {%- do names.append(by_order[order].name) -%}
    {%- endfor -%}
    {%- if not is_range and found | length != wanted | length -%}
        {%- do faults.append("`every` is '" ~ (every if every is string else every | join(', '))
            ~ "', which skips or repeats a duration; each table is computed from the next shorter "
            ~ "one: write '" ~ names | join(', ') ~ "'") -%}
    {%- endif -%}
    {%- for longer in wanted[1:] -%}
        {%- set shorter = wanted[loop.index0] -%}
        {%- if not strandline._nests(shorter, longer) -%}
            {%- do faults.append("`every` has " ~ longer.name ~ " after " ~ shorter.name
                ~ ", of which they do not consist; leave one of the two out, or define two "
                ~ "aggregations") -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(names) -}}
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

{#- Unix microseconds of `yyyy-MM-dd HH:mm:ss[.ffffff][ +HH:MM]` (GMT without an offset) or of a
    number of milliseconds; none for anything else. -#}
{% macro _instant_micros(value) %}
    {%- if value is integer -%}{{- return(value * 1000) -}}{%- endif -%}
    {%- set form = '^(\\d{4})-(\\d\\d)-(\\d\\d) (\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?'
        ~ '(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, value | string | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set millis = strandline._utc_millis(read.groups()[:6] | map('int') | list,
        read.group(8)) -%}
    {%- if millis is none -%}{{- return(none) -}}{%- endif -%}
    {{- return(millis * 1000 + ((read.group(7) or '') ~ '000000')[:6] | int) -}}
{% endmacro %}

{#- Unix milliseconds of an instant in whole seconds, or of a number of milliseconds, as in
    `within`. None for anything else, including a fraction of a second, as in the text of a column
    (`_text_instant`). -#}
{% macro _instant_millis(value) %}
    {%- set micros = none if '.' in value | string else strandline._instant_micros(value) -%}
    {{- return(none if micros is none else micros // 1000) -}}
{% endmacro %}

{#- Unix milliseconds of [year, month, day, hour, minute, second] at an offset such as '+05:30';
    none if there is no such date, time or offset (18 hours at most, as in Spark). -#}
{% macro _utc_millis(fields, offset) %}
    {%- set year, month, day, hour, minute, second = fields -%}
    {%- set lengths = [31, 29 if (year % 4 == 0 and year % 100 != 0) or year % 400 == 0 else 28,
        31, 30, 31, 30, 31, 31, 30, 31, 30, 31] -%}
    {%- if year < 1 or month < 1 or month > 12 or day < 1 or day > lengths[month - 1]
        or hour > 23 or minute > 59 or second > 59 -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set ahead_hours, ahead_minutes = (0, 0) if offset in [none, 'Z']
        else (offset[1:3] | int, offset[4:6] | int) -%}
    {%- set minutes = ahead_hours * 60 + ahead_minutes -%}
    {%- if minutes > 1080 or ahead_minutes > 59 -%}{{- return(none) -}}{%- endif -%}
    {%- set days = (modules.datetime.date(year, month, day)
        - modules.datetime.date(1970, 1, 1)).days -%}
    {%- set ahead = minutes * (-60 if offset and offset[0] == '-' else 60) -%}
    {{- return((days * 86400 + hour * 3600 + minute * 60 + second - ahead) * 1000) -}}
{% endmacro %}

{#- A whole number of Unix milliseconds as a TIMESTAMP; null outside the years 1 to 9999, because
    Spark cannot represent all other years. -#}
{% macro _millis_instant(millis) -%}
timestamp_millis(case when {{ millis }} between -62135596800000 and 253402300799999
    then {{ millis }} end)
{%- endmacro %}

{#- Unix microseconds as a TIMESTAMP that Spark folds into a literal, by which files are
    skipped. -#}
{% macro _micros_time(micros) %}
    {{- return('timestamp_micros(' ~ micros ~ 'L)') -}}
{% endmacro %}

{#- Unix microseconds as `yyyy-MM-dd HH:mm:ss[.ffffff]` in UTC. -#}
{% macro _micros_text(micros) %}
    {%- set instant = modules.datetime.datetime(1970, 1, 1)
        + modules.datetime.timedelta(microseconds=micros) -%}
    {{- return(instant.isoformat(' ')) -}}
{% endmacro %}

{#- Unix microseconds of `yyyy-MM-dd HH:mm:ss[.ffffff]` in UTC, as written by Spark and
    `_micros_text`. -#}
{% macro _text_micros(text) %}
    {%- set elapsed = modules.datetime.datetime.fromisoformat(strandline._padded_micros(text))
        - modules.datetime.datetime(1970, 1, 1) -%}
    {{- return((elapsed.days * 86400 + elapsed.seconds) * 1000000 + elapsed.microseconds) -}}
{% endmacro %}

{#- The text of an instant with all six digits of its microseconds, as Python parses it. -#}
{% macro _padded_micros(text) %}
    {%- set whole, dot, fraction = text.partition('.') -%}
    {{- return(whole ~ '.' ~ (fraction ~ '000000')[:6]) -}}
{% endmacro %}

{#- A text `yyyy-MM-dd HH:mm:ss[ +HH:MM]` (GMT without an offset), or digits of Unix milliseconds,
    as a TIMESTAMP; null for anything else. It never raises an error. -#}
{% macro _text_instant(text) -%}
case
            when {{ text }} rlike '^[+-]?[0-9]{1,15}$'
                then {{ strandline._millis_instant('try_cast(' ~ text ~ ' as bigint)') }}
            when {{ text }} rlike '{{ strandline._text_form() }}'
                then {{ strandline._civil_instant('left(' ~ text ~ ', 19)',
                    strandline._text_offset(text)) }}
        end
{%- endmacro %}

{#- The only accepted form of a time in text, as a regular expression: an optional space and offset
    at the end. Without backslashes, because Spark unescapes them twice. -#}
{% macro _text_form() %}
    {{- return('^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
        ~ '( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

{#- The instant of a local time `yyyy-MM-dd HH:mm:ss` at an offset in text (`_text_offset`; GMT if
    it is empty), as a TIMESTAMP; null if there is no such date, time or offset. The session's time
    zone has no influence, because the text always has an offset. -#}
{% macro _civil_instant(civil, offset) %}
    {{- return("case when " ~ civil ~ " not like '0000%' then try_cast(concat(" ~ civil ~ ", if("
        ~ offset ~ " = '', 'Z', "
        ~ offset ~ ")) as timestamp) end") -}}
{% endmacro %}

{#- The offset at the end of a time in text, such as +05:30; empty if there is none. -#}
{% macro _text_offset(column) %}
    {{- return("trim(substring(trim(" ~ column ~ "), 20))") -}}
{% endmacro %}

{#- Whether an instant is in 4 to 16 October 1582, with a day on both sides for all time zones.
    Java's calendar skips from the 4th to the 15th, and so do Delta's file statistics: a query by
    time would not find such a row. -#}
{% macro _is_skipped_time(ts) %}
    {{- return('unix_seconds(' ~ ts ~ ') between -12220243200 and -12219120001') -}}
{% endmacro %}

{#- What to write as an instant, for messages. -#}
{% macro _instant_form() %}
    {{- return("write yyyy-MM-dd HH:mm:ss[.ffffff] (UTC), with an offset such as +01:00 if it is "
        ~ "another zone's") -}}
{% endmacro %}

{#- The setting `strandline_as_of` in Unix microseconds, or none. Fails if it is not a time. -#}
{% macro _as_of() %}
    {%- set given = strandline._run_setting('strandline_as_of') -%}
    {%- if given is none -%}{{- return(none) -}}{%- endif -%}
    {%- set micros = strandline._instant_micros(given) -%}
    {%- if micros is none -%}
        {%- do strandline._refuse(model.name,
            ["the var strandline_as_of is '" ~ given ~ "'; " ~ strandline._instant_form()]) -%}
    {%- endif -%}
    {{- return(micros) -}}
{% endmacro %}

{#- A setting of one run, none if it is not given: the var of this name, or else the environment
    variable of this name in capitals. `strandline run` and `demo` give the latter, because dbt
    parses the whole project again when a var differs from that of the last run. -#}
{% macro _run_setting(name) %}
    {%- set given = var(name, none) -%}
    {{- return((env_var(name | upper, '') or none) if given is none else given) -}}
{% endmacro %}

{#- Reads `within`: a pair of instants (text with an optional offset, or Unix milliseconds), or one
    pattern such as '2018-01-** **:**:**'. Returns [start, end) in Unix milliseconds. -#}
{% macro _within_bounds(within, who) %}
    {%- set forms = "write a pair ['2014-02-15 00:00:00 +05:30', '2014-03-16 00:00:00 +05:30'], a "
        ~ "pair of Unix milliseconds, or one pattern such as '2018-01-** **:**:**' (the zone may "
        ~ "be left out and is GMT then)" -%}
    {%- set given = "`within` is "
        ~ (within | string if within is not string else "'" ~ within ~ "'") -%}
    {%- if within is string -%}
        {%- set bounds = strandline._pattern_bounds(within) -%}
    {%- elif within is sequence and within is not mapping and within | length == 2 -%}
        {%- set bounds = [strandline._instant_millis(within[0]),
            strandline._instant_millis(within[1])] -%}
    {%- else -%}
        {%- set bounds = none -%}
    {%- endif -%}

    {%- if not bounds or none in bounds -%}
        {%- do strandline._refuse(who, [given ~ "; " ~ forms]) -%}
    {%- endif -%}
    {%- if bounds[0] >= bounds[1] -%}
        {%- do strandline._refuse(who,
            [given ~ ", whose start is not before its end; the first must be earlier than the "
                ~ "second"]) -%}
    {%- endif -%}
    {{- return(bounds) -}}
{% endmacro %}

{#- What to write as `within`, for a missing one. -#}
{% macro _within_form() %}
    {{- return("write a pair such as ['2014-02-15 00:00:00', '2014-03-16 00:00:00'] or a pattern "
        ~ "such as '2018-01-** **:**:**'") -}}
{% endmacro %}

{#- [start, end) in Unix milliseconds of a pattern whose right part is asterisks: `2018-01-**
    **:**:**` is January 2018. None if the text is no such pattern, for instance with an asterisk to
    the left of a number. -#}
{% macro _pattern_bounds(pattern) %}
    {%- set form = '^(\\d{4})-(\\d\\d|\\*\\*)-(\\d\\d|\\*\\*) '
        ~ '(\\d\\d|\\*\\*):(\\d\\d|\\*\\*):(\\d\\d|\\*\\*)(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, pattern | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set written = read.groups()[:6] -%}
    {%- set known = written | reject('equalto', '**') | list | length -%}
    {%- if '**' in written[:known] -%}{{- return(none) -}}{%- endif -%}

    {%- set start = written[:known] | map('int') | list + [1, 1, 1, 0, 0, 0][known:] -%}
    {%- set from = strandline._utc_millis(start, read.group(7)) -%}
    {%- if from is none -%}{{- return(none) -}}{%- endif -%}
    {%- if known <= 2 -%}
        {%- set next = [start[0] + 1, 1] if known == 1 or start[1] == 12
            else [start[0], start[1] + 1] -%}
        {{- return([from, strandline._utc_millis(next + [1, 0, 0, 0], read.group(7))]) -}}
    {%- endif -%}
    {{- return([from, from + {3: 86400, 4: 3600, 5: 60, 6: 1}[known] * 1000]) -}}
{% endmacro %}

{#- The regular expression of a pattern of `within`, for Spark: any number of fields from the right
    can be asterisks. Without backslashes, like `_text_form`, which is the case without
    asterisks. -#}
{% macro _pattern_form() %}
    {%- set forms = [] -%}
    {%- for known in range(1, 7) -%}
        {%- set fields = ['[0-9]{4}'] + ['[0-9]{2}'] * (known - 1) + ['[*]{2}'] * (6 - known) -%}
        {%- do forms.append('%s-%s-%s %s:%s:%s' | format(*fields)) -%}
    {%- endfor -%}
    {{- return('^(' ~ forms | join('|') ~ ')( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

{#- Reads the vars strandline_from and strandline_to (`given`): the backfill range [start, end) in
    Unix microseconds, or none if neither is set. -#}
{% macro _backfill_range(given, who='anomalies') %}
    {%- if given[0] is none and given[1] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set bounds = [] -%}
    {%- for name in ['strandline_from', 'strandline_to'] -%}
        {%- set micros = none if given[loop.index0] is none
            else strandline._instant_micros(given[loop.index0]) -%}
        {%- do bounds.append(micros) -%}
        {%- if micros is none -%}
            {%- do faults.append("the var " ~ name ~ " is "
                ~ ("missing" if given[loop.index0] is none else "'" ~ given[loop.index0] ~ "'")
                ~ "; a backfill range needs both, as yyyy-MM-dd HH:mm:ss[.ffffff] (UTC)") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not faults and bounds[0] >= bounds[1] -%}
        {%- do faults.append("the backfill range from '" ~ given[0] ~ "' to '" ~ given[1]
            ~ "' is empty; its end must be after its start") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {{- return({'start': bounds[0], 'end': bounds[1], 'is_backfill': true}) -}}
{% endmacro %}

{#- The start of the bucket of one duration that contains an instant. See _macros.yml. -#}
{% macro bucket_start(ts, duration, time_zone='UTC', day_start='PT0S') %}
    {%- set form = 'write one of ' ~ strandline._choices(strandline._durations()
        | map(attribute='name')) ~ ", or several seconds, minutes or hours of which the next one "
        ~ "is a multiple, such as '15 minutes'" -%}
    {%- set read = strandline._arguments('bucket_start', kwargs, varargs, {
        'ts': ['any', ts, 'name the instant'],
        'duration': ['any', duration, form],
        'time_zone': ['zone', time_zone],
        'day_start': strandline._day_start_argument(day_start),
    }) -%}
    {%- set unit = strandline._duration(duration) -%}
    {%- if unit is none -%}
        {%- do read.faults.append("`duration` is '" ~ duration ~ "'; " ~ form) -%}
    {%- endif -%}
    {%- set after_midnight = strandline._day_start_seconds(read) -%}
    {%- do strandline._refuse('bucket_start', read.faults) -%}
    {{- strandline._bucket(ts, unit.name, time_zone, after_midnight) -}}
{% endmacro %}

{#- When a day begins, for `_arguments`. -#}
{% macro _day_start_argument(day_start) %}
    {{- return(['length', day_start, "write how long after midnight a day begins, less than a day, "
        ~ "such as 'PT6H'", {'zero': true, 'step': 1000000}]) -}}
{% endmacro %}

{#- The seconds after midnight at which a day begins. Appends a fault. -#}
{% macro _day_start_seconds(read) %}
    {%- set seconds = (read.day_start or 0) // 1000000 -%}
    {%- if seconds >= 86400 -%}
        {%- do read.faults.append("`day_start` is a day or more; write how long after midnight a "
            ~ "day begins, such as 'PT6H'") -%}
    {%- endif -%}
    {{- return(seconds) -}}
{% endmacro %}

{#- The start of the bucket that contains an instant. A day, and what consists of days, begins
    `after_midnight` seconds after midnight. -#}
{% macro _bucket(ts, duration, time_zone, after_midnight=0) %}
    {%- set unit = strandline._duration(duration) -%}
    {%- if unit.micros == 1000000 -%}
        {{- return('timestamp_seconds(unix_seconds(' ~ ts ~ '))') -}}
    {%- endif -%}
    {{- return(strandline._clock_bucket(ts, unit.micros // 1000000, time_zone) if unit.micros
        else strandline._calendar_bucket(ts, unit.name, time_zone, after_midnight)) -}}
{% endmacro %}

{#- Minutes and hours, or several: the instant less the part of its bucket that has passed on the
    zone's clock. Computing with instants keeps both passes of a repeated hour apart. Computing
    with the zone's UTC offset keeps every hour inside one local day, also if the offset is not
    a whole hour. If the offset changed within the hour by part of an hour, the computed start
    is not the start of an hour: it lies `passed` seconds after the start of an hour of the
    earlier offset. The bucket then starts at that hour, or at its end if the earlier hour was
    completed before the change. -#}
{% macro _clock_bucket(ts, length, time_zone) %}
    {%- set instant = "unix_seconds(" ~ ts ~ ")" -%}
    {%- if time_zone == 'UTC' -%}
        {{- return("timestamp_seconds(" ~ instant ~ " - pmod(" ~ instant ~ ", " ~ length ~ "))") -}}
    {%- endif -%}
    {%- set start = "(" ~ instant ~ " - "
        ~ strandline._passed(strandline._local("timestamp_seconds(" ~ instant ~ ")", time_zone),
            length) ~ ")" -%}
    {%- set passed = strandline._passed(strandline._local("timestamp_seconds(" ~ start ~ ")",
        time_zone), length) -%}
    {%- set last = start ~ " - " ~ passed ~ " + " ~ (length - 1) -%}
    {%- set is_completed = strandline._passed(strandline._local("timestamp_seconds(" ~ last ~ ")",
        time_zone), length) ~ " = " ~ (length - 1) -%}
    {{- return("timestamp_seconds(" ~ start ~ " - " ~ passed
        ~ " + if(" ~ passed ~ " > 0 and " ~ is_completed ~ ", " ~ length ~ ", 0))") -}}
{% endmacro %}

{#- The seconds of the current minute or hour that have passed on the zone's clock. -#}
{% macro _passed(local, length) %}
    {{- return("pmod(unix_seconds(" ~ local ~ "), " ~ length ~ ")") -}}
{% endmacro %}

{#- Days and longer: the instant at which the day began, or the first day of its week, month,
    quarter or year. Dates are counted from the epoch, so the session's time zone has no influence.
    The day is the last one that had begun. This differs from the local date if the clock went back
    across midnight (the later day goes on), or if a change skipped midnight (the earlier day goes
    on a little longer). -#}
{% macro _calendar_bucket(ts, name, time_zone, after_midnight=0) %}
    {%- set day = strandline._local_day(strandline._local(ts, time_zone), after_midnight) -%}
    {%- if time_zone != 'UTC' -%}
        {%- set next = strandline._day_start(day ~ " + 1", time_zone, after_midnight) -%}
        {%- set own = strandline._day_start(day, time_zone, after_midnight) -%}
        {%- set day = "(" ~ day ~ " + if(" ~ next ~ " <= " ~ ts ~ ", 1, 0)"
            ~ " - if(" ~ own ~ " > " ~ ts ~ ", 1, 0))" -%}
    {%- endif -%}
    {%- if name == 'days' -%}
        {{- return(strandline._day_start(day, time_zone, after_midnight)) -}}
    {%- endif -%}
    {%- if name not in ['weeks', 'months', 'quarters', 'years'] -%}
        {%- do strandline._refuse('bucket_start', ["Spark cannot truncate a date to " ~ name]) -%}
    {%- endif -%}
    {%- set first = "unix_date(trunc(date_from_unix_date(" ~ day ~ "), '" ~ name[:-1] ~ "'))" -%}
    {{- return(strandline._day_start(first, time_zone, after_midnight)) -}}
{% endmacro %}

{#- The instant at which a day, counted from the epoch, begins: the first instant at which the
    zone's clock shows midnight, or would have shown it before a change that skips midnight; or so
    many seconds after midnight. -#}
{% macro _day_start(day, time_zone, after_midnight=0) %}
    {%- set start = "timestamp_seconds((" ~ day ~ ") * 86400L"
        ~ (" + " ~ after_midnight if after_midnight else "") ~ ")" -%}
    {%- if time_zone == 'UTC' -%}{{- return(start) -}}{%- endif -%}
    {{- return("to_utc_timestamp(" ~ start ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- An instant on the zone's clock, written as if it were UTC. -#}
{% macro _local(ts, time_zone) %}
    {{- return(ts if time_zone == 'UTC'
        else "from_utc_timestamp(" ~ ts ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- The date of an instant on the zone's clock (`_local`), as days since 1970-01-01. Integer
    arithmetic only: Spark's date functions depend on the session's time zone. A day begins so many
    seconds after midnight. -#}
{% macro _local_day(local, after_midnight=0) %}
    {%- set seconds = "unix_seconds(" ~ local ~ ")" if not after_midnight
        else "(unix_seconds(" ~ local ~ ") - " ~ after_midnight ~ ")" -%}
    {{- return("cast((" ~ seconds ~ " - pmod(" ~ seconds ~ ", 86400)) div 86400 as int)") -}}
{% endmacro %}

{#- The start of the bucket of one duration that holds an instant. See _macros.yml. -#}
{% macro bucket_start(ts, duration, time_zone='UTC') %}
    {%- do strandline._check_call('bucket_start', kwargs, varargs, {
        'ts': [ts, "name the instant"],
        'duration': [duration, "write one of "
            ~ strandline._choices(strandline._durations() | map(attribute='name'))],
    }, ['time_zone']) -%}
    {%- set unit = strandline._duration(duration) -%}
    {%- if unit is none -%}
        {%- do strandline._refuse('bucket_start', ["`duration` is '" ~ duration ~ "'; it must be one of "
            ~ strandline._choices(strandline._durations() | map(attribute='name'))]) -%}
    {%- endif -%}
    {%- if unit.name == 'seconds' -%}
        timestamp_seconds(unix_seconds({{ ts }}))
    {%- elif unit.name in ['minutes', 'hours'] -%}
        {{- strandline._clock_bucket(ts, 60 if unit.name == 'minutes' else 3600, time_zone) -}}
    {%- else -%}
        {{- strandline._calendar_bucket(ts, unit.name, time_zone) -}}
    {%- endif -%}
{% endmacro %}

{#- Minutes and hours: the instant less what has passed of its minute or hour on the zone's own
    clock. Working on instants keeps both passes of a repeated hour apart; using the zone's offset
    keeps every hour inside one local day, also where the offset is not a whole hour. If the clock
    changed meanwhile by part of an hour, no hour began at that instant, which lies `passed` behind
    an hour of the earlier clock: the bucket begins with that one, or, if the clock came to its last
    second before it changed, at its end. -#}
{% macro _clock_bucket(ts, length, time_zone) %}
    {%- set instant = "unix_seconds(" ~ ts ~ ")" -%}
    {%- set start = "(" ~ instant ~ " - " ~ strandline._passed(instant, length, time_zone) ~ ")" -%}
    {%- if time_zone == 'UTC' -%}{{- return("timestamp_seconds" ~ start) -}}{%- endif -%}
    {%- set passed = strandline._passed(start, length, time_zone) -%}
    {%- set last = start ~ " - " ~ passed ~ " + " ~ (length - 1) -%}
    {%- set is_completed = strandline._passed(last, length, time_zone) ~ " = " ~ (length - 1) -%}
    {{- return("timestamp_seconds(" ~ start ~ " - " ~ passed
        ~ " + if(" ~ passed ~ " > 0 and " ~ is_completed ~ ", " ~ length ~ ", 0))") -}}
{% endmacro %}

{#- The seconds that have passed of a minute or an hour on a zone's clock, at an instant in Unix
    seconds. -#}
{% macro _passed(seconds, length, time_zone) %}
    {%- set instant = strandline._local("timestamp_seconds(" ~ seconds ~ ")", time_zone) -%}
    {%- set local = seconds if time_zone == 'UTC' else "unix_seconds(" ~ instant ~ ")" -%}
    {{- return("pmod(" ~ local ~ ", " ~ length ~ ")") -}}
{% endmacro %}

{#- Days, months and years: the instant at which the day began, or the first day of its month or
    year. Dates are counted from the epoch, so that the session's own time zone never has a say. -#}
{% macro _calendar_bucket(ts, name, time_zone) %}
    {%- set day = strandline._begun_day(ts, time_zone) -%}
    {%- if name == 'days' -%}{{- return(strandline._day_start(day, time_zone)) -}}{%- endif -%}
    {%- set unit = {'months': 'month', 'years': 'year'}[name] -%}
    {%- set first = "unix_date(trunc(date_from_unix_date(" ~ day ~ "), '" ~ unit ~ "'))" -%}
    {{- return(strandline._day_start(first, time_zone)) -}}
{% endmacro %}

{#- The last day that had begun at an instant. That is the day of the date, unless the clock went
    back into yesterday (the day goes on), or a change skipped midnight (yesterday goes on a little
    longer). -#}
{% macro _begun_day(ts, time_zone) %}
    {%- set day = strandline._local_day(ts, time_zone) -%}
    {%- if time_zone == 'UTC' -%}{{- return(day) -}}{%- endif -%}
    {%- set next = strandline._day_start(day ~ " + 1", time_zone) -%}
    {%- set own = strandline._day_start(day, time_zone) -%}
    {{- return("(" ~ day ~ " + if(" ~ next ~ " <= " ~ ts ~ ", 1, 0)"
        ~ " - if(" ~ own ~ " > " ~ ts ~ ", 1, 0))") -}}
{% endmacro %}

{#- The instant at which a day, counted from the epoch, begins: the first at which the zone's clock
    shows its midnight, or would have shown it before a change that skips it. -#}
{% macro _day_start(day, time_zone) %}
    {%- set start = "timestamp_seconds((" ~ day ~ ") * 86400L)" -%}
    {%- if time_zone == 'UTC' -%}{{- return(start) -}}{%- endif -%}
    {{- return("to_utc_timestamp(" ~ start ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- The date of an instant by a zone's clock, as days since 1970-01-01. Whole numbers only: dates
    are never asked of Spark's functions that look at the session's zone. -#}
{% macro _local_day(ts, time_zone) %}
    {%- set seconds = "unix_seconds(" ~ strandline._local(ts, time_zone) ~ ")" -%}
    {{- return("cast((" ~ seconds ~ " - pmod(" ~ seconds ~ ", 86400)) div 86400 as int)") -}}
{% endmacro %}

{#- An instant on a zone's own clock, written as if it were UTC. -#}
{% macro _local(ts, time_zone) %}
    {{- return(ts if time_zone == 'UTC' else "from_utc_timestamp(" ~ ts ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

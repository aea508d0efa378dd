{#- The start of the bucket of one duration that contains an instant. See _macros.yml. -#}
{% macro bucket_start(ts, duration, time_zone='UTC') %}
    {%- set form = 'write one of '
        ~ strandline._choices(strandline._durations() | map(attribute='name')) -%}
    {%- set read = strandline._arguments('bucket_start', kwargs, varargs, {
        'ts': ['any', ts, 'name the instant'],
        'duration': ['any', duration, form],
        'time_zone': ['zone', time_zone],
    }) -%}
    {%- set unit = strandline._duration(duration) -%}
    {%- if unit is none -%}
        {%- do read.faults.append("`duration` is '" ~ duration ~ "'; " ~ form) -%}
    {%- endif -%}
    {%- do strandline._refuse('bucket_start', read.faults) -%}
    {%- if unit.micros == 1000000 -%}
        timestamp_seconds(unix_seconds({{ ts }}))
    {%- elif unit.micros -%}
        {{- strandline._clock_bucket(ts, unit.micros // 1000000, time_zone) -}}
    {%- else -%}
        {{- strandline._calendar_bucket(ts, unit.name, time_zone) -}}
    {%- endif -%}
{% endmacro %}

{#- Minutes and hours: the instant less the part of its minute or hour that has passed on the zone's
    clock. Computing with instants keeps both passes of a repeated hour apart. Computing with the
    zone's UTC offset keeps every hour inside one local day, also if the offset is not a whole hour.
    If the offset changed within the hour by part of an hour, the computed start is not the start of
    an hour: it lies `passed` seconds after the start of an hour of the earlier offset. The bucket
    then starts at that hour, or at its end if the earlier hour was completed before the change. -#}
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

{#- Days and longer: the instant at which the day began, or the first day of its month, quarter or
    year. Dates are counted from the epoch, so the session's time zone has no influence. The day is
    the last one that had begun. This differs from the local date if the clock went back across
    midnight (the later day goes on), or if a change skipped midnight (the earlier day goes on a
    little longer). -#}
{% macro _calendar_bucket(ts, name, time_zone) %}
    {%- set day = strandline._local_day(strandline._local(ts, time_zone)) -%}
    {%- if time_zone != 'UTC' -%}
        {%- set next = strandline._day_start(day ~ " + 1", time_zone) -%}
        {%- set own = strandline._day_start(day, time_zone) -%}
        {%- set day = "(" ~ day ~ " + if(" ~ next ~ " <= " ~ ts ~ ", 1, 0)"
            ~ " - if(" ~ own ~ " > " ~ ts ~ ", 1, 0))" -%}
    {%- endif -%}
    {%- if name == 'days' -%}{{- return(strandline._day_start(day, time_zone)) -}}{%- endif -%}
    {%- if name not in ['weeks', 'months', 'quarters', 'years'] -%}
        {%- do strandline._refuse('bucket_start', ["Spark cannot truncate a date to " ~ name]) -%}
    {%- endif -%}
    {%- set first = "unix_date(trunc(date_from_unix_date(" ~ day ~ "), '" ~ name[:-1] ~ "'))" -%}
    {{- return(strandline._day_start(first, time_zone)) -}}
{% endmacro %}

{#- The instant at which a day, counted from the epoch, begins: the first instant at which the
    zone's clock shows midnight, or would have shown it before a change that skips midnight. -#}
{% macro _day_start(day, time_zone) %}
    {%- set start = "timestamp_seconds((" ~ day ~ ") * 86400L)" -%}
    {%- if time_zone == 'UTC' -%}{{- return(start) -}}{%- endif -%}
    {{- return("to_utc_timestamp(" ~ start ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- An instant on the zone's clock, written as if it were UTC. -#}
{% macro _local(ts, time_zone) %}
    {{- return(ts if time_zone == 'UTC'
        else "from_utc_timestamp(" ~ ts ~ ", '" ~ time_zone ~ "')") -}}
{% endmacro %}

{#- The date of an instant on the zone's clock (`_local`), as days since 1970-01-01. Integer
    arithmetic only: Spark's date functions depend on the session's time zone. -#}
{% macro _local_day(local) %}
    {%- set seconds = "unix_seconds(" ~ local ~ ")" -%}
    {{- return("cast((" ~ seconds ~ " - pmod(" ~ seconds ~ ", 86400)) div 86400 as int)") -}}
{% endmacro %}

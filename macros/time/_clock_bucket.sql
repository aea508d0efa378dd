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

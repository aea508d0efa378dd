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

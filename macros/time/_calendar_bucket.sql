{#- Days, months and years: the local date, cut to its unit, and back to the instant at which that
    date began in the zone. Dates are counted from the epoch, so that the session's own time zone
    never has a say. -#}
{% macro _calendar_bucket(ts, name, time_zone) %}
    {%- set day = strandline._local_day(ts, time_zone) -%}
    {%- set first_day = day if name == 'days'
        else "unix_date(trunc(date_from_unix_date(" ~ day ~ "), '" ~ ('month' if name == 'months' else 'year') ~ "'))" -%}
    {%- set start = "timestamp_seconds(" ~ first_day ~ " * 86400L)" -%}
    {{- start if time_zone == 'UTC' else "to_utc_timestamp(" ~ start ~ ", '" ~ time_zone ~ "')" -}}
{% endmacro %}

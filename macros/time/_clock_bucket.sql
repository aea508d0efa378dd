{#- Minutes and hours: the instant less what has passed of its minute or hour on the zone's own
    clock. Working on instants keeps both passes of a repeated hour apart; using the zone's offset
    keeps every hour inside one local day, also where the offset is not a whole hour. -#}
{% macro _clock_bucket(ts, length, time_zone) %}
    {%- set local = strandline._local(ts, time_zone) -%}
    timestamp_seconds(unix_seconds({{ ts }}) - pmod(unix_seconds({{ local }}), {{ length }}))
{%- endmacro %}

{#- A length of time in the units of the buckets' granularity, and whether it is counted on the zone's clock: days are, hours are
    not. None when it is no whole number of buckets. -#}
{% macro _bucket_period(name, text, granularity, faults) %}
    {%- set period = strandline._iso_period(text) or {'months': 0, 'days': 0, 'micros': 0} -%}
    {%- if granularity.unit == 'micros' -%}
        {%- set length = 0 if period.months else period.days * 86400000000 + period.micros -%}
    {%- else -%}
        {%- set length = 0 if period.values() | sum != period[granularity.unit] else period[granularity.unit] -%}
    {%- endif -%}
    {%- if not length or length % granularity.step -%}
        {%- set kinds = {'months': "years and months, such as 'P1Y'", 'days': "weeks and days, such as 'P7D'",
            'micros': "weeks to seconds, such as 'P7D'"} -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ text ~ "'; write a whole number of buckets of '" ~ granularity.text ~ "' as an ISO 8601 "
            ~ "duration of " ~ kinds[granularity.unit]) -%}
        {{- return({'length': 0, 'is_local': false}) -}}
    {%- endif -%}
    {{- return({'length': length, 'is_local': granularity.unit == 'micros' and period.days > 0}) -}}
{% endmacro %}

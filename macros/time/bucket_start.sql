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

{#- The durations of a consolidation in microseconds, by name; those that may be left out are none. -#}
{% macro _anomaly_durations(given, faults) %}
    {%- set micros = {} -%}
    {%- for name, text in given.items() -%}
        {%- set may_be_none = name in ['mutability_period', 'notify_look_back'] -%}
        {%- set read = none if text is none else strandline._iso_micros(text) -%}
        {%- if read is none and not (text is none and may_be_none) -%}
            {%- do faults.append("`" ~ name ~ "` is '" ~ text ~ "'; write an ISO 8601 duration of weeks, days, hours, minutes or "
                ~ "seconds, such as 'P2D' or 'PT15M' (months and years have no fixed length)") -%}
        {%- elif read == 0 and name == 'granularity' -%}
            {%- do faults.append("`granularity` is '" ~ text ~ "'; it must be longer than nothing, such as 'PT15M'") -%}
        {%- elif read == 0 and name == 'notify_look_back' -%}
            {%- do faults.append("`notify_look_back` is '" ~ text ~ "', and nobody would be notified of "
                ~ "anything; it must be longer than nothing, such as 'P2D', or be left out (all are)") -%}
        {%- endif -%}
        {%- do micros.update({name: read}) -%}
    {%- endfor -%}
    {{- return(micros) -}}
{% endmacro %}

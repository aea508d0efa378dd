{#- The time-weighted average; null if no time is counted. See _macros.yml. -#}
{% macro average(summary) -%}
    if(({{ summary }}).elapsed > 0,
        ({{ summary }}).weighted_sum / (({{ summary }}).elapsed / 1e6D), null)
{%- endmacro %}

{#- The integral over time, in value × unit. See _macros.yml. -#}
{% macro integral(summary, unit='second') -%}
    ({{ summary }}).weighted_sum / {{ strandline._unit_seconds(unit, 'integral of ' ~ summary) }}
{%- endmacro %}

{#- The counted time, without gaps, in a unit. See _macros.yml. -#}
{% macro elapsed_time(summary, unit='second') -%}
    {{- strandline._in_unit('(' ~ summary ~ ').elapsed', unit, 'elapsed_time of ' ~ summary) }}
{%- endmacro %}

{#- The time between the first and last point that is not counted, in a unit. See _macros.yml. -#}
{% macro gap_time(summary, unit='second') -%}
    {%- set micros = '(unix_micros((' ~ summary ~ ').last_time) - unix_micros((' ~ summary
        ~ ').first_time) - (' ~ summary ~ ').elapsed)' -%}
    {{- strandline._in_unit(micros, unit, 'gap_time of ' ~ summary) }}
{%- endmacro %}

{#- The number of intervals of a time weight that were longer than its gap, or of dead ranges of a
    heartbeat summary. See _macros.yml. -#}
{% macro num_gaps(summary) -%}
    ({{ summary }}).num_gaps
{%- endmacro %}

{#- The time of the first point. See _macros.yml. -#}
{% macro first_time(summary) -%}
    ({{ summary }}).first_time
{%- endmacro %}

{#- The time of the last point. See _macros.yml. -#}
{% macro last_time(summary) -%}
    ({{ summary }}).last_time
{%- endmacro %}

{#- The value of the first point. See _macros.yml. -#}
{% macro first_val(summary) -%}
    ({{ summary }}).first_value
{%- endmacro %}

{#- The value of the last point. See _macros.yml. -#}
{% macro last_val(summary) -%}
    ({{ summary }}).last_value
{%- endmacro %}

{#- Microseconds as a number of units. -#}
{% macro _in_unit(micros, unit, who) -%}
    {{ micros }} / {{ strandline._checked_unit(unit, who) }}D
{%- endmacro %}

{#- The seconds of a unit, as an SQL number. -#}
{% macro _unit_seconds(unit, who) -%}
    ({{ strandline._checked_unit(unit, who) }} / 1e6D)
{%- endmacro %}

{#- The microseconds of a unit. An unknown unit fails with the list. -#}
{% macro _checked_unit(unit, who) %}
    {%- set units = strandline._units() | rejectattr('months') | rejectattr('nanos') | list -%}
    {%- set known = strandline._unit(unit) -%}
    {%- if known in units -%}{{- return(known.length // 1000) -}}{%- endif -%}
    {%- do strandline._refuse(who, ["`unit` is '" ~ unit ~ "'; write one of "
        ~ strandline._choices(units | map(attribute='name'))]) -%}
{% endmacro %}

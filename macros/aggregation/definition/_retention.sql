{#- Reads `retention`: {duration: period or 'all'}, in any spelling. Returns {name of the duration:
    seconds, or none for 'all'}, finest first; adds what is wrong to `faults`. A duration that is
    not named is kept for ever. -#}
{% macro _retention(retention, durations, faults) %}
    {%- set kept = {} -%}
    {%- if retention is none or retention == {} -%}{{- return(kept) -}}{%- endif -%}
    {%- if retention is not mapping -%}
        {%- do faults.append("`retention` is '" ~ retention ~ "'; write what each duration is kept for, "
            ~ "such as {'sec': '120 sec', 'min': '24 hours', 'hours': 'all'}") -%}
        {{- return(kept) -}}
    {%- endif -%}

    {%- set found = [] -%}
    {%- set before = faults | length -%}
    {%- for spelling, period in retention.items() -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- set seconds = strandline._period_seconds(period) -%}
        {%- if duration is none -%}
            {%- do faults.append("`retention` names '" ~ spelling ~ "', which is no duration; write one of "
                ~ strandline._choices(durations or strandline._durations() | map(attribute='name'))) -%}
        {%- elif durations and duration.name not in durations -%}
            {%- do faults.append("`retention` names '" ~ spelling ~ "', and this aggregation has no " ~ duration.name
                ~ "; it has " ~ strandline._choices(durations)) -%}
        {%- elif duration.name in found -%}
            {%- do faults.append("`retention` names " ~ duration.name ~ " twice, the second time as '" ~ spelling
                ~ "'; write it once") -%}
        {%- endif -%}
        {%- if seconds is none and period | string | trim | lower != 'all' -%}
            {%- do faults.append("`retention` keeps '" ~ spelling ~ "' for '" ~ period ~ "'; write a whole number and a unit "
                ~ "(sec, min, hour, day, month, year), such as '24 hours', or 'all'") -%}
        {%- endif -%}
        {%- if duration -%}{%- do found.append(duration.name) -%}{%- do kept.update({duration.name: seconds}) -%}{%- endif -%}
    {%- endfor -%}

    {%- if faults | length == before -%}{%- do strandline._check_retention(kept, durations, faults) -%}{%- endif -%}
    {%- set sorted = {} -%}
    {%- for name in durations if name in kept -%}{%- do sorted.update({name: kept[name]}) -%}{%- endfor -%}
    {{- return(sorted) -}}
{% endmacro %}

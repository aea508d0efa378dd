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
        {%- set seconds = strandline._kept_seconds(period) -%}
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
            {%- do faults.append("`retention` keeps '" ~ spelling ~ "' for '" ~ period ~ "'; write a length of time of whole "
                ~ "seconds, such as '24 hours', '1 year' or 'PT24H', or 'all'") -%}
        {%- endif -%}
        {%- if duration -%}{%- do found.append(duration.name) -%}{%- do kept.update({duration.name: seconds}) -%}{%- endif -%}
    {%- endfor -%}

    {%- if faults | length == before -%}{%- do strandline._check_retention(kept, durations, faults) -%}{%- endif -%}
    {%- set sorted = {} -%}
    {%- for name in durations if name in kept -%}{%- do sorted.update({name: kept[name]}) -%}{%- endfor -%}
    {{- return(sorted) -}}
{% endmacro %}

{#- The seconds of a period of `retention`; none when it is no length of time of whole seconds. A month
    counts 31 days and a year 366: what is to be kept for a year is kept through a leap year too. -#}
{% macro _kept_seconds(text) %}
    {%- set period = strandline._period(text) -%}
    {%- set years, months = period.months // 12, period.months % 12 -%}
    {%- set seconds = (years * 366 + months * 31 + period.days) * 86400 + period.micros // 1000000 -%}
    {{- return(seconds if seconds and not period.micros % 1000000 else none) -}}
{% endmacro %}

{#- Adds a fault for each retention that would starve the next coarser duration: the finer rows must
    reach back at least one whole bucket of it, and never further than the coarser rows do. -#}
{% macro _check_retention(kept, durations, faults) %}
    {%- for coarser in durations[1:] -%}
        {%- set finer = durations[loop.index0] -%}
        {%- set short, long = kept.get(finer), kept.get(coarser) -%}
        {%- set longest = strandline._duration(coarser).longest -%}
        {%- if short is not none and short < longest.seconds -%}
            {%- do faults.append("`retention` keeps " ~ finer ~ " for " ~ short ~ " seconds, less than one whole "
                ~ longest.words ~ " of the " ~ coarser ~ " that are made of them; write at least '" ~ longest.text ~ "'") -%}
        {%- endif -%}
        {%- if long is not none and (short is none or long < short) -%}
            {%- do faults.append("`retention` keeps " ~ coarser ~ " for " ~ long ~ " seconds, and the finer " ~ finer ~ " "
                ~ ("for ever" if short is none else "for " ~ short) ~ "; a coarser duration is kept at least as long: "
                ~ "shorten " ~ finer ~ ", or lengthen " ~ coarser) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

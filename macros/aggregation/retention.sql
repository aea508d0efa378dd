{#- Reads `retention`: {duration: period or 'all'}, in any spelling. Returns {name of the duration:
    seconds, or none for 'all'}, shortest first; appends errors to `faults`. Durations that are not
    named are kept for ever. -#}
{% macro _retention(retention, durations, faults) %}
    {%- set kept = {} -%}
    {%- if retention is none or retention == {} -%}{{- return(kept) -}}{%- endif -%}
    {%- if retention is not mapping -%}
        {%- do faults.append("`retention` is '" ~ retention
            ~ "'; write what each duration is kept for, such as {'sec': '120 sec', 'min': '24 "
            ~ "hours', 'hours': 'all'}") -%}
        {{- return(kept) -}}
    {%- endif -%}

    {%- set found = [] -%}
    {%- set before = faults | length -%}
    {%- for spelling, period in retention.items() -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- set seconds = strandline._kept_seconds(period) -%}
        {%- if duration is none -%}
            {%- do faults.append("`retention` names '" ~ spelling
                ~ "', which is not a duration; write one of "
                ~ strandline._choices(durations
                    or strandline._durations() | map(attribute='name'))) -%}
        {%- elif durations and duration.name not in durations -%}
            {%- do faults.append("`retention` names '" ~ spelling
                ~ "', and this aggregation has no " ~ duration.name
                ~ "; it has " ~ strandline._choices(durations)) -%}
        {%- elif duration.name in found -%}
            {%- do faults.append("`retention` names " ~ duration.name
                ~ " twice, the second time as '" ~ spelling
                ~ "'; write it once") -%}
        {%- endif -%}
        {%- if seconds is none and period | string | trim | lower != 'all' -%}
            {%- do faults.append("`retention` keeps '" ~ spelling ~ "' for '" ~ period
                ~ "'; write a length of time of whole seconds, such as '24 hours', '1 year' or "
                ~ "'PT24H', or 'all'") -%}
        {%- endif -%}
        {%- if duration -%}
            {%- do found.append(duration.name) -%}
            {%- do kept.update({duration.name: seconds}) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if faults | length == before -%}
        {%- do strandline._check_retention(kept, durations, faults) -%}
    {%- endif -%}
    {%- set sorted = {} -%}
    {%- for name in durations if name in kept -%}
        {%- do sorted.update({name: kept[name]}) -%}
    {%- endfor -%}
    {{- return(sorted) -}}
{% endmacro %}

{#- The seconds of a period of `retention`; none if it is not a length of time of whole seconds. A
    month counts as 31 days and a year as 366, so that one year also covers a leap year. -#}
{% macro _kept_seconds(text) %}
    {%- set period = strandline._period(text) -%}
    {%- set years, months = period.months // 12, period.months % 12 -%}
    {%- set seconds = (years * 366 + months * 31 + period.days) * 86400
        + period.micros // 1000000 -%}
    {{- return(seconds if seconds and not period.micros % 1000000 else none) -}}
{% endmacro %}

{#- Appends a fault for each retention that is too short for the next longer duration: the upstream
    rows must cover at least one whole bucket of it, and must not be kept longer than its rows. -#}
{% macro _check_retention(kept, durations, faults) %}
    {%- for duration in durations[1:] -%}
        {%- set upstream = durations[loop.index0] -%}
        {%- set short, long = kept.get(upstream), kept.get(duration) -%}
        {%- set longest = strandline._duration(duration).longest -%}
        {%- if short is not none and short < longest.seconds -%}
            {%- do faults.append("`retention` keeps " ~ upstream ~ " for " ~ short
                ~ " seconds, less than one whole "
                ~ longest.words ~ ", and " ~ duration ~ " are computed from them; write at least '"
                ~ longest.text ~ "'") -%}
        {%- endif -%}
        {%- if long is not none and (short is none or long < short) -%}
            {%- do faults.append("`retention` keeps " ~ duration ~ " for " ~ long ~ " seconds, and "
                ~ upstream ~ " "
                ~ ("for ever" if short is none else "for " ~ short)
                ~ "; a longer duration must be kept at least as long: shorten "
                ~ upstream ~ ", or lengthen " ~ duration) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

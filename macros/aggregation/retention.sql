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

{#- Adds a fault for each retention that would starve the next coarser duration: the finer rows must
    reach back at least one whole bucket of it, and never further than the coarser rows do.
    The longest bucket is taken by the calendar (an hour is an hour, a day lasts 25 hours when
    clocks go back), not `longest` of `_durations`: that one bounds, generously, where on disk the
    rows of one bucket may lie. -#}
{% macro _check_retention(kept, durations, faults) %}
    {%- set whole = {
        'minutes': {'seconds': 60, 'words': 'minute', 'least': '60 sec'},
        'hours': {'seconds': 3600, 'words': 'hour', 'least': '60 min'},
        'days': {'seconds': 90000, 'words': 'day (25 hours when clocks go back)', 'least': '25 hours'},
        'months': {'seconds': 31 * 86400, 'words': 'month (31 days)', 'least': '31 days'},
        'years': {'seconds': 366 * 86400, 'words': 'year (366 days)', 'least': '366 days'},
    } -%}
    {%- for coarser in durations[1:] -%}
        {%- set finer = durations[loop.index0] -%}
        {%- set short, long = kept.get(finer), kept.get(coarser) -%}
        {%- if short is not none and short < whole[coarser].seconds -%}
            {%- do faults.append("`retention` keeps " ~ finer ~ " for " ~ short ~ " seconds, less than one whole "
                ~ whole[coarser].words ~ " of the " ~ coarser ~ " that are made of them; write at least '" ~ whole[coarser].least ~ "'") -%}
        {%- endif -%}
        {%- if long is not none and (short is none or long < short) -%}
            {%- do faults.append("`retention` keeps " ~ coarser ~ " for " ~ long ~ " seconds, and the finer " ~ finer ~ " "
                ~ ("for ever" if short is none else "for " ~ short) ~ "; a coarser duration is kept at least as long: "
                ~ "shorten " ~ finer ~ ", or lengthen " ~ coarser) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

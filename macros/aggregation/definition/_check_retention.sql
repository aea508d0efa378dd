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

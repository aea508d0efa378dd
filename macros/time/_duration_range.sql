{#- Reads `every`: a range (`sec...year`), a comma list (`sec, min`) or a list of durations.
    Returns their names, finest first; adds what is wrong to `faults`. -#}
{% macro _duration_range(every, faults) %}
    {%- set all = strandline._durations() | map(attribute='name') | list -%}
    {%- set is_range = every is string and '...' in every -%}
    {%- set written = every.split('...' if is_range else ',') if every is string else (every or []) -%}

    {%- set found = [] -%}
    {%- for spelling in written -%}
        {%- set duration = strandline._duration(spelling) -%}
        {%- if duration is none -%}
            {%- do faults.append("`every` holds '" ~ spelling | trim ~ "', which is no duration; write "
                ~ "sec, min, hour, day, month or year, as a range ('sec...year') or a list ('sec, min')") -%}
            {{- return([]) -}}
        {%- endif -%}
        {%- do found.append(all.index(duration.name)) -%}
    {%- endfor -%}

    {%- if not found or (is_range and (found | length != 2 or found[0] > found[1])) -%}
        {%- do faults.append("`every` is '" ~ every ~ "'; write a range from finer to coarser, "
            ~ "such as 'sec...year', or a list, such as 'sec, min'") -%}
        {{- return([]) -}}
    {%- endif -%}

    {%- set first, last = found | min, found | max -%}
    {%- set wanted = all[first:last + 1] -%}
    {%- if not is_range and found | sort != range(first, last + 1) | list -%}
        {%- do faults.append("`every` is '" ~ (every if every is string else every | join(', '))
            ~ "', which skips or repeats a duration; each one is fed from the next finer: write '"
            ~ wanted | join(', ') ~ "'") -%}
    {%- endif -%}
    {{- return(wanted) -}}
{% endmacro %}

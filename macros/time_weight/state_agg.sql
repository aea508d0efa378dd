{#- The summary of the states of a group: an aggregate expression. See _macros.yml. -#}
{% macro state_agg(ts, state, gap=none, form='full') -%}
    {%- do strandline._check_call('state_agg', kwargs, varargs, {
        'ts': [ts, "name the column of the points' time"],
        'state': [state, "name the column of the points' state"],
    }, ['gap', 'form']) -%}
    {%- set faults = [] -%}
    {%- set gap = strandline._read_gap(gap, faults) -%}
    {%- if form not in ['full', 'compact'] -%}
        {%- do faults.append("`form` is '" ~ form ~ "'; write 'full' (with the timeline) or 'compact' (durations only)") -%}
    {%- endif -%}
    {%- do strandline._refuse('state_agg of ' ~ state, faults) -%}
    {{- strandline._folded_states(strandline._collected_states(ts, state), gap, form == 'full') }}
{%- endmacro %}

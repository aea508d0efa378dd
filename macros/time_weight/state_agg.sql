{#- The summary of the states of a group: an aggregate expression. See _macros.yml. -#}
{% macro state_agg(ts, state, gap=none, form='full') -%}
    {%- set faults = [] -%}
    {%- set gap = strandline._read_gap(gap, faults) -%}
    {%- if form not in ['full', 'compact'] -%}
        {%- do faults.append("`form` is '" ~ form ~ "'; write 'full' (with the timeline) or 'compact' (durations only)") -%}
    {%- endif -%}
    {%- do strandline._refuse('state_agg of ' ~ state, faults) -%}
    {{- strandline._folded_states(strandline._collected_states(ts, state), gap, form == 'full') }}
{%- endmacro %}

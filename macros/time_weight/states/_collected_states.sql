{#- The states of a group in the order of time, as an array: points without a time or a state are left out, and the same
    state at the same instant is told once. -#}
{% macro _collected_states(ts, state) -%}
    sort_array(collect_set(case when {{ ts }} is not null and {{ state }} is not null then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)), 'state', {{ state }}) end))
{%- endmacro %}

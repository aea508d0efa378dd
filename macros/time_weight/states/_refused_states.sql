{#- Stops the query with what is wrong with two neighbouring summaries of states. -#}
{% macro _refused_states(a, b) -%}
    raise_error(concat('state_agg: ', case
                when not {{ a }}.gap <=> {{ b }}.gap then concat('one part has a gap of ', {{ strandline._told_gap(a ~ '.gap') }},
                    ' and the next of ', {{ strandline._told_gap(b ~ '.gap') }})
                when {{ a }}.last_time > {{ b }}.first_time then
                    concat('parts overlap: one lasts to ', {{ a }}.last_time, ' and the next begins at ', {{ b }}.first_time)
                when {{ a }}.last_time = {{ b }}.first_time then
                    concat('two states at ', {{ a }}.last_time, ', ', {{ a }}.last_state, ' and ', {{ b }}.first_state)
                else 'one part is compact and the next is full'
                end, '; join summaries of one gap and one form, that follow one another'))
{%- endmacro %}

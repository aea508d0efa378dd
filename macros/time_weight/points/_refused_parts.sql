{#- Stops the query with what is wrong with two neighbouring time weights. -#}
{% macro _refused_parts(a, b) -%}
    raise_error(concat('time_weight: ',
                case
                    when {{ a }}.method <> {{ b }}.method then concat('one part has the method ', {{ a }}.method, ' and the next ', {{ b }}.method)
                    when not {{ a }}.gap <=> {{ b }}.gap then concat('one part has a gap of ', {{ strandline._told_gap(a ~ '.gap') }},
                        ' and the next of ', {{ strandline._told_gap(b ~ '.gap') }})
                    else concat('parts overlap: one lasts to ', {{ a }}.last_time, ' and the next begins at ', {{ b }}.first_time)
                end,
                '; join summaries of one method and one gap, whose points lie one after the other'))
{%- endmacro %}

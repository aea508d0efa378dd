{#- The same in words, as part of a model's message. -#}
{% macro _late_message(late) %}
    {{- return(late.count ~ ' of ' ~ late.events ~ (' event' if late.events == 1 else ' events') ~ (' is' if late.count == 1 else ' are')
        ~ ' late: ' ~ late.reasons | join('; ')) -}}
{% endmacro %}

{#- Warns when no event of a run counts. Copies of events that were counted before are no reason. -#}
{% macro _warn_if_all_late(relation, late) %}
    {%- set unexpected = [] -%}
    {%- for reason in late.reasons if not reason.startswith('duplicate: ') -%}{%- do unexpected.append(reason) -%}{%- endfor -%}
    {%- if unexpected and late.count == late.events -%}
        {%- do exceptions.warn(relation.identifier ~ ': no event of this run counts; ' ~ strandline._late_message(late)) -%}
    {%- endif -%}
{% endmacro %}

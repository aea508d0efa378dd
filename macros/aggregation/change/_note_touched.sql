{#- Notes for the coarser tables of this run which partitions of a table hold what is newer than its mark, so that they need not
    ask the table once it is written. A connection without a session of ours has nowhere to note it. -#}
{% macro _note_touched(relation, consumed, touched) %}
    {%- if adapter.type() == 'strandline' -%}
        {%- do adapter.note('touched ' ~ relation, {'consumed': consumed, 'touched': touched}) -%}
    {%- endif -%}
{% endmacro %}

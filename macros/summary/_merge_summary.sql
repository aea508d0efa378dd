{#- One MERGE: null-safe on the keys, pruned by a literal predicate. -#}
{% macro _merge_summary(relation, change) %}
merge into {{ relation }} as target
using (
{{ change.sql }}
) as source
on {% if change.only %}target.{{ change.only }} and {% endif %}
    {%- for key in change['keys'] %}target.{{ key }} <=> source.{{ key }}{{ ' and ' if not loop.last }}{% endfor %}
when matched then update set
    {%- for column, expression in change.assignments.items() %}
    {{ column }} = {{ expression }}{{ ',' if not loop.last }}
    {%- endfor %}
when not matched then insert *
{%- endmacro %}

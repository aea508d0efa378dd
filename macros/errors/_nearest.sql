{#- What follows the mention of an unknown name: the known one that is fewest changes away, when
    these are at most a third of its letters. A change is a letter more, less or other, or two that
    are swapped. -#}
{% macro _nearest(name, known, quote="'") %}
    {%- set wanted = name | string | lower -%}
    {%- set near = namespace(name=none, changes=(wanted | length) // 3 + 1) -%}
    {%- for candidate in known -%}
        {%- set changes = strandline._changes_between(wanted, candidate | lower) -%}
        {%- if changes < near.changes -%}
            {%- set near.name, near.changes = candidate, changes -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return('' if near.name is none else "; did you mean " ~ quote ~ near.name ~ quote ~ "?") -}}
{% endmacro %}

{#- How many changes make one text the other. -#}
{% macro _changes_between(one, other) %}
    {%- set rows = namespace(before=[], last=range(other | length + 1) | list) -%}
    {%- for letter in one -%}
        {%- set row, i = [loop.index], loop.index0 -%}
        {%- for against in other -%}
            {%- set j = loop.index0 -%}
            {%- set changed = rows.last[j] + (0 if letter == against else 1) -%}
            {%- set ways = [row[-1] + 1, rows.last[j + 1] + 1, changed] -%}
            {%- if i and j and letter == other[j - 1] and one[i - 1] == against -%}
                {%- do ways.append(rows.before[j - 1] + 1) -%}
            {%- endif -%}
            {%- do row.append(ways | min) -%}
        {%- endfor -%}
        {%- set rows.before, rows.last = rows.last, row -%}
    {%- endfor -%}
    {{- return(rows.last[-1]) -}}
{% endmacro %}

{#- What follows the mention of an unknown name: the known one that is fewest changed letters away, when these
    are at most a third of it. -#}
{% macro _nearest(name, known) %}
    {%- set wanted = name | string | lower -%}
    {%- set near = namespace(name=none, changes=(wanted | length) // 3 + 1) -%}
    {%- for candidate in known -%}
        {%- set rows = namespace(last=range(candidate | length + 1) | list) -%}
        {%- for letter in wanted -%}
            {%- set row = [loop.index] -%}
            {%- for other in candidate | lower -%}
                {%- set changed = rows.last[loop.index0] + (0 if letter == other else 1) -%}
                {%- do row.append([row[-1] + 1, rows.last[loop.index] + 1, changed] | min) -%}
            {%- endfor -%}
            {%- set rows.last = row -%}
        {%- endfor -%}
        {%- if rows.last[-1] < near.changes -%}
            {%- set near.name, near.changes = candidate, rows.last[-1] -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return('' if near.name is none else "; did you mean '" ~ near.name ~ "'?") -}}
{% endmacro %}

{#- What counted microseconds between two neighbouring points add to the weighted sum, in value × seconds;
    nothing when none count, also where a value is NaN or infinite. -#}
{% macro _weight(method, before, after, counted) -%}
    if({{ counted }} = 0, 0D, if({{ method }} = 'locf', {{ before }}, ({{ before }} + {{ after }}) / 2) * (({{ counted }}) / 1e6D))
{%- endmacro %}

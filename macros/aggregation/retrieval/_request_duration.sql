{#- The duration, out of those defined, that a request spells; null where it spells none of them. -#}
{% macro _request_duration(column, durations) -%}
case
        {%- for duration in strandline._durations() if duration.name in durations %}
            when lower(trim(cast({{ column }} as string))) in ('{{ duration.spellings | join("', '") }}') then '{{ duration.name }}'
        {%- endfor %}
        end
{%- endmacro %}

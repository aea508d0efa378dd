{#- The average over a whole bucket, what its neighbours lend it included. See _macros.yml. -#}
{% macro interpolated_average(summary, start, length=none, prev=none, next=none, end=none) -%}
    transform(array({{ strandline._interpolated(summary, start, length, prev, next, end, 'interpolated_average') }}),
        i -> {{ strandline.average('i') }})[0]
{%- endmacro %}

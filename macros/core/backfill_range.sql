{#- Reads the vars strandline_from and strandline_to (`given`): the backfill range [start, end) in
    Unix microseconds, or none if neither is set. -#}
{% macro _backfill_range(given, who='anomalies') %}
    {%- if given[0] is none and given[1] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set bounds = [] -%}
    {%- for name in ['strandline_from', 'strandline_to'] -%}
        {%- set micros = none if given[loop.index0] is none
            else strandline._instant_micros(given[loop.index0]) -%}
        {%- do bounds.append(micros) -%}
        {%- if micros is none -%}
            {%- do faults.append("the var " ~ name ~ " is "
                ~ ("missing" if given[loop.index0] is none else "'" ~ given[loop.index0] ~ "'")
                ~ "; a backfill range needs both, as yyyy-MM-dd HH:mm:ss[.ffffff] (UTC)") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not faults and bounds[0] >= bounds[1] -%}
        {%- do faults.append("the backfill range from '" ~ given[0] ~ "' to '" ~ given[1]
            ~ "' is empty; its end must be after its start") -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
    {{- return({'start': bounds[0], 'end': bounds[1], 'is_backfill': true}) -}}
{% endmacro %}

{#- The end of a bucket in microseconds, from its length or from an expression of its end. -#}
{% macro _bucket_end(start, length, end, who) -%}
    {%- set micros = strandline._interval_micros(length) if length is not none else none -%}
    {%- if (length is none) == (end is none) or (end is none and micros is none) -%}
        {%- do strandline._refuse(who, ["`length` is '" ~ length ~ "' and `end` is '" ~ end ~ "'; write one of the two: "
            ~ "`length` as a length of time such as '1 hour', or `end` as an expression of the bucket's end"]) -%}
    {%- endif -%}
    unix_micros(cast({{ end if end is not none else start }} as timestamp)){{ ' + ' ~ micros ~ 'L' if micros }}
{%- endmacro %}

{#- What the two sides of the requests' `within` mean, as TIMESTAMPs; null for a value that is no instant. -#}
{% macro _pair_requests(within, requests) -%}
spelled_requests as (
    select
        b.*
        {%- for name in ['start', 'end'] if within[name].kind in ['text', 'unknown'] %},
        trim(cast(b.{{ within[name].column }} as string)) as strandline_{{ name }}_text
        {%- endfor %}
    from {{ requests }} as b
),

bounded_requests as (
    select
        b.*
        {%- for name in ['start', 'end'] %},
        {{ strandline._request_instant(within[name], 'b.strandline_' ~ name ~ '_text') }} as strandline_{{ name }}
        {%- endfor %}
    from spelled_requests as b
)
{%- endmacro %}

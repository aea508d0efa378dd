{#- What a bucket holds from its start to its end, as a struct of `weighted_sum` and `elapsed`: its own summary (null for a
    bucket without points), and what the summaries before and after it lend to its edges. -#}
{% macro _interpolated(summary, start, length, prev, next, end, who) -%}
    {%- set absent = 'if(false, ' ~ summary ~ ', null)' -%}
    transform(transform(
        array(named_struct(
            'own', {{ summary }}, 'prev', {{ prev or absent }}, 'next', {{ next or absent }},
            'from', unix_micros(cast({{ start }} as timestamp)), 'to', {{ strandline._bucket_end(start, length, end, who) }})),
        b -> named_struct(
            'method', coalesce(b.own.method, b.prev.method, b.next.method), 'gap', coalesce(b.own.gap, b.prev.gap, b.next.gap),
            'fault', {{ strandline._fault_between() }},
            'from', b.from, 'to', b.to,
            'pt', unix_micros(b.prev.last_time), 'pv', b.prev.last_value,
            'ft', unix_micros(b.own.first_time), 'fv', b.own.first_value,
            'lt', unix_micros(b.own.last_time), 'lv', b.own.last_value,
            'nt', unix_micros(b.next.first_time), 'nv', b.next.first_value,
            'weighted_sum', b.own.weighted_sum, 'elapsed', b.own.elapsed)),
        b -> case
            when b.from is null or b.to is null then null
            when b.fault is not null then raise_error(concat({{ strandline._literal(who ~ ': ') }}, b.fault))
            when b.method = 'locf' then {{ strandline._carried() }}
            when b.method = 'linear' then {{ strandline._lined() }}
            end)[0]
{%- endmacro %}

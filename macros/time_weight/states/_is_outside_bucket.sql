{#- Whether a bucket's summary of states, or the one before it, cannot belong to the bucket. -#}
{% macro _is_outside_bucket() -%}
    coalesce(unix_micros(b.own.first_time) < b.from or unix_micros(b.own.last_time) >= b.to or unix_micros(b.prev.last_time) >= b.from, false)
                or (b.own is not null and b.prev is not null and not b.own.gap <=> b.prev.gap) or b.from >= b.to
{%- endmacro %}

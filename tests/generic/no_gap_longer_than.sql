{#- Places at which a series has no row for longer than `gap`, such as '2 hours': the rows before
    and after. Rows are first joined by intervals of that length, so only their ends are sorted. -#}
{% test no_gap_longer_than(model, ts, gap, keys=[]) %}
    {%- set micros = strandline._period(gap).fixed -%}
    {%- if not micros -%}
        {%- do strandline._refuse('no_gap_longer_than', ["`gap` is '" ~ gap
            ~ "'; write a length of time such as '2 hours'"]) -%}
    {%- endif -%}
    {%- set columns = strandline._tested_columns(model, keys) | join(', ') -%}
    {%- set ts = strandline._tested_columns(model, [ts])[0] -%}
    with __intervals as (
        select
            {% if keys %}{{ columns }},{% endif %}
            unix_micros({{ ts }}) div {{ micros }} as __interval,
            min({{ ts }}) as __first_at,
            max({{ ts }}) as __last_at
        from {{ model }}
        where {{ ts }} is not null
        group by all
    ),

    __followed as (
        select
            {% if keys %}{{ columns }},{% endif %}
            __last_at as before_gap,
            lead(__first_at) over (
                {% if keys %}partition by {{ columns }}{% endif %} order by __interval
            ) as after_gap
        from __intervals
    )

    select * from __followed where unix_micros(after_gap) - unix_micros(before_gap) > {{ micros }}
{% endtest %}

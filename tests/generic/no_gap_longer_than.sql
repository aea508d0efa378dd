{#- Places at which a series has no row for longer than `gap`, such as '2 hours': the rows before
    and after. Rows are first joined by intervals of that length, so only their ends are sorted. -#}
{% test no_gap_longer_than(model, ts, gap, keys=[]) %}
    {%- set micros = strandline._period(gap).fixed -%}
    {%- if not micros -%}
        {%- do strandline._refuse('no_gap_longer_than', ["`gap` is '" ~ gap
            ~ "'; write a length of time such as '2 hours'"]) -%}
    {%- endif -%}
    {%- set columns = keys | join(', ') -%}
    with intervals as (
        select
            {% if keys %}{{ columns }},{% endif %}
            unix_micros({{ ts }}) div {{ micros }} as interval_number,
            min({{ ts }}) as first_at,
            max({{ ts }}) as last_at
        from {{ model }}
        where {{ ts }} is not null
        group by all
    ),

    followed as (
        select
            {% if keys %}{{ columns }},{% endif %}
            last_at as before_gap,
            lead(first_at) over (
                {% if keys %}partition by {{ columns }}{% endif %} order by interval_number
            ) as after_gap
        from intervals
    )

    select * from followed where unix_micros(after_gap) - unix_micros(before_gap) > {{ micros }}
{% endtest %}

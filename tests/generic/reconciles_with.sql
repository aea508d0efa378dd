{#- Groups in which totals of a model and of its source differ: with `compare` {'sum(trades)':
    'count(*)'} and `by` ['symbol'] the trades of each symbol. By default the whole tables are
    compared. Totals may differ by `tolerance` of their size. -#}
{% test reconciles_with(model, source, compare, by=[], tolerance=0) %}
    {%- set keys = strandline._tested_columns(model, by) %}
    with __own as (
        select
            {% for key in keys %}{{ key }}, {% endfor %}
            {% for expression in compare %}
            {{ expression }} as own_{{ loop.index }}{{ ',' if not loop.last }}
            {% endfor %}
        from {{ model }}
        {% if keys %}group by {{ keys | join(', ') }}{% endif %}
    ),

    __theirs as (
        select
            {% for key in keys %}{{ key }}, {% endfor %}
            {% for expression in compare.values() %}
            {{ expression }} as theirs_{{ loop.index }}{{ ',' if not loop.last }}
            {% endfor %}
        from {{ source }}
        {% if keys %}group by {{ keys | join(', ') }}{% endif %}
    )

    select
        {% for key in keys %}
        coalesce(__own.{{ key }}, __theirs.{{ key }}) as {{ key }},
        {% endfor %}
        {% for expression in compare %}
        own_{{ loop.index }}, theirs_{{ loop.index }}{{ ',' if not loop.last }}
        {% endfor %}
    from __own
    full outer join __theirs
        on {% for key in keys %}__own.{{ key }} <=> __theirs.{{ key }} and {% endfor %}true
    where not (
        {% for expression in compare %}
        coalesce(
            abs(own_{{ loop.index }} - theirs_{{ loop.index }})
                <= {{ tolerance }} * abs(theirs_{{ loop.index }}),
            own_{{ loop.index }} <=> theirs_{{ loop.index }}){{ ' and' if not loop.last }}
        {% endfor %}
    )
{% endtest %}

{#- The mergeable parts: how each is taken from events, rolled up from finer rows, and added to a
    stored row (`old`) from a new one (`new`). Nulls are skipped everywhere, as SQL's aggregates do. -#}
{% macro _parts() %}
    {{- return({
        'sum': {'take': 'sum({x})', 'roll': 'sum({x})', 'add': 'coalesce({old} + {new}, {old}, {new})'},
        'count': {'take': 'count({x})', 'roll': 'sum({x})', 'add': '{old} + {new}'},
        'min': {'take': 'min({x})', 'roll': 'min({x})', 'add': 'least({old}, {new})'},
        'max': {'take': 'max({x})', 'roll': 'max({x})', 'add': 'greatest({old}, {new})'},
    }) -}}
{% endmacro %}

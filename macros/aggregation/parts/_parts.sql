{#- The mergeable parts: how each is taken from events, and rolled up from stored rows. Nulls are
    skipped everywhere, as SQL's aggregates do, but for `latest`: a value of the latest event may
    be null. `{x}` is the argument or the stored column. -#}
{% macro _parts() %}
    {%- set placed = "named_struct('at', {at}, 'arrival', {arrival}, 'value', {x})" -%}
    {{- return({
        'sum': {'take': strandline._exact_sum(), 'roll': strandline._exact_sum()},
        'count': {'take': 'count({x})', 'roll': 'sum({x})'},
        'min': {'take': 'min({x})', 'roll': 'min({x})'},
        'max': {'take': 'max({x})', 'roll': 'max({x})'},
        'distinct': {'take': 'sort_array(collect_set({x}))',
            'roll': 'sort_array(array_distinct(flatten(collect_list({x}))))'},
        'hll': {'take': 'hll_sketch_agg({x})', 'roll': 'hll_union_agg({x})'},
        'kll': {'take': 'kll_sketch_agg_double(cast({x} as double))', 'roll': 'kll_merge_agg_double({x})'},
        'moments': {'take': strandline._taken_moments(), 'roll': strandline._rolled_moments()},
        'first': {'take': 'min(' ~ placed ~ ') filter (where {x} is not null)', 'roll': 'min({x})'},
        'last': {'take': 'max(' ~ placed ~ ') filter (where {x} is not null)', 'roll': 'max({x})'},
        'latest': {'take': 'max(' ~ placed ~ ')', 'roll': 'max({x})'},
    }) -}}
{% endmacro %}

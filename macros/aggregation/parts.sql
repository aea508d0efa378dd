{#- The expression of one part: `how` is take (from events) or roll (from stored rows). -#}
{% macro _part_expression(task, part, how) %}
    {%- if part.kind == 'time_weight' -%}
        {#- The finest table keeps the points themselves, in the order of time: a late one may fall between two
            that are stored already. Coarser tables keep the summary, rolled up from the finer rows,
            which never overlap. -#}
        {%- if how == 'take' -%}
            {{- return(strandline._collected_points('agg_event_time', part.argument, 'agg_event_arrival')) -}}
        {%- elif task.from_events -%}
            {{- return('sort_array(flatten(collect_list(' ~ part.column ~ ')))') -}}
        {%- endif -%}
        {{- return(strandline._merged_time_weights(strandline._collected_parts(part.column))) -}}
    {%- endif -%}
    {%- set overflow = 'aggregation ' ~ task.aggregation ~ ': a sum of ' ~ part.argument ~ ' is beyond the range of its type; '
        ~ 'sum a wider one, such as sum(cast(' ~ part.argument ~ ' as decimal(38, 0)))' -%}
    {{- return(strandline._filled(strandline._parts()[part.kind][how], {
        'x': part.argument if how == 'take' else part.column,
        'at': 'agg_event_time',
        'arrival': 'agg_event_arrival',
        'overflow': strandline._literal(overflow),
    })) -}}
{% endmacro %}

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
        'moments': {'take': strandline._partial_moments(), 'roll': strandline._merged_moments()},
        'first': {'take': 'min(' ~ placed ~ ') filter (where {x} is not null)', 'roll': 'min({x})'},
        'last': {'take': 'max(' ~ placed ~ ') filter (where {x} is not null)', 'roll': 'max({x})'},
        'latest': {'take': 'max(' ~ placed ~ ')', 'roll': 'max({x})'},
    }) -}}
{% endmacro %}

{#- Count, mean and sum of squared distances from the mean, by Spark's own stable variance. -#}
{% macro _partial_moments() -%}
    if(count({x}) > 0, named_struct('n', count({x}), 'mean', avg(cast({x} as double)), 'm2', var_pop(cast({x} as double)) * count({x})), null)
{%- endmacro %}

{#- Moments of a whole from those of its parts (Chan, Golub and LeVeque): no difference of large
    squares, so nothing is lost where values lie far from zero. The parts are few (the finer rows
    of one bucket) and sorted, so that their order never shows in the last bits. -#}
{% macro _merged_moments() -%}
    nullif(aggregate(
            sort_array(collect_list({x})),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D),
            (a, b) -> named_struct(
                'n', a.n + b.n,
                'mean', a.mean + (b.mean - a.mean) * b.n / (a.n + b.n),
                'm2', a.m2 + b.m2 + (b.mean - a.mean) * (b.mean - a.mean) * a.n * b.n / (a.n + b.n))),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D))
{%- endmacro %}

{#- A sum that never wraps around: beyond the range of its type it stops the run. -#}
{% macro _exact_sum() -%}
    if(try_sum({x}) is null and count({x}) > 0, raise_error({overflow}), try_sum({x}))
{%- endmacro %}

{#- A template with its placeholders, such as `{x}`, filled from `values`. It is read once: what a value holds is never read
    as a placeholder, so that a text of the user's like '{x}' stays what it is. -#}
{% macro _filled(template, values) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split('(\\{\\w+\\})', template) -%}
        {%- do pieces.append(values.get(piece[1:-1], piece) if piece.startswith('{') else piece) -%}
    {%- endfor -%}
    {{- return(pieces | join('')) -}}
{% endmacro %}

{#- The columns of a coarser table's feed as a select list. Of the finest table the points of a time weight become their
    summary, once a row. -#}
{% macro _upstream_columns(task) %}
    {%- set points = task.parts | selectattr('kind', 'equalto', 'time_weight') | list if task.feed_is_finest else [] -%}
    {%- if not points -%}{{- return('*') -}}{%- endif -%}
    {%- set items = ['* except (' ~ points | map(attribute='column') | join(', ') ~ ')'] -%}
    {%- for part in points -%}
        {%- do items.append(strandline._folded_points(part.column, part.method, part.gap) ~ ' as ' ~ part.column) -%}
    {%- endfor -%}
    {{- return(items | join(',\n    ')) -}}
{% endmacro %}

{#- The expression that computes an output from its stored parts. -#}
{% macro _read_output(output, is_finest) %}
    {%- if output.function == 'time_weight' and is_finest -%}
        {{- return(strandline._folded_points(output.columns.time_weight, output.option.method, output.option.gap)) -}}
    {%- endif -%}
    {%- set read = '{latest}.value' if output.function == 'latest' else strandline._aggregates()[output.function].read -%}
    {{- return(strandline._filled(read, dict(output.columns, option=output.option))) -}}
{% endmacro %}

{#- The expression of one part. `mode` is partial (from events) or merge (from stored rows). -#}
{% macro _part_expression(task, part, mode) %}
    {%- if part.kind == 'time_weight' -%}
        {#- The base table stores the points themselves, ordered by time, because a late point may
            lie between two stored ones. Roll-ups store the summary, merged from upstream rows,
            which never overlap. -#}
        {%- if mode == 'partial' -%}
            {{- return(strandline._collected_points('agg_event_time', part.argument,
                'agg_event_arrival')) -}}
        {%- elif task.is_base -%}
            {{- return('sort_array(flatten(collect_list(' ~ part.column ~ ')))') -}}
        {%- endif -%}
        {{- return(strandline._merged_time_weights(strandline._collected_parts(part.column))) -}}
    {%- endif -%}
    {%- set overflow = 'aggregation ' ~ task.aggregation ~ ': a sum of ' ~ part.argument
        ~ ' is beyond the range of its type; sum a wider one, such as sum(cast('
        ~ part.argument ~ ' as decimal(38, 0)))' -%}
    {{- return(strandline._filled(strandline._parts()[part.kind][mode], {
        'x': part.argument if mode == 'partial' else part.column,
        'at': 'agg_event_time',
        'arrival': 'agg_event_arrival',
        'overflow': strandline._literal(overflow),
    })) -}}
{% endmacro %}

{#- The mergeable parts: the expression over events (partial) and over stored rows (merge). Nulls
    are ignored, as SQL aggregates do, except for `latest`: the value of the latest event may be
    null. `{x}` is the argument or the stored column. -#}
{% macro _parts() %}
    {%- set timed_value = "named_struct('at', {at}, 'arrival', {arrival}, 'value', {x})" -%}
    {{- return({
        'sum': {'partial': strandline._exact_sum(), 'merge': strandline._exact_sum()},
        'count': {'partial': 'count({x})', 'merge': 'sum({x})'},
        'min': {'partial': 'min({x})', 'merge': 'min({x})'},
        'max': {'partial': 'max({x})', 'merge': 'max({x})'},
        'distinct': {'partial': 'sort_array(collect_set({x}))',
            'merge': 'sort_array(array_distinct(flatten(collect_list({x}))))'},
        'hll': {'partial': 'hll_sketch_agg({x})', 'merge': 'hll_union_agg({x})'},
        'kll': {'partial': 'kll_sketch_agg_double(cast({x} as double))',
            'merge': 'kll_merge_agg_double({x})'},
        'moments': {'partial': strandline._partial_moments(),
            'merge': strandline._merged_moments()},
        'first': {'partial': 'min(' ~ timed_value ~ ') filter (where {x} is not null)',
            'merge': 'min({x})'},
        'last': {'partial': 'max(' ~ timed_value ~ ') filter (where {x} is not null)',
            'merge': 'max({x})'},
        'latest': {'partial': 'max(' ~ timed_value ~ ')', 'merge': 'max({x})'},
    }) -}}
{% endmacro %}

{#- Count, mean and sum of squared distances from the mean, by Spark's numerically stable
    variance. -#}
{% macro _partial_moments() -%}
    if(count({x}) > 0, named_struct('n', count({x}), 'mean', avg(cast({x} as double)),
        'm2', var_pop(cast({x} as double)) * count({x})), null)
{%- endmacro %}

{#- Moments of the whole from the moments of its parts (Chan, Golub and LeVeque). No difference of
    large squares is computed, so values far from zero lose no precision. The parts are few (the
    upstream rows of one bucket) and sorted, so that their order does not affect the last bits. -#}
{% macro _merged_moments() -%}
    nullif(aggregate(
            sort_array(collect_list({x})),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D),
            (a, b) -> named_struct(
                'n', a.n + b.n,
                'mean', a.mean + (b.mean - a.mean) * b.n / (a.n + b.n),
                'm2', a.m2 + b.m2 + (b.mean - a.mean) * (b.mean - a.mean) * a.n * b.n
                    / (a.n + b.n))),
            named_struct('n', 0L, 'mean', 0D, 'm2', 0D))
{%- endmacro %}

{#- A sum that fails the run if it exceeds the range of its type; it never wraps around. -#}
{% macro _exact_sum() -%}
    if(try_sum({x}) is null and count({x}) > 0, raise_error({overflow}), try_sum({x}))
{%- endmacro %}

{#- Replaces the placeholders of a template, such as `{x}`, by `values`, in one pass. The values are
    not scanned for placeholders, so a user's text such as '{x}' stays as it is. -#}
{% macro _filled(template, values) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split('(\\{\\w+\\})', template) -%}
        {%- do pieces.append(values.get(piece[1:-1], piece) if piece.startswith('{') else piece) -%}
    {%- endfor -%}
    {{- return(pieces | join('')) -}}
{% endmacro %}

{#- The columns of a roll-up's upstream table as a select list. If the upstream is the base table,
    the points of a time weight are converted to their summary, once per row. -#}
{% macro _upstream_columns(task) %}
    {%- set points = task.parts | selectattr('kind', 'equalto', 'time_weight') | list
        if task.upstream_is_base else [] -%}
    {%- if not points -%}{{- return('*') -}}{%- endif -%}
    {%- set items = ['* except (' ~ points | map(attribute='column') | join(', ') ~ ')'] -%}
    {%- for part in points -%}
        {%- do items.append(strandline._folded_points(part.column, part.method, part.gap) ~ ' as '
            ~ part.column) -%}
    {%- endfor -%}
    {{- return(items | join(',\n    ')) -}}
{% endmacro %}

{#- The expression that computes an output from its stored parts. -#}
{% macro _read_output(output, is_base) %}
    {%- if output.function == 'time_weight' and is_base -%}
        {{- return(strandline._folded_points(output.columns.time_weight, output.option.method,
            output.option.gap)) -}}
    {%- endif -%}
    {%- set read = '{latest}.value' if output.function == 'latest'
        else strandline._aggregates()[output.function].read -%}
    {{- return(strandline._filled(read, dict(output.columns, option=output.option))) -}}
{% endmacro %}

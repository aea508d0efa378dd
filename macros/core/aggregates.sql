{#- The aggregates, each in one place, for aggregations and for windows.

    takes      number, where other types are refused
    parts      what an aggregation stores of it (`_parts`): parts merge. None if nothing does
    read       its value from these parts, each written {part}
    rows       its value from the rows of a group, over {x} or, as a double, {d}; without it from
               the parts of these rows. None where it cannot be computed without times
    empty      its value in a window without rows, where that is not null
    entrance   how a window merges its values of rows that entered: sum, least or greatest; moments
               if it is read from them; none if it needs all rows at once
    rounding   how two values of equal rows can differ by the order of the arithmetic: in their
               last bits, or, where they do not depend on the unit, in their last decimals. None
               for an exact value

    `{option}` is the number of a quantile. An expression of `select` that calls no aggregate is the
    value of the latest event. -#}
{% macro _aggregates() %}
    {%- set number = {'takes': 'number'} -%}
    {%- set moment = dict(number, entrance='moments', rounding='bits') -%}
    {%- set variance = 'if({moments}.n > 1, {moments}.m2 / ({moments}.n - 1), null)' -%}
    {%- set stddev = 'if({moments}.n > 1, sqrt({moments}.m2 / ({moments}.n - 1)), null)' -%}
    {{- return({
        'avg': dict(moment, parts=['sum', 'count'], read='{sum} / {count}', rows='avg({d})'),
        'sum': dict(number, parts=['sum'], read='{sum}', rows='sum({x})', entrance='sum'),
        'min': {'parts': ['min'], 'read': '{min}', 'rows': 'min({x})', 'entrance': 'least'},
        'max': {'parts': ['max'], 'read': '{max}', 'rows': 'max({x})', 'entrance': 'greatest'},
        'count': {'parts': ['count'], 'read': '{count}', 'rows': 'count({x})', 'entrance': 'sum'},
        'distinctCount': {'parts': ['distinct'], 'read': 'size({distinct})', 'empty': '0'},
        'approx_count_distinct': {'parts': ['hll'], 'read': 'hll_sketch_estimate({hll})',
            'empty': '0L'},
        'variance': dict(moment, parts=['moments'], read=variance,
            rows='if(count({x}) > 1, var_samp({d}), null)'),
        'stddev': dict(moment, parts=['moments'], read=stddev,
            rows='if(count({x}) > 1, stddev_samp({d}), null)'),
        'var_pop': dict(moment, parts=['moments'], rows='var_pop({d})',
            read='{moments}.m2 / nullif({moments}.n, 0)'),
        'stddev_pop': dict(moment, parts=['moments'], rows='stddev_pop({d})',
            read='sqrt({moments}.m2 / nullif({moments}.n, 0))'),
        'skewness': dict(moment, parts=['shape'], rounding='decimals',
            read=strandline._sample_skewness('{shape}.n', '(sqrt(cast({shape}.n as double)) * '
                ~ '{shape}.m3 / nullif(pow({shape}.m2, 1.5D), 0))'),
            rows=strandline._sample_skewness('count({x})', 'skewness({d})')),
        'kurtosis': dict(moment, parts=['shape'], rounding='decimals',
            read=strandline._sample_kurtosis('{shape}.n', '({shape}.n * {shape}.m4 / '
                ~ 'nullif({shape}.m2 * {shape}.m2, 0) - 3)'),
            rows=strandline._sample_kurtosis('count({x})', 'kurtosis({d})')),
        'geometric_mean': dict(moment, parts=['logs'],
            read=strandline._geometric_mean('{logs}.least', '{logs}.logs / {logs}.n'),
            rows=strandline._geometric_mean('min({d})', 'avg(ln({d}))')),
        'sumsq': dict(number, parts=['sumsq'], read='{sumsq}', rows='sum({d} * {d})',
            entrance='sum'),
        'median': dict(number, parts=[], rows='percentile({d}, 0.5D)'),
        'first': {'parts': ['first'], 'read': '{first}.value', 'rows': none},
        'last': {'parts': ['last'], 'read': '{last}.value', 'rows': none},
        'quantile': dict(number, parts=['ranks'], rows=none,
            read=strandline._value_at_rank('{ranks}', '{option}'))
        if strandline._spark_lacks('kll') else dict(number, parts=['kll'], rows=none,
            read='if(kll_sketch_get_n_double({kll}) > 0, kll_sketch_get_quantile_double({kll}, '
                ~ '{option}), null)'),
        'time_weight': dict(number, parts=['time_weight'], read='{time_weight}', rows=none),
    }) -}}
{% endmacro %}

{#- The aggregates that an aggregation can store, and those that a window can compute. -#}
{% macro _stored_aggregates() %}
    {%- set known = {} -%}
    {%- for name, aggregate in strandline._aggregates().items() if aggregate.parts -%}
        {%- do known.update({name: aggregate}) -%}
    {%- endfor -%}
    {{- return(known) -}}
{% endmacro %}

{% macro _window_aggregates() %}
    {%- set known = {} -%}
    {%- for name, aggregate in strandline._aggregates().items()
        if aggregate.get('rows', '') is not none -%}
        {%- do known.update({name: aggregate}) -%}
    {%- endfor -%}
    {{- return(known) -}}
{% endmacro %}

{#- The parts that are stored: the expression over events (partial) and over stored rows (merge).
    Nulls are ignored, as SQL aggregates do, except for `latest`: the value of the latest event may
    be null. `{x}` is the argument or the stored column. -#}
{% macro _parts() %}
    {%- set timed_value = "named_struct('at', {at}, 'arrival', {arrival}, 'value', {x})" -%}
    {%- set d = 'cast({x} as double)' -%}
    {%- set spread = "'m2', var_pop(" ~ d ~ ") * count({x})" -%}
    {#- `array_distinct`: before Spark 4.2, `collect_set` can keep several NaN. -#}
    {{- return({
        'sum': {'partial': strandline._exact_sum(), 'merge': strandline._exact_sum()},
        'count': {'partial': 'count({x})', 'merge': 'sum({x})'},
        'min': {'partial': 'min({x})', 'merge': 'min({x})'},
        'max': {'partial': 'max({x})', 'merge': 'max({x})'},
        'sumsq': {'partial': 'sum(' ~ d ~ ' * ' ~ d ~ ')', 'merge': 'sum({x})'},
        'distinct': {'partial': 'sort_array(array_distinct(collect_set({x})))',
            'merge': 'sort_array(array_distinct(flatten(collect_list({x}))))'},
        'hll': {'partial': 'hll_sketch_agg({x})', 'merge': 'hll_union_agg({x})'},
        'kll': {'partial': 'kll_sketch_agg_double(cast({x} as double))',
            'merge': 'kll_merge_agg_double({x})'},
        'ranks': {'partial': strandline._ranks_of_rows(d),
            'merge': strandline._ranks_of_parts()},
        'moments': {'partial': strandline._partial_moments("'mean', avg(" ~ d ~ "),\n        "
                ~ spread),
            'merge': strandline._merged_moments(['n', 'mean', 'm2'])},
        'shape': {'partial': strandline._partial_moments("'mean', avg(" ~ d ~ "), " ~ spread
                ~ ",\n        'm3', coalesce(count({x}) * pow(var_pop(" ~ d ~ "), 1.5D) * skewness("
                ~ d ~ "), 0D), 'm4', coalesce(count({x}) * pow(var_pop(" ~ d ~ "), 2D) * (kurtosis("
                ~ d ~ ") + 3), 0D)"),
            'merge': strandline._merged_moments(['n', 'mean', 'm2', 'm3', 'm4'])},
        'logs': {'partial': strandline._partial_moments("'logs', sum(ln(" ~ d ~ ")), 'least', min("
                ~ d ~ ")"),
            'merge': strandline._merged_moments(['n', 'logs', 'least'])},
        'first': {'partial': 'min(' ~ timed_value ~ ') filter (where {x} is not null)',
            'merge': 'min({x})'},
        'last': {'partial': 'max(' ~ timed_value ~ ') filter (where {x} is not null)',
            'merge': 'max({x})'},
        'latest': {'partial': 'max(' ~ timed_value ~ ')', 'merge': 'max({x})'},
    }) -}}
{% endmacro %}

{#- The count and other moments of a group; null without a value. The sum of squared distances from
    the mean is that of Spark's numerically stable variance. -#}
{% macro _partial_moments(fields) -%}
    if(count({x}) > 0, named_struct('n', count({x}), {{ fields }}), null)
{%- endmacro %}

{#- Moments of the whole from the moments of its parts. The parts are few (the upstream rows of one
    bucket) and sorted, so that their order does not affect the last bits. -#}
{% macro _merged_moments(fields) -%}
    get(transform(array(sort_array(collect_list({x}))), __parts -> {{
        strandline._folded_moments(fields, '__parts') }}), 0)
{%- endmacro %}

{#- The moments in an array together, in its order; null of an empty one. The array is written
    several times: best a column. -#}
{% macro _folded_moments(fields, parts) -%}
    aggregate(slice({{ parts }}, 2, greatest(size({{ parts }}) - 1, 0)), get({{ parts }}, 0),
            (__a, __b) -> {{ strandline._joined_moments(fields) }})
{%- endmacro %}

{#- The moments of two sets of values together, `__a` and `__b` (Chan, Golub and LeVeque; Pébay). No
    difference of large squares is computed, so values far from zero lose no precision. -#}
{% macro _joined_moments(fields) %}
    {%- set joined = {
        'n': '__a.n + __b.n',
        'mean': '__a.mean + (__b.mean - __a.mean) * __b.n / (__a.n + __b.n)',
        'm2': '__a.m2 + __b.m2 + pow(__b.mean - __a.mean, 2D) * __a.n * __b.n / (__a.n + __b.n)',
        'm3': '__a.m3 + __b.m3 + pow(__b.mean - __a.mean, 3D) * __a.n * __b.n * (__a.n - __b.n) '
            ~ '/ pow(__a.n + __b.n, 2D) + 3 * (__b.mean - __a.mean) '
            ~ '* (__a.n * __b.m2 - __b.n * __a.m2) / (__a.n + __b.n)',
        'm4': '__a.m4 + __b.m4 + pow(__b.mean - __a.mean, 4D) * __a.n * __b.n '
            ~ '* (__a.n * __a.n - __a.n * __b.n + __b.n * __b.n) / pow(__a.n + __b.n, 3D) '
            ~ '+ 6 * pow(__b.mean - __a.mean, 2D) '
            ~ '* (__a.n * __a.n * __b.m2 + __b.n * __b.n * __a.m2) / pow(__a.n + __b.n, 2D) '
            ~ '+ 4 * (__b.mean - __a.mean) * (__a.n * __b.m3 - __b.n * __a.m3) / (__a.n + __b.n)',
        'logs': '__a.logs + __b.logs',
        'least': 'least(__a.least, __b.least)',
    } -%}
    {%- set pairs = [] -%}
    {%- for field in fields -%}
        {%- do pairs.append("'" ~ field ~ "', " ~ joined[field]) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ pairs | join(', ') ~ ')') -}}
{% endmacro %}

{#- A sum that fails the run if it exceeds the range of its type; it never wraps around. -#}
{% macro _exact_sum() -%}
    if(try_sum({x}) is null and count({x}) > 0, raise_error({overflow}), try_sum({x}))
{%- endmacro %}

{#- The geometric mean from the smallest value and the mean of the logarithms: zero if a value is
    zero, null if one is negative. -#}
{% macro _geometric_mean(smallest, logs) %}
    {{- return('case when ' ~ smallest ~ ' > 0 then exp(' ~ logs ~ ') when ' ~ smallest
        ~ ' = 0 then 0D end') -}}
{% endmacro %}

{#- The skewness of a sample from that of a population. -#}
{% macro _sample_skewness(n, g) %}
    {{- return('case when ' ~ n ~ ' > 2 then ' ~ g ~ ' * sqrt(cast(' ~ n ~ ' as double) * (' ~ n
        ~ ' - 1)) / (' ~ n ~ ' - 2) end') -}}
{% endmacro %}

{#- The excess kurtosis of a sample from that of a population. -#}
{% macro _sample_kurtosis(n, g) %}
    {{- return('case when ' ~ n ~ ' > 3 then (' ~ n ~ ' - 1D) / ((' ~ n ~ ' - 2D) * (' ~ n
        ~ ' - 3D)) * ((' ~ n ~ ' + 1) * ' ~ g ~ ' + 6) end') -}}
{% endmacro %}

{#- Replaces the placeholders of a template, such as `{x}`, by `values`, in one pass. The values are
    not scanned for placeholders, so a user's text such as '{x}' stays as it is. -#}
{% macro _filled(template, values) %}
    {%- set pieces = [] -%}
    {%- for piece in modules.re.split('(\\{\\w+\\})', template) -%}
        {%- do pieces.append(values.get(piece[1:-1], piece) if piece.startswith('{') else piece) -%}
    {%- endfor -%}
    {{- return(pieces | join('')) -}}
{% endmacro %}

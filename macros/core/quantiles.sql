{#- Whether the Spark of the connection has not what `versions.py` names so. Through another adapter
    than ours nobody knows: then Spark itself says what it lacks. -#}
{% macro _spark_lacks(what) %}
    {{- return(execute and adapter.type() == 'strandline' and adapter.spark_lacks(what)) -}}
{% endmacro %}

{#- Quantiles for a Spark without KLL sketches: values in order, each with the number of values that
    it stands for. Up to a thousand are kept as they are. More are cut into 500 runs of equal
    length, and the middle value of a run stands for it: each time a rank moves by a thousandth of
    the count at most. -#}
{% macro _ranks_of_rows(value) -%}
    get(transform(array(sort_array(
            collect_list({{ value }}) filter (where not isnan({{ value }})))),
        __values -> if(size(__values) <= 1000,
            transform(__values, __value -> named_struct('value', __value, 'n', 1L)),
            transform(sequence(1L, 500L), __run -> named_struct(
                'value', get(__values, int((2 * __run - 1) * size(__values) div 1000)),
                'n', __run * size(__values) div 500 - (__run - 1) * size(__values) div 500)))), 0)
{%- endmacro %}

{#- The same from stored ranks. `seen` counts the values; a value is kept where the middle of a run
    is passed, and stands for all runs whose middles it passes. -#}
{% macro _ranks_of_parts() -%}
    get(transform(array(sort_array(flatten(collect_list({x})))),
        __ranks -> if(size(__ranks) <= 1000, __ranks,
            get(transform(array(aggregate(__ranks, 0L, (__n, __rank) -> __n + __rank.n)), __all ->
                aggregate(__ranks, named_struct('seen', 0L, 'kept',
                        cast(array() as array<struct<value: double, n: bigint>>)),
                    (__a, __rank) -> named_struct('seen', __a.seen + __rank.n, 'kept',
                        if({{ strandline._runs_passed('__a.seen + __rank.n') }}
                                > {{ strandline._runs_passed('__a.seen') }},
                            array_append(__a.kept, named_struct('value', __rank.value, 'n',
                                {{ strandline._runs_passed('__a.seen + __rank.n') }} * __all div 500
                                - {{ strandline._runs_passed('__a.seen') }} * __all div 500)),
                            __a.kept)),
                    __a -> __a.kept)), 0))), 0)
{%- endmacro %}

{#- How many of the 500 runs have their middle among the first values. -#}
{% macro _runs_passed(seen) -%}
    ((({{ seen }}) * 1000 + __all) div (2 * __all))
{%- endmacro %}

{#- The least value at or below which lies this part of all values; null without values. -#}
{% macro _value_at_rank(ranks, fraction) -%}
    get(transform(array(greatest(1L, ceil({{ fraction }}
            * aggregate({{ ranks }}, 0L, (__n, __rank) -> __n + __rank.n)))),
        __wanted -> aggregate({{ ranks }}, named_struct('seen', 0L, 'value', cast(null as double)),
            (__a, __rank) -> if(__a.seen >= __wanted, __a,
                named_struct('seen', __a.seen + __rank.n, 'value', __rank.value)),
            __a -> __a.value)), 0)
{%- endmacro %}

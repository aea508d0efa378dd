{#- The query of every label macro: the detections, with what the macro adds to `labels` and, with
    `ignore`, to `is_ignored`. `added` is an expression for an array of text over the detection,
    whose alias is `__given`; `joined` is a join that it needs.

    The natural join with an empty relation adds both columns as nulls to detections that lack them,
    and does not change existing ones. Spark removes it from the plan. -#}
{% macro _with_labels(detections, added, ignore, joined='') %}
select
    * except (labels, is_ignored, __added),
    array_sort(array_union(coalesce(cast(labels as array<string>), array()), __added))
        as labels,
    coalesce(cast(is_ignored as boolean),
        false){{ ' or size(__added) > 0' if ignore else '' }} as is_ignored
from (
    select __given.*, {{ added }} as __added
    from (
        select *
        from (select * from {{ detections }})
        natural left join (select null as labels, null as is_ignored where false)
    ) as __given
    {{ joined }}
)
{%- endmacro %}

{#- One label if a condition holds; null is false. -#}
{% macro _label_if(condition, label) %}
    {{- return('if(' ~ condition ~ ', array(' ~ strandline._literal(label) ~ '), array())') -}}
{% endmacro %}

{#- Whether the key columns of the detection equal those of an alias; nulls are equal. -#}
{% macro _keys_equal(keys, alias) %}
    {%- set equal = [] -%}
    {%- for key in keys -%}
        {%- do equal.append('__given.' ~ strandline._quoted(key) ~ ' <=> ' ~ alias ~ '.'
            ~ strandline._quoted(key)) -%}
    {%- endfor -%}
    {{- return(equal | join(' and ') or 'true') -}}
{% endmacro %}

{#- A time shifted by a period, in Unix microseconds. Days are those of the zone's calendar, of 23
    to 25 hours. -#}
{% macro _shifted_micros(ts, period, sign, time_zone) %}
    {%- set moved = 'unix_micros(' ~ ts ~ ')' -%}
    {%- if period.days -%}
        {%- set local = 'unix_micros(' ~ strandline._local(ts, time_zone) ~ ') ' ~ sign ~ ' '
            ~ period.days * 86400000000 ~ 'L' -%}
        {%- set moved = local if time_zone == 'UTC'
            else "unix_micros(to_utc_timestamp(timestamp_micros(" ~ local ~ "), '" ~ time_zone
                ~ "'))" -%}
    {%- endif -%}
    {{- return('(' ~ moved ~ ' ' ~ sign ~ ' ' ~ period.micros ~ 'L)') -}}
{% endmacro %}

{#- The arguments of a label macro, for `_arguments`: those that all of them have, and its `own`
    ones. The keys are columns of the detections and of the relation that `of` names. -#}
{% macro _label_arguments(detections, ignore, own) %}
    {{- return(dict({
        'detections': ['relation', detections, "write ref(…), source(...) or a query in "
            ~ "parentheses", {'query': true}],
        'ignore': ['flag', ignore,
            'write true (detections with the label are ignored and not notified) or false'],
    }, **own)) -}}
{% endmacro %}

{#- The arguments `source` or `events` of a label macro, its keys and its label. -#}
{% macro _label_source(relation, optional=false) %}
    {{- return(['relation', relation, 'write ref(…), source(...) or a query in parentheses',
        {'query': true, 'optional': optional}]) -}}
{% endmacro %}

{% macro _label_keys(keys, of) %}
    {{- return(['columns', keys, "list the columns that both sides have, such as ['carrier'], or "
        ~ "[]", {'type': 'comparable', 'of': of}]) -}}
{% endmacro %}

{% macro _label_text(label) %}
    {{- return(['text', label, "write the text of the label, such as 'weekend'"]) -}}
{% endmacro %}

{#- The argument of a margin or a period, for `_arguments`. -#}
{% macro _label_length(length, optional=false) %}
    {{- return(['length', length, "write a length of time such as '1 day' or 'PT12H' (months and "
        ~ "years have no fixed length)", {'optional': optional}]) -}}
{% endmacro %}

{#- A period as days of the calendar and microseconds; zero for none. -#}
{% macro _label_period(text) %}
    {{- return({'days': 0, 'micros': 0} if text is none else strandline._period(text)) -}}
{% endmacro %}

{#- Appends faults of the columns that label macros read or add to in every relation of
    detections. -#}
{% macro _check_detection_columns(read) %}
    {%- set types = read.types.detections -%}
    {%- for column in ['starts_at', 'ends_at'] -%}
        {%- do strandline._check_column('detections', column, read.detections, types,
            {'type': 'timestamp'}, read.faults) -%}
    {%- endfor -%}
    {%- for column, type in {'labels': 'array<string>', 'is_ignored': 'boolean'}.items()
        if types.get(column, type) != type -%}
        {%- do read.faults.append(read.detections.identifier ~ "." ~ column ~ " is "
            ~ types[column] | upper ~ ", and label macros add to " ~ type | upper ~ "; "
            ~ ("make it array(" ~ column ~ ")" if types[column] == 'string'
                else "rename or cast it") ~ " in a staging model") -%}
    {%- endfor -%}
{% endmacro %}

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

{#- The caller's name in messages. -#}
{% macro _label_caller(name) %}
    {{- return(name ~ (' in ' ~ model.name if model is defined else '')) -}}
{% endmacro %}

{#- A period as days and microseconds; zero if it is none or invalid. -#}
{% macro _label_period(name, text, faults) %}
    {%- set nothing = {'days': 0, 'micros': 0} -%}
    {%- if text is none -%}{{- return(nothing) -}}{%- endif -%}
    {%- set period = strandline._period(text) -%}
    {%- if not period.fixed -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ text
            ~ "'; write a length of time such as '1 day' or 'PT12H' (months and years have no "
            ~ "fixed length)") -%}
        {{- return(nothing) -}}
    {%- endif -%}
    {{- return(period) -}}
{% endmacro %}

{#- Appends the faults that all label macros share: of the detections, the label, `ignore` and the
    time zone. -#}
{% macro _check_label(detections, keys, given, faults) %}
    {%- set is_list = keys is sequence and keys is not string and keys is not mapping -%}
    {%- if not is_list -%}
        {%- do faults.append("`keys` is '" ~ keys
            ~ "'; list the columns that both sides have, such as ['carrier'], or []") -%}
    {%- endif -%}
    {%- set named = [['detections', 'starts_at', 'timestamp'],
        ['detections', 'ends_at', 'timestamp']] -%}
    {%- for key in (keys if is_list else []) -%}
        {%- do named.append(['keys', key, 'key']) -%}
    {%- endfor -%}
    {%- do strandline._check_labelled('detections', detections, named, faults) -%}
    {%- if 'label' in given and (given.label is not string or not given.label | trim) -%}
        {%- do faults.append("`label` is '" ~ given.label
            ~ "'; write the text of the label, such as 'weekend'") -%}
    {%- endif -%}
    {%- if given.ignore is not boolean -%}
        {%- do faults.append("`ignore` is '" ~ given.ignore
            ~ "'; write true (detections with the label are ignored and not notified) or false") -%}
    {%- endif -%}
    {%- if 'time_zone' in given and given.time_zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`time_zone` is '" ~ given.time_zone
            ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}
{% endmacro %}

{#- Appends faults for a relation that is text but not a query, and for columns (argument, name,
    kind) that do not exist or whose type does not fit. A query in parentheses is left to Spark, and
    a relation that does not exist yet is not checked. -#}
{% macro _check_labelled(argument, relation, named, faults) %}
    {%- set is_query = relation is string and (relation | trim).startswith('(') -%}
    {%- if relation is undefined or relation is none or (relation is string and not is_query) -%}
        {%- do faults.append("`" ~ argument ~ "` is '" ~ relation ~ "'; write ref('"
            ~ (relation or 'too_few') ~ "'), source(...) or a query in parentheses") -%}
    {%- endif -%}
    {%- set plain = [] -%}
    {%- for by, column, kind in named -%}
        {%- if column is string and column | trim -%}
            {%- do plain.append([by, column, kind]) -%}
        {%- else -%}
            {%- do faults.append("`" ~ by ~ "` has '" ~ column
                ~ "'; write the name of a column (compute expressions in a staging model)") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if execute and relation is not string and relation -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- set patterns = {'timestamp': 'timestamp$',
            'number': '(tinyint|smallint|int|bigint|float|double|decimal)\\b', 'key': '(?!.*map<)',
            'any': ''} -%}
        {%- set advice = {'timestamp': 'take a TIMESTAMP (cast it in a staging model)',
            'number': 'take a number',
            'key': 'Spark does not compare maps: make it an array, a struct or a text'} -%}
        {%- for by, column, kind in plain if types -%}
            {%- set type = types.get(column | lower) -%}
            {%- if type is none -%}
                {%- do faults.append(strandline._no_column(by, column, relation, types)) -%}
            {%- elif not modules.re.match(patterns[kind], type) -%}
                {%- do faults.append("`" ~ by ~ "` names " ~ column ~ " of " ~ relation.identifier
                    ~ ", which is " ~ type ~ "; " ~ advice[kind]) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- for column, type in {'labels': 'array<string>', 'is_ignored': 'boolean'}.items() -%}
            {%- if argument == 'detections' and types.get(column, type) != type -%}
                {%- do faults.append(relation.identifier ~ "." ~ column ~ " is " ~ types[column]
                    ~ ", and label macros add to " ~ type ~ "; "
                    ~ ("make it array(" ~ column ~ ")" if types[column] == 'string'
                        else "rename or cast it") ~ " in a staging model") -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

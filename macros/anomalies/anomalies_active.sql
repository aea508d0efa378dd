{#- A query of the active anomalies with the feedback on each. See _macros.yml. -#}
{% macro anomalies_active(source, feedback=none, order_by=none) %}
    {%- do strandline._check_call('anomalies_active', kwargs, varargs, {
        'source': [source, "write ref(…), the model that calls strandline.anomalies"],
    }, ['feedback', 'order_by']) -%}
    {%- set faults = [] -%}
    {%- if source is string or source is none -%}
        {%- do faults.append("`source` is '" ~ source ~ "'; write ref('" ~ source
            ~ "'), the model that calls strandline.anomalies") -%}
    {%- endif -%}
    {%- if feedback is string -%}
        {%- do faults.append("`feedback` is '" ~ feedback ~ "'; write ref('" ~ feedback
            ~ "') or source(...), a relation with anomaly_id") -%}
    {%- endif -%}
    {%- if order_by is not none and feedback is none -%}
        {%- do faults.append("`order_by` is '" ~ order_by
            ~ "', but there is no `feedback` to be ordered; give both or leave it out") -%}
    {%- elif order_by is not none and not strandline._is_column_name(order_by) -%}
        {%- do faults.append("`order_by` is '" ~ order_by
            ~ "'; write the name of one column of the feedback"
            ~ strandline._column_name_rule()) -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies_active', faults) -%}
    {%- if execute and feedback is not none -%}
        {%- do strandline._refuse('anomalies_active',
            strandline._feedback_faults(source, strandline._types_of(source), feedback,
            strandline._types_of(feedback), order_by)) -%}
    {%- endif -%}
select __active.*
{{- '' if feedback is none else ', coalesce(__noted.feedback, array()) as feedback' }}
from {{ source }} as __active
{%- if feedback is not none %}
left join (
    {#- The notes of one anomaly are one array, so that the join adds no rows. #}
    select anomaly_id, array_sort(collect_list(
        struct({{ strandline._quoted(order_by) ~ ', ' if order_by else '' -}}
            * except (anomaly_id{{ ', ' ~ strandline._quoted(order_by) if order_by else '' }}))
    )) as feedback
    from {{ feedback }}
    group by anomaly_id
) as __noted on __active.anomaly_id = __noted.anomaly_id
{%- endif %}
where {{ strandline._is_active('__active.status') }}
order by __active.ends_at desc, __active.anomaly_id
{%- endmacro %}

{#- The faults of the columns of anomalies and their feedback. A relation that does not exist yet
    has no columns. -#}
{% macro _feedback_faults(source, types, feedback, noted, order_by) %}
    {%- set faults = [] -%}
    {%- if 'feedback' in types -%}
        {%- do faults.append(source.identifier
            ~ " has a column 'feedback', which is the name of the feedback column; rename it in "
            ~ "the `keys` of strandline.anomalies") -%}
    {%- endif -%}
    {%- for argument, column in {'feedback': 'anomaly_id', 'order_by': order_by}.items()
        if noted and column is not none -%}
        {%- if column | lower not in noted -%}
            {%- do faults.append(strandline._no_column(argument, column, feedback, noted)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if order_by is not none and order_by | lower == 'anomaly_id' -%}
        {%- do faults.append("`order_by` is 'anomaly_id', which all notes of an anomaly share; "
            ~ "name a column that distinguishes them") -%}
    {%- endif -%}
    {%- if noted | list == ['anomaly_id'] -%}
        {%- do faults.append(feedback.identifier
            ~ " has no column beside anomaly_id; add a column with the notes, or leave out "
            ~ "`feedback`") -%}
    {%- endif -%}
    {%- for column, type in noted.items() if 'map<' in type -%}
        {%- do faults.append(feedback.identifier ~ "." ~ column ~ " is " ~ type
            ~ "; Spark does not order maps: make it an array, a struct or a text") -%}
    {%- endfor -%}
    {{- return(faults) -}}
{% endmacro %}

{#- A query of the active anomalies with the feedback on each. See _macros.yml. -#}
{% macro anomalies_active(source, feedback=none, order_by=none) %}
    {%- set read = strandline._arguments('anomalies_active', kwargs, varargs, {
        'source': strandline._anomalies_argument(source),
        'feedback': ['relation', feedback, strandline._feedback_form(), {'optional': true}],
        'order_by': ['column', order_by, 'write the name of one column of the feedback',
            {'optional': true, 'of': 'feedback'}],
    }) -%}
    {%- if order_by is not none and feedback is none -%}
        {%- do read.faults.append("`order_by` is '" ~ order_by
            ~ "', but there is no `feedback` to be ordered; give both or leave it out") -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies_active', read.faults + strandline._feedback_faults(read))
        -%}
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

{#- The faults of the columns of anomalies and their feedback. -#}
{% macro _feedback_faults(read) %}
    {%- set faults, noted = [], read.types.feedback -%}
    {%- do strandline._check_column('feedback', 'anomaly_id', read.feedback, noted, {}, faults) -%}
    {%- if read.feedback is not none and 'feedback' in read.types.source -%}
        {%- do faults.append(read.source.identifier
            ~ " has a column 'feedback', which is the name of the feedback column; rename it in "
            ~ "the `keys` of strandline.anomalies") -%}
    {%- endif -%}
    {%- if read.order_by is string and read.order_by | lower == 'anomaly_id' -%}
        {%- do faults.append("`order_by` is 'anomaly_id', which all notes of an anomaly share; "
            ~ "name a column that distinguishes them") -%}
    {%- endif -%}
    {%- if noted | list == ['anomaly_id'] -%}
        {%- do faults.append(read.feedback.identifier
            ~ " has no column beside anomaly_id; add a column with the notes, or leave out "
            ~ "`feedback`") -%}
    {%- endif -%}
    {%- for column, type in noted.items() if 'map<' in type -%}
        {%- do faults.append(read.feedback.identifier ~ "." ~ column ~ " is " ~ type | upper
            ~ "; Spark does not order maps: make it an array, a struct or a text") -%}
    {%- endfor -%}
    {{- return(faults) -}}
{% endmacro %}

{#- The state of the anomalies at a time of the runs: one version of each anomaly, from the snapshot
    of their table. See _macros.yml. -#}
{% macro anomalies_as_of(timestamp, history=none) %}
    {%- set read = strandline._arguments('anomalies_as_of', kwargs, varargs, {
        'timestamp': ['any', timestamp, strandline._instant_form()],
        'history': ['relation', history, 'write ref(…), the snapshot of the anomalies',
            {'optional': true, 'unread': true}],
    }) -%}
    {%- set micros = strandline._instant_micros(timestamp) -%}
    {%- if micros is none -%}
        {%- do read.faults.append("`timestamp` is '" ~ timestamp ~ "'; "
            ~ strandline._instant_form()) -%}
    {%- endif -%}
    {%- do strandline._refuse('anomalies_as_of', read.faults) -%}
    {%- set at = strandline._micros_time(micros) -%}
select * except (dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to)
from {{ ref('anomaly_history') if history is none else history }}
where dbt_valid_from <= {{ at }} and (dbt_valid_to is null or dbt_valid_to > {{ at }})
{%- endmacro %}

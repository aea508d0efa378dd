{#- What is wrong with the columns of anomalies and their feedback. A relation that does not exist (yet) has none. -#}
{% macro _feedback_faults(relation, types, feedback, noted, order_by) %}
    {%- set faults = [] -%}
    {%- if 'feedback' in types -%}
        {%- do faults.append(relation.identifier ~ " has a column 'feedback', the name under which the feedback stands; rename it in the "
            ~ "`key` of strandline.anomalies") -%}
    {%- endif -%}
    {%- for argument, column in {'feedback': 'anomaly_id', 'order_by': order_by}.items() if noted and column is not none -%}
        {%- if column | lower not in noted -%}
            {%- do faults.append(strandline._no_column(argument, column, feedback, noted)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if order_by is not none and order_by | lower == 'anomaly_id' -%}
        {%- do faults.append("`order_by` is 'anomaly_id', which all notes of an anomaly share; name a column that tells them apart") -%}
    {%- endif -%}
    {%- if noted | list == ['anomaly_id'] -%}
        {%- do faults.append(feedback.identifier ~ " has no column beside anomaly_id; add what was noted, or leave out `feedback`") -%}
    {%- endif -%}
    {%- for column, type in noted.items() if 'map<' in type -%}
        {%- do faults.append(feedback.identifier ~ "." ~ column ~ " is " ~ type
            ~ "; Spark does not order maps: make it an array, a struct or a text") -%}
    {%- endfor -%}
    {{- return(faults) -}}
{% endmacro %}

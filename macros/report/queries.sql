{#- What `strandline report` reads of tables, as JSON: for each pair of a relation and its task the
    SQL of what is shown, none for a kind that is not shown. -#}
{% macro _report_queries(pairs) %}
    {%- set queries = [] -%}
    {%- for schema, identifier, task in pairs -%}
        {%- if task.kind == 'aggregation' -%}
            {%- do queries.append(strandline._aggregation_report(task)) -%}
        {%- elif task.kind == 'points' -%}
            {%- do queries.append(strandline._points_report(task)) -%}
        {%- elif task.kind == 'window' -%}
            {%- set window = api.Relation.create(schema=schema, identifier=identifier) -%}
            {%- do queries.append({'inside': strandline.row_status(window, 'not dead')}) -%}
        {%- else -%}
            {%- do queries.append(none) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(tojson(queries)) -}}
{% endmacro %}

{#- The end of a bucket, and each output as a number: of a time weight its average and the seconds
    that it knows. -#}
{% macro _aggregation_report(task) %}
    {%- set measures = [] -%}
    {%- for output in task.outputs -%}
        {%- set read = strandline._read_output(output, task.is_base) -%}
        {%- set is_time_weight = output.function == 'time_weight' -%}
        {%- do measures.append({'name': output.name, 'text': output.text,
            'sql': strandline.average(read) if is_time_weight else read,
            'known': strandline.elapsed_time(read) if is_time_weight else none}) -%}
    {%- endfor -%}
    {#- One and a half times the shortest bucket later is the next bucket, and no later one. -#}
    {%- set unit = strandline._duration(task.duration) -%}
    {%- set length = unit.micros or (unit.days or unit.months * 28) * 86400000000 -%}
    {%- set next = 'timestamp_micros(unix_micros(agg_timestamp) + ' ~ length * 3 // 2 ~ 'L)' -%}
    {{- return({'measures': measures,
        'ends': strandline.bucket_start(next, unit.name, task.time_zone)}) -}}
{% endmacro %}

{#- Of a table of points the end of a bucket, a number and the seconds that it knows; of states
    their durations. -#}
{% macro _points_report(task) %}
    {%- if task.summary == 'state_agg' -%}
        {{- return({'states': strandline.into_values('summary')}) -}}
    {%- elif task.summary == 'time_weight' -%}
        {%- set measure = {'name': task.value, 'text': 'average of ' ~ task.value ~ ', '
            ~ task.method, 'sql': strandline.average('summary'),
            'known': strandline.elapsed_time('summary')} -%}
    {%- else -%}
        {%- set measure = {'name': 'uptime', 'text': 'seconds alive',
            'sql': strandline.uptime('summary'), 'known': strandline.uptime('summary')} -%}
    {%- endif -%}
    {{- return({'measures': [measure],
        'ends': 'timestamp_micros(unix_micros(agg_timestamp) + ' ~ task.bucket ~ 'L)'}) -}}
{% endmacro %}

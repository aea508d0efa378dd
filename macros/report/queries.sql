{#- What `strandline report` reads of tables, as JSON: for each pair of a relation and its task the
    SQL of what is shown, none for a kind that is not shown. -#}
{% macro _report_queries(pairs) %}
    {%- set queries = [] -%}
    {%- for schema, identifier, task in pairs -%}
        {%- if task.kind == 'aggregation' -%}
            {%- do queries.append(strandline._aggregation_report(task)) -%}
        {%- elif task.kind == 'points' -%}
            {%- do queries.append(strandline._points_report(task)) -%}
        {%- elif task.kind == 'seasons' -%}
            {%- set table = api.Relation.create(schema=schema, identifier=identifier) -%}
            {%- do queries.append({'evaluated': strandline._season_report(task, table)}) -%}
        {%- elif task.kind == 'window' -%}
            {%- set window = api.Relation.create(schema=schema, identifier=identifier) -%}
            {%- do queries.append({'inside': strandline.row_status(window, 'not dead')}) -%}
        {%- else -%}
            {%- do queries.append(none) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(tojson(queries)) -}}
{% endmacro %}

{#- The values of a seasonal table with what was expected of them, and two standard deviations of
    its errors around it, by the columns of detections. Nothing is found in it. -#}
{% macro _season_report(task, table) -%}
select
    cast(null as string) as detection_id,
    {{ strandline._literal(table.identifier) }} as detector,
    {%- for key in task['keys'] %}
    {{ strandline._quoted(key) }},
    {%- endfor %}
    agg_timestamp as starts_at,
    {{ strandline._quoted(task.value) }} as current_value,
    expected as baseline_value,
    {{ strandline._literal(tojson(strandline._evaluated_values(task))) }} as description,
    expected - 2 * deviation as lower_bound,
    expected + 2 * deviation as upper_bound
from {{ table }}
{%- endmacro %}

{#- The end of a bucket, and each output as a number: of a time weight its average and the seconds
    that it knows, including its neighbours' part. -#}
{% macro _aggregation_report(task) %}
    {#- One and a half times the shortest bucket later is the next bucket, and no later one. -#}
    {%- set unit = strandline._duration(task.duration) -%}
    {%- set length = unit.micros or (unit.days or unit.months * 28) * 86400000000 -%}
    {%- set next = 'timestamp_micros(unix_micros(agg_timestamp) + ' ~ length * 3 // 2 ~ 'L)' -%}
    {%- set ends = strandline._bucket_of(task, next, task.duration) -%}
    {%- set measures, known = [], strandline._stored_aggregates() -%}
    {%- for output in task.outputs -%}
        {%- set read = strandline._read_output(output, task.is_base, known) -%}
        {%- set measure = {'name': output.name, 'text': output.text} -%}
        {%- do measure.update(strandline._time_weight_report(read, ends, loop.index0)
            if output.function == 'time_weight'
            else {'summary': none, 'own': read, 'sql': read, 'known': none}) -%}
        {%- do measures.append(measure) -%}
    {%- endfor -%}
    {{- return({'measures': measures, 'ends': ends}) -}}
{% endmacro %}

{#- Of a table of points the end of a bucket, a number and the seconds that it knows; of states
    their durations. Each includes the neighbours' part. -#}
{% macro _points_report(task) %}
    {%- set ends = 'timestamp_micros(unix_micros(agg_timestamp) + ' ~ task.bucket ~ 'L)' -%}
    {%- if task.summary == 'state_agg' -%}
        {%- set states = strandline._interpolated_states('__summary', 'agg_timestamp', none,
            '__prev', strandline._known_end('__summary', '__next', ends), 'report') -%}
        {{- return({'states': 'transform(array(' ~ states ~ '), i -> '
            ~ strandline.into_values('i') ~ ')[0]'}) -}}
    {%- elif task.summary == 'time_weight' -%}
        {%- set measure = {'name': task.value,
            'text': 'average of ' ~ task.value ~ ', ' ~ task.method} -%}
        {%- do measure.update(strandline._time_weight_report('summary', ends, 0)) -%}
    {%- elif task.summary == 'counter_agg' -%}
        {%- set increase = strandline.delta('summary') -%}
        {%- set measure = {'name': task.value, 'text': 'increase of ' ~ task.value,
            'summary': none, 'own': increase, 'sql': increase, 'known': none} -%}
    {%- else -%}
        {%- set alive = strandline.uptime(strandline.interpolate('__summary_0', '__prev_0')) -%}
        {%- set measure = {'name': 'uptime', 'text': 'seconds alive', 'summary': 'summary',
            'own': strandline.uptime('summary'), 'sql': alive, 'known': alive} -%}
    {%- endif -%}
    {{- return({'measures': [measure], 'ends': ends}) -}}
{% endmacro %}

{#- The average of a whole bucket and the seconds that it knows. The report's query has the summary,
    and those before and after it, as the columns `__summary_n`, `__prev_n` and `__next_n`. -#}
{% macro _time_weight_report(summary, ends, n) %}
    {%- set own, prev, next = '__summary_' ~ n, '__prev_' ~ n, '__next_' ~ n -%}
    {%- set end = strandline._known_end(own, next, ends) -%}
    {{- return({
        'summary': summary, 'own': strandline.average(summary),
        'sql': strandline.interpolated_average(own, 'agg_timestamp', prev=prev, next=next, end=end),
        'known': strandline.interpolated_elapsed_time(own, 'agg_timestamp', prev=prev, next=next,
            end=end),
    }) -}}
{% endmacro %}

{#- Until when a bucket can be known: its end; of a key's newest bucket its last point, since what
    follows is not known yet. An end is not included, so it is a microsecond later. -#}
{% macro _known_end(summary, next, ends) -%}
    if({{ next }} is null, timestamp_micros(unix_micros({{ summary }}.last_time) + 1L), {{ ends }})
{%- endmacro %}

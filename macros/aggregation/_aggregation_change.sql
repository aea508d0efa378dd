{#- What is new for one aggregation table. The finest adds the new events to the stored rows; a
    coarser one takes the touched buckets anew from all their finer rows, so that it is always
    their exact merge. -#}
{% macro _aggregation_change(relation, task) %}
    {%- set consumed = strandline._stored_arrival(relation) -%}
    {%- set is_new = task.arrival ~ ' > ' ~ consumed if consumed else task.arrival ~ ' is not null' -%}
    {%- set is_event = '(' ~ is_new ~ ' or ' ~ task.arrival ~ ' is null)' -%}
    {%- set touched = strandline._touched_partitions(task, is_event if task.from_events else is_new) -%}
    {%- if not touched.target -%}{{- return(none) -}}{%- endif -%}

    {%- set assignments = {'agg_arrival': 'greatest(target.agg_arrival, source.agg_arrival)'} -%}
    {%- for part in task.parts -%}
        {%- set add = strandline._parts()[part.kind].add if task.from_events else '{new}' -%}
        {%- do assignments.update({part.column: add.replace('{old}', 'target.' ~ part.column).replace('{new}', 'source.' ~ part.column)}) -%}
    {%- endfor -%}

    {%- set condition = is_event if task.from_events else strandline._touched_buckets(task, is_new, touched.feed) -%}
    {%- set is_partitioned = strandline._duration(task.duration).partition is not none -%}
    {{- return({
        'sql': strandline._aggregation_rows(task, condition),
        'keys': ['agg_timestamp'] + task.group_by,
        'only': strandline._in_partitions(touched.target) if is_partitioned else none,
        'assignments': assignments,
    }) -}}
{% endmacro %}

{#- What a run has to know of what it judged: how many rows change, from when on, and whether some are found again; and of what is
    stored: how many rows may wait to be told, and since when. Detections that cannot be judged stop it here. -#}
{% macro _judged_summary(task, run, stored, judged) %}
    {%- set examples = [] -%}
    {%- for fault in ['length', 'twice'] -%}
        {%- do examples.append("count_if(fault = '" ~ fault ~ "'), min(to_json(struct(" ~ task.key | join(', ')
            ~ ", starts_at, ends_at), map('ignoreNullFields', 'false'))) filter (where fault = '" ~ fault ~ "')") -%}
    {%- endfor -%}
    {%- set row = run_query("select * from (select count(*), unix_micros(min(starts_at)), count_if(not " ~ strandline._is_active('old.status') ~ " and " ~ strandline._is_active('status') ~ "), "
        ~ examples | join(', ') ~ " from " ~ judged ~ ") cross join (select count(*), unix_micros(min(kept.ends_at)) from (" ~ stored
        ~ ") as kept where " ~ strandline._is_active('kept.status') ~ " and (" ~ strandline._pending(task, run) ~ "))").rows[0] -%}
    {%- set faults = [] -%}
    {%- if row[3] -%}
        {%- do faults.append("there are detections without a start or an end, or that do not end after they begin (" ~ row[3] | int ~ "), such as " ~ row[4]
            ~ "; leave them out in a staging model") -%}
    {%- endif -%}
    {%- if row[5] -%}
        {%- do faults.append("there are detections of one key, start and end whose values differ (" ~ row[5] | int ~ "), such as " ~ row[6]
            ~ "; add what tells them apart to `key`, or keep one of them") -%}
    {%- endif -%}
    {%- if faults -%}{%- do strandline._drop_staged(this) -%}{%- endif -%}
    {%- do strandline._refuse('anomalies in ' ~ model.name, faults) -%}
    {{- return({
        'rows': row[0] | int, 'since': none if row[1] is none else row[1] | int, 'found_again': row[2] | int,
        'pending': row[7] | int, 'pending_since': none if row[8] is none else row[8] | int,
    }) -}}
{% endmacro %}

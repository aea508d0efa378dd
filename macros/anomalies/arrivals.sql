{#- What arrived since the last scheduled run, by the arrivals that the run before has read (the
    property `strandline.arrivals`). Detections that end at or before the beginning of the frame
    (`before`) are late: `ranges` are those to analyse, a range for each day of late detections and
    changed buckets, from the earliest start to the latest end. `read` is what is stored with the
    table. A table that has no arrivals, because an earlier release wrote it, begins with the newest
    ones. -#}
{% macro _arrived(task, properties, before) %}
    {%- set is_known = 'strandline.arrivals' in properties -%}
    {%- set read = fromjson(properties.get('strandline.arrivals', '{}')) -%}
    {%- set next = strandline._newest_arrivals(task, read) -%}
    {%- set arrived = {'read': next, 'is_known': is_known, 'late': 0, 'changed': 0, 'future': 0,
        'first': none, 'last': none, 'ranges': []} -%}
    {%- set queries = [] -%}
    {%- for source in strandline._arrival_sources(task)
        if before is not none and is_known and source.name in next
            and (source.is_detections or source.name in read) -%}
        {%- do queries.append(strandline._late_of_source(task, source, read.get(source.name),
            before)) -%}
    {%- endfor -%}
    {%- if queries -%}
        {%- set rows = run_query('select unix_micros(min(starts_at)), unix_micros(max(ends_at)), '
            ~ 'count_if(__is_detection), count_if(not __is_detection) from ('
            ~ queries | join(' union all ') ~ ') group by unix_micros(ends_at) div 86400000000 '
            ~ 'order by 1').rows -%}
        {%- for row in rows -%}
            {%- do arrived.update({'late': arrived.late + row[2] | int,
                'changed': arrived.changed + row[3] | int,
                'first': [arrived.first or row[0] | int, row[0] | int] | min,
                'last': [arrived.last or row[1] | int, row[1] | int] | max}) -%}
            {%- do arrived.ranges.append({'start': row[0] | int, 'end': row[1] | int}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do arrived.update({
        'ranges': strandline._fewer_ranges(arrived.ranges) if task.settings.late == 'analyse'
            else [],
        'future': strandline._future_detections(task, read, next)}) -%}
    {{- return(arrived) -}}
{% endmacro %}

{#- The relations whose arrivals a run reads: those of the detections that have a column `arrival`,
    and the tables of buckets in `upstream`. A bucket is as long as `granularity`. -#}
{% macro _arrival_sources(task) %}
    {%- set settings, sources = task.settings, [] -%}
    {%- for relation in settings.detections -%}
        {%- set arrival = settings.arrival[loop.index0] -%}
        {%- do sources.append({'name': relation, 'relation': relation, 'is_detections': true,
            'arrival': strandline._quoted(arrival),
            'start': strandline._quoted(task.columns.start),
            'end': strandline._quoted(task.columns.end)}) if arrival is not none -%}
    {%- endfor -%}
    {%- for relation in settings.upstream -%}
        {%- do sources.append({'name': 'buckets of ' ~ relation, 'relation': relation,
            'is_detections': false, 'arrival': 'agg_arrival', 'start': 'agg_timestamp',
            'end': 'timestamp_micros(unix_micros(agg_timestamp) + ' ~ settings.granularity
                ~ 'L)'}) -%}
    {%- endfor -%}
    {{- return(sources) -}}
{% endmacro %}

{#- The newest arrival of each source, as [text, type] of `_typed_literal`: the one read before, if
    nothing arrived. Only what arrived since is read. A source without any arrival is left out. -#}
{% macro _newest_arrivals(task, read) %}
    {%- set sources = strandline._arrival_sources(task) -%}
    {%- set newest, queries = {}, [] -%}
    {%- for source in sources -%}
        {%- do queries.append('select ' ~ loop.index0 ~ ' as __place, '
            ~ strandline._exact_text('__arrival') ~ ' as __text, typeof(__arrival) as __type from '
            ~ '(select max(' ~ source.arrival ~ ') as __arrival from ' ~ source.relation
            ~ strandline._arrived_since(source, read, ' where ') ~ ') where __arrival is not null')
            -%}
        {%- if source.name in read -%}
            {%- do newest.update({source.name: read[source.name]}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set rows = run_query(queries | join(' union all ')).rows if queries else [] -%}
    {%- for row in rows -%}
        {%- do newest.update({sources[row[0] | int].name: [row[1], row[2]]}) -%}
    {%- endfor -%}
    {{- return(newest) -}}
{% endmacro %}

{#- The condition of what arrived since the last run, after a word such as `and`; empty for a source
    that was not read yet. -#}
{% macro _arrived_since(source, read, word) %}
    {%- set last = read.get(source.name) -%}
    {{- return('' if last is none else word ~ source.arrival ~ ' > '
        ~ strandline._typed_literal(last[0], last[1])) -}}
{% endmacro %}

{#- The late rows of one source. A detection without length is in its range, too, so that it fails
    the run. -#}
{% macro _late_of_source(task, source, last, before) %}
    {{- return('select least(' ~ source.start ~ ', timestamp_micros(unix_micros(' ~ source.end
        ~ ') - 1)) as starts_at, ' ~ source.end ~ ' as ends_at, ' ~ source.is_detections | lower
        ~ ' as __is_detection from ' ~ source.relation ~ ' where ' ~ source.end ~ ' <= '
        ~ strandline._micros_time(before) ~ strandline._arrived_since(source,
            {source.name: last} if last else {}, ' and ')
        ~ (' and ' ~ strandline._is_not_future(task) if source.is_detections else '')) -}}
{% endmacro %}

{#- At most 50 ranges, since each is a condition of the queries: of more, those with the least time
    between them become one. -#}
{% macro _fewer_ranges(ranges) %}
    {%- set merged = strandline._merged_ranges(ranges) -%}
    {%- if merged | length <= 50 -%}{{- return(merged) -}}{%- endif -%}
    {%- set gaps = [] -%}
    {%- for range in merged[1:] -%}
        {%- do gaps.append(range.start - merged[loop.index0].end) -%}
    {%- endfor -%}
    {%- set narrow = (gaps | sort)[merged | length - 51] -%}
    {%- set fewer = [merged[0]] -%}
    {%- for range in merged[1:] -%}
        {%- if gaps[loop.index0] <= narrow -%}
            {%- do fewer[-1].update({'end': range.end}) -%}
        {%- else -%}
            {%- do fewer.append(range) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(fewer) -}}
{% endmacro %}

{#- How many detections end after `not_after`: of those that arrived since the last run, where the
    arrival is known. -#}
{% macro _future_detections(task, read, next) %}
    {%- if task.settings.not_after is none -%}{{- return(0) -}}{%- endif -%}
    {%- set queries, known = [], {} -%}
    {%- for source in strandline._arrival_sources(task) if source.name in next -%}
        {%- do known.update({source.relation: source}) -%}
    {%- endfor -%}
    {%- for relation in task.settings.detections -%}
        {%- do queries.append('select count(*) as __detections from ' ~ relation ~ ' where not '
            ~ strandline._is_not_future(task)
            ~ (strandline._arrived_since(known[relation], read, ' and ') if relation in known
                else '')) -%}
    {%- endfor -%}
    {{- return(run_query('select sum(__detections) from (' ~ queries | join(' union all ')
        ~ ')').rows[0][0] | int) -}}
{% endmacro %}

{#- The end of the model's message, and a warning: late detections and changed buckets whose time
    was analysed, or those whose time was not with the command that does it, and detections after
    `not_after`. -#}
{% macro _arrived_message(relation, task, run) %}
    {%- set arrived, parts, found = run.arrived, [], [] -%}
    {%- if arrived is none -%}{{- return('') -}}{%- endif -%}
    {%- for name, count in {'late detection': arrived.late,
        'changed bucket': arrived.changed}.items() if count -%}
        {%- do found.append(count ~ ' ' ~ name ~ ('' if count == 1 else 's')) -%}
    {%- endfor -%}
    {%- set is_one = arrived.late + arrived.changed == 1 -%}
    {%- if found and task.settings.late == 'analyse' -%}
        {%- do parts.append(found | join(' and ') ~ (' was' if is_one else ' were')
            ~ ' analysed, from ' ~ strandline._micros_text(arrived.first)) -%}
    {%- elif found -%}
        {%- do parts.append(found | join(' and ') ~ (' is' if is_one else ' are')
            ~ ' not analysed; to analyse: `' ~ strandline._range_command(arrived.first,
                arrived.last) ~ '`') -%}
        {%- do exceptions.warn(relation.identifier ~ ': ' ~ parts[-1]) -%}
    {%- endif -%}
    {%- if arrived.future -%}
        {%- do parts.append(arrived.future ~ (' detection ends' if arrived.future == 1
            else ' detections end') ~ ' after `not_after`') -%}
    {%- endif -%}
    {{- return('; ' ~ parts | join('; ') if parts else '') -}}
{% endmacro %}

{#- The command that analyses a range again. -#}
{% macro _range_command(first, last) %}
    {{- return("strandline run --select " ~ model.name ~ "+ --from '"
        ~ strandline._micros_text(first) ~ "' --to '" ~ strandline._micros_text(last) ~ "'") -}}
{% endmacro %}

{#- Warns once for a table of an earlier release, which has no arrivals, of the detections that it
    passed over. -#}
{% macro _warn_of_unstored(relation, task, run) %}
    {%- if run.arrived is none or run.arrived.is_known or run.previous_watermark is none -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set row = run_query('select count(*), unix_micros(min(starts_at)), '
        ~ 'unix_micros(max(ends_at)) from ('
        ~ strandline._unstored(relation, task, run.previous_watermark) ~ ')').rows[0] -%}
    {%- if row[0] | int -%}
        {%- do exceptions.warn(relation.identifier ~ ': ' ~ row[0] | int ~ ' detections before the '
            ~ 'watermark are not stored, since they arrived after their time was analysed; to '
            ~ 'analyse it: `' ~ strandline._range_command(row[1] | int, row[2] | int) ~ '`') -%}
    {%- endif -%}
{% endmacro %}

{#- The detections that end at or before the watermark and have no stored anomaly of their key,
    start and end. -#}
{% macro _unstored(relation, task, watermark) -%}
select distinct __detected.*
from ({{ strandline._detected(task) }}) as __detected
left anti join {{ relation }} as __kept
    on {{ strandline._same_key(task, '__kept', '__detected') }}
    and __kept.starts_at = __detected.starts_at and __kept.ends_at = __detected.ends_at
    and not __kept.is_parent
where __detected.ends_at <= {{ strandline._micros_time(watermark) }}
{%- endmacro %}

{#- The parameters of a run: its analysed range, all ranges that it analyses, the watermark before
    and after it, its times as literals, and what arrived since the last run (`_arrived`; none in a
    backfill). `stored_ranges` are those in which stored anomalies are compared. None if there is
    nothing to analyse. `properties` are those of the table; empty for a new one. -#}
{% macro _anomaly_run(task, properties) %}
    {%- set stored = properties.get('strandline.watermark') -%}
    {%- set watermark = none if stored is none else strandline._text_micros(stored) -%}
    {%- set backfill = strandline._backfill_range([strandline._run_setting('strandline_from'),
        strandline._run_setting('strandline_to')]) -%}
    {%- do strandline._evaluate_not_after(task) -%}
    {%- set now = strandline._anomaly_clock(task, watermark) -%}
    {%- set is_set_back = backfill is none
        and properties.get('strandline.set_back_from', '') != '' -%}
    {%- set analysed = strandline._scheduled_range(task.settings, watermark, now)
        if backfill is none else backfill -%}
    {%- if analysed is none and watermark is none -%}{{- return(none) -}}{%- endif -%}
    {%- set arrived = none if backfill is not none else strandline._arrived(task, properties,
        watermark if analysed is none else analysed.start) -%}
    {%- if analysed is none and not is_set_back and not arrived.late and not arrived.changed -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set analysed = analysed or {'start': watermark, 'end': watermark, 'is_backfill': false} -%}
    {%- set ranges = strandline._merged_ranges(([analysed] if analysed.start is none
        or analysed.start < analysed.end else []) + (arrived.ranges if arrived else [])) -%}
    {%- set as_of = strandline._as_of() -%}
    {{- return({
        'analysed': analysed, 'ranges': ranges, 'previous_watermark': watermark,
        'stored_ranges': strandline._merged_ranges(
            ranges + [{'start': analysed.start, 'end': none}]) if is_set_back else ranges,
        'is_set_back': is_set_back, 'arrived': arrived,
        'watermark': strandline._moved_watermark(watermark, analysed, task.settings.granularity,
            none if now is none else now - task.settings.completeness_delay),
        'analysed_end': strandline._micros_time(analysed.end),
        'run_at': strandline._micros_time(as_of) if as_of is not none
            else "timestamp'" ~ run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ "Z'",
    }) -}}
{% endmacro %}

{#- The analysed range of a scheduled run: from the watermark, or from the mutability period before
    the end if that is earlier, to the end of the newest complete interval. Without a watermark it
    has no start. None if there is nothing to analyse. -#}
{% macro _scheduled_range(settings, watermark, now) %}
    {%- if now is none -%}{{- return(none) -}}{%- endif -%}
    {%- set granularity = settings.granularity -%}
    {%- set end = (now - settings.completeness_delay) // granularity * granularity -%}
    {%- set start = watermark -%}
    {%- if watermark is not none and settings.mutability_period is not none -%}
        {%- set start = [watermark, (end - settings.mutability_period) // granularity * granularity]
            | min -%}
    {%- endif -%}
    {%- if start is not none and start >= end -%}{{- return(none) -}}{%- endif -%}
    {{- return({'start': start, 'end': end, 'is_backfill': false}) -}}
{% endmacro %}

{#- Ranges in the order of their start, with those that overlap or touch as one. No start is before
    all times, no end after all. -#}
{% macro _merged_ranges(ranges) %}
    {%- set unbounded, bounded, merged = [], [], [] -%}
    {%- for range in ranges -%}
        {%- do (unbounded if range.start is none else bounded).append(range) -%}
    {%- endfor -%}
    {%- for range in unbounded + bounded | sort(attribute='start') -%}
        {%- set last = merged[-1] if merged else none -%}
        {%- if last is not none and (last.end is none or range.start is none
            or range.start <= last.end) -%}
            {%- do last.update({'end': none if none in [last.end, range.end]
                else [last.end, range.end] | max}) -%}
        {%- else -%}
            {%- do merged.append({'start': range.start, 'end': range.end}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(merged) -}}
{% endmacro %}

{#- Whether a row belongs to one of the ranges: its end is in it. Literal, so that files are skipped
    by it. With `is_wholly` it does not begin before the range either. -#}
{% macro _in_ranges(ranges, is_wholly=false) %}
    {%- set conditions = [] -%}
    {%- for range in ranges -%}
        {%- set bounds = [] -%}
        {%- if range.start is not none -%}
            {%- set start = strandline._micros_time(range.start) -%}
            {%- do bounds.append('ends_at > ' ~ start) -%}
            {%- do bounds.append('starts_at >= ' ~ start) if is_wholly -%}
        {%- endif -%}
        {%- if range.end is not none -%}
            {%- do bounds.append('ends_at <= ' ~ strandline._micros_time(range.end)) -%}
        {%- endif -%}
        {%- do conditions.append(bounds | join(' and ')) -%}
    {%- endfor -%}
    {{- return('(' ~ (conditions | join(' or ') or 'false') ~ ')') -}}
{% endmacro %}

{#- The watermark after a run over an analysed range. It never moves back. A backfill moves it only
    if the analysed range starts at or before the watermark, and not beyond the newest complete
    interval (`complete`, its end, or none): scheduled runs start at the watermark, so they would
    never analyse time that it passed too early. -#}
{% macro _moved_watermark(watermark, analysed, granularity, complete=none) %}
    {%- if analysed.is_backfill and (watermark is none or complete is none
        or analysed.start > watermark) -%}
        {{- return(watermark) -}}
    {%- endif -%}
    {%- set end = [analysed.end, complete] | min if analysed.is_backfill else analysed.end -%}
    {%- set reached = end // granularity * granularity -%}
    {{- return(reached if watermark is none else [watermark, reached] | max) -}}
{% endmacro %}

{#- The event clock in Unix microseconds: strandline_as_of if it is set, otherwise the newest time
    in `clock` or in the detections, not after a `not_after` that is one time, but not before the
    time that set the watermark. None if there is no time. -#}
{% macro _anomaly_clock(task, watermark) %}
    {%- set as_of = strandline._as_of() -%}
    {%- if as_of is not none -%}{{- return(as_of) -}}{%- endif -%}
    {%- set clock = task.settings.clock
        or '(select max(ends_at) from (' ~ strandline._detected(task) ~ '))' -%}
    {%- set newest = run_query('select unix_micros(' ~ clock ~ ')').rows[0][0] -%}
    {%- set known = [] if newest is none else [newest | int] -%}
    {%- if known and task.settings.not_after_micros is not none -%}
        {%- set known = [[known[0], task.settings.not_after_micros] | min] -%}
    {%- endif -%}
    {%- if watermark is not none -%}
        {%- do known.append(watermark + task.settings.completeness_delay) -%}
    {%- endif -%}
    {{- return(known | max if known else none) -}}
{% endmacro %}

{#- Evaluates a `not_after` that is one time, such as a sub-query, once in a run: its literal
    replaces the expression, and its microseconds bound the clock. One that reads columns of the
    detections stays an expression. -#}
{% macro _evaluate_not_after(task) %}
    {%- set settings = task.settings -%}
    {%- do settings.update({'not_after_micros': none}) -%}
    {%- if settings.not_after is not none and settings.not_after_is_constant -%}
        {%- set found = run_query('select unix_micros(' ~ settings.not_after ~ '\n)').rows[0][0] -%}
        {%- do settings.update({
            'not_after_micros': none if found is none else found | int,
            'not_after': none if found is none else strandline._micros_time(found | int)}) -%}
    {%- endif -%}
{% endmacro %}

{#- Checks `not_after` with Spark: an expression of a TIMESTAMP over the columns of each relation of
    detections. Returns whether it reads none of them. -#}
{% macro _check_detections_not_after(read) %}
    {%- set not_after, faults = read.not_after, [] -%}
    {%- if not_after is none -%}{{- return(true) -}}{%- endif -%}
    {%- set state = namespace(is_constant=true) -%}
    {%- for relation in read.detections -%}
        {%- set types = read.types.detections[loop.index0] -%}
        {%- if types -%}
            {%- do strandline._check_row_expressions([['`not_after` is', not_after, 'timestamp']],
                relation, relation, types, faults) -%}
            {%- for quoted, word in modules.re.findall('`((?:[^`]|``)+)`|(\\w+)', not_after | lower)
                if quoted.replace('``', '`') in types or word in types -%}
                {%- set state.is_constant = false -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, faults | unique | list) -%}
    {%- if not state.is_constant and adapter.type() == 'strandline' -%}
        {%- set alone = strandline._expression_types([not_after],
            '(select 1 as __one) as __alone') -%}
        {%- set state.is_constant = alone[not_after].error is none -%}
    {%- endif -%}
    {{- return(state.is_constant) -}}
{% endmacro %}

{#- Sets the watermark of a table back to the run setting `strandline_watermark`, in a commit of its
    own, and returns the properties after it. The property `strandline.set_back_from` stays until a
    run has compared the stored anomalies after the new watermark, so that a killed run is
    healed. -#}
{% macro _set_watermark_back(relation, task, properties) %}
    {%- set given = task.settings.set_back -%}
    {%- if given is none -%}{{- return(properties) -}}{%- endif -%}
    {%- set micros = strandline._set_back_micros(given) -%}
    {%- set granularity = task.settings.granularity -%}
    {%- set to = micros // granularity * granularity -%}
    {%- set stored = properties.get('strandline.watermark') -%}
    {%- if stored is none or strandline._text_micros(stored) <= to -%}
        {%- do exceptions.warn(relation.identifier ~ ": the watermark is "
            ~ (stored or 'not set yet') ~ " and was left: `--watermark '" ~ given
            ~ "'` only sets one back") -%}
        {{- return(properties) -}}
    {%- endif -%}
    {%- set changed = {'strandline.watermark': strandline._micros_text(to),
        'strandline.set_back_from': properties.get('strandline.set_back_from') or stored} -%}
    {%- do strandline._set_properties(relation, changed) -%}
    {{- return(dict(properties, **changed)) -}}
{% endmacro %}

{#- The run setting `strandline_watermark` in Unix microseconds. Fails if it is no time, or if there
    is a backfill range, too. -#}
{% macro _set_back_micros(given) %}
    {%- set micros = strandline._instant_micros(given) -%}
    {%- set faults = [] -%}
    {%- if micros is none -%}
        {%- do faults.append("the var strandline_watermark is '" ~ given ~ "'; "
            ~ strandline._instant_form()) -%}
    {%- endif -%}
    {%- if strandline._run_setting('strandline_from') is not none -%}
        {%- do faults.append("the vars strandline_watermark and strandline_from are both given; a "
            ~ "backfill range never moves the watermark back: give one of them") -%}
    {%- endif -%}
    {%- do strandline._refuse(model.name, faults) -%}
    {{- return(micros) -}}
{% endmacro %}

{#- Warns if a scheduled run moves the watermark by more than the whole past of the table, or if it
    is beyond the computer's own clock: then one clock of the future ends the analysis of what
    follows. Two days of either are no reason to warn. With strandline_as_of the clock is the
    user's. Returns the warning for the model's message; empty without one. -#}
{% macro _warn_of_clock(relation, task, run, is_new) %}
    {%- if run.analysed.is_backfill or strandline._as_of() is not none -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set tolerance = 2 * 86400000000 -%}
    {%- set wall = (run_started_at.timestamp() * 1000000) | int -%}
    {%- set before, now = run.previous_watermark, run.watermark -%}
    {%- set reasons = [] -%}
    {%- if now > wall + tolerance -%}
        {%- do reasons.append("the watermark is " ~ strandline._micros_text(now)
            ~ ", which is after the time of this run") -%}
    {%- elif before is not none and not is_new and now - before > tolerance -%}
        {%- set began = run_query('select unix_micros(min(starts_at)) from ' ~ relation).rows[0][0]
            -%}
        {%- if began is not none and now - before > before - began | int -%}
            {%- do reasons.append("the watermark moves from " ~ strandline._micros_text(before)
                ~ " to " ~ strandline._micros_text(now)
                ~ ", by more than the whole past of the table, which begins at "
                ~ strandline._micros_text(began | int)) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if reasons -%}
        {%- set newest = strandline._newest_detections(task, wall) -%}
        {%- set back = before if before is not none and before <= wall else newest.usual -%}
        {%- set warning = reasons[0] ~ "; scheduled runs analyse what ends after it. "
            ~ newest.text ~ " If a clock is wrong: write `not_after`, "
            ~ "such as 'current_timestamp()', so that later detections are not analysed, and then "
            ~ "set the watermark back: `strandline run --select " ~ model.name ~ "+ --watermark '"
            ~ strandline._micros_text(back) ~ "'`. This keeps what was notified; a full refresh "
            ~ "does not" -%}
        {%- do exceptions.warn(relation.identifier ~ ": " ~ warning) -%}
        {{- return('; ' ~ warning) -}}
    {%- endif -%}
    {{- return('') -}}
{% endmacro %}

{#- The ends of the newest detections, for a message, and the newest one that is not after the
    time of the run (`usual`). -#}
{% macro _newest_detections(task, wall) %}
    {%- set rows = run_query('select unix_micros(ends_at) as __ends from (select distinct ends_at '
        ~ 'from (' ~ strandline._detected(task) ~ ') where ends_at is not null '
        ~ 'order by ends_at desc limit 3) union all select unix_micros(max(ends_at)) from ('
        ~ strandline._detected(task) ~ ') where ends_at <= ' ~ strandline._micros_time(wall)).rows
        -%}
    {%- set ends = [] -%}
    {%- for row in rows[:-1] -%}
        {%- do ends.append(row[0] | int) -%}
    {%- endfor -%}
    {%- set texts = [] -%}
    {%- for end in ends | sort(reverse=true) -%}
        {%- do texts.append(strandline._micros_text(end)) -%}
    {%- endfor -%}
    {%- set usual = rows[-1][0] if rows else none -%}
    {{- return({
        'text': 'The newest detections end at ' ~ texts | join(', ') ~ '.' if texts
            else 'There is no detection; the time is that of `clock`.',
        'usual': wall // 1000000 * 1000000 if usual is none else usual | int,
    }) -}}
{% endmacro %}

{#- What arrived since the last scheduled run, by the arrivals that the run before has read (the
    property `strandline.arrivals`). Detections that end at or before the beginning of the analysed
    range (`before`) are late: `ranges` are those to analyse, a range for each day of late
    detections and changed buckets, from the earliest start to the latest end. `read` is what is
    stored with the table. A table that has no arrivals, because an earlier release wrote it, begins
    with the newest ones. -#}
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
    on {{ strandline._same_columns(task['keys'], '__kept', '__detected') }}
    and __kept.starts_at = __detected.starts_at and __kept.ends_at = __detected.ends_at
    and not __kept.is_parent
where __detected.ends_at <= {{ strandline._micros_time(watermark) }}
{%- endmacro %}

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
{% macro _check_detections_not_after(not_after, detections) %}
    {%- if not_after is none -%}{{- return(true) -}}{%- endif -%}
    {%- set faults = [] -%}
    {%- set state = namespace(is_constant=true) -%}
    {%- for relation in detections -%}
        {%- set types = strandline._types_of(relation) -%}
        {%- if types -%}
            {%- set found = strandline._expression_types([not_after], relation)[not_after] -%}
            {%- if found.error -%}
                {%- do faults.append("`not_after` is '" ~ not_after ~ "'"
                    ~ strandline._expression_fault(found.error, relation, types)) -%}
            {%- elif found.type != 'timestamp' -%}
                {%- do faults.append("`not_after` is '" ~ not_after ~ "', which is "
                    ~ found.type | upper ~ "; make it a TIMESTAMP") -%}
            {%- endif -%}
            {%- for quoted, word in modules.re.findall('`((?:[^`]|``)+)`|(\\w+)', not_after | lower)
                if quoted.replace('``', '`') in types or word in types -%}
                {%- set state.is_constant = false -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do strandline._refuse('anomalies', faults | unique | list) -%}
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
    {%- if run.frame.is_backfill or strandline._as_of() is not none -%}
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

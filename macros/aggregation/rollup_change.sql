{#- What is new for a coarser table: the touched partitions, taken anew from the finer rows. Buckets
    whose finer rows have been purged stay as they are stored. After a run of its feed that had news, the table
    is presumed to be as far as the feed was before; only where the write has found that it is not
    (`task.asks`), the table is asked. -#}
{% macro _rollup_change(relation, task, properties) %}
    {%- set duration = strandline._duration(task.duration) -%}
    {%- set region = strandline._region(relation, task) -%}
    {%- set told = none if region else strandline._touched_by_feed(task) -%}
    {%- set presumes = relation.identifier ~ ' is not as far as its feed was' if told and told.partitions and told.consumed and not task.asks else none -%}
    {%- set consumed = told.consumed if presumes else strandline._stored_arrival(relation) -%}
    {%- set is_changed = 'agg_arrival > ' ~ consumed if consumed else 'true' -%}
    {%- if region -%}{%- set is_changed = '(' ~ is_changed ~ ' or ' ~ strandline._in_region(region, 'agg_timestamp') ~ ')' -%}{%- endif -%}
    {%- set changed = "select " ~ strandline._rolled_partition(task) ~ " as agg_partition, agg_arrival from (select * from " ~ task.feed ~ ") as feed where " ~ is_changed -%}
    {%- if region -%}
        {%- set changed = changed ~ " union all select agg_partition, agg_arrival from " ~ relation ~ " where " ~ strandline._in_region(region, 'agg_timestamp') -%}
    {%- endif -%}
    {%- set touched = told if told and told.consumed == consumed else strandline._touched(changed) -%}
    {#- Where this table looks back, the coarser ones do too, and ask. -#}
    {%- if not region -%}{%- do strandline._note('touched ' ~ relation, dict(touched, consumed=consumed)) -%}{%- endif -%}
    {%- if not touched.partitions -%}{{- return(none) -}}{%- endif -%}
    {%- set latest = strandline._latest(consumed, touched.seen) -%}

    {%- set frozen = properties.get('strandline.feed_purged_before') -%}
    {%- set rows -%}
with counted as (
    select {{ strandline._fed_columns(task) }}
    from (select * from {{ task.feed }}) as feed
    where {{ strandline._touching_partitions(touched.partitions, duration.partition, strandline._duration(task.feed_duration).partition, task.time_zone) }}
),

buckets as (
{{ strandline._aggregation_buckets(task, 'counted', 'roll') }}
)

select
    {{ strandline._aggregation_columns(task) }}
from (select * except (agg_arrival), least(agg_arrival, {{ latest }}) as agg_arrival from buckets)
where {{ strandline._in_partitions(touched.partitions) }}
    {%- if frozen %}
    and agg_timestamp >= timestamp'{{ frozen }}'
union all
select * from {{ relation }}
where {{ strandline._in_partitions(touched.partitions) }}
    and agg_timestamp < timestamp'{{ frozen }}'
    {%- endif -%}
    {%- endset -%}
    {{- return({'sql': rows, 'partitions': touched.partitions, 'consumed': consumed, 'presumes': presumes}) -}}
{% endmacro %}

{#- What a query of changes, with the columns `agg_partition` and `agg_arrival`, comes to: `partitions`, each
    once, as sorted texts, and the latest arrival as `seen`. What arrives after the query is left to
    the next run: its partitions are not known. -#}
{% macro _touched(query) %}
    {%- set row = run_query("select array_join(collect_set(cast(agg_partition as string)), ','), "
        ~ strandline._exact_text('max(agg_arrival)') ~ ", typeof(max(agg_arrival)) from (" ~ query ~ ")").rows[0] -%}
    {{- return({
        'partitions': (row[0] or '').split(',') | select | sort | list,
        'seen': strandline._typed_literal(row[1], row[2]),
    }) -}}
{% endmacro %}

{#- What `_touched` would find for a coarser table, worked out from what its feed has noted in this run; none where that does not
    tell it: the feed did not run, or a clock changes near an edge. It holds for a table that is as far as the feed was, which
    is given as `consumed`: a run that died between them leaves them apart. A week of the feed that lies in two months or
    years stands for both. -#}
{% macro _touched_by_feed(task) %}
    {%- set noted = strandline._noted('touched ' ~ task.feed) -%}
    {%- if not noted -%}{{- return(none) -}}{%- endif -%}
    {%- set feed_unit = strandline._duration(task.feed_duration).partition -%}
    {%- set spans = strandline._partition_spans(noted.partitions, feed_unit) -%}
    {%- if spans and not strandline._is_calm(spans, task.time_zone) -%}{{- return(none) -}}{%- endif -%}

    {%- set unit = strandline._duration(task.duration).partition -%}
    {%- set partitions = [] -%}
    {%- for date in noted.partitions -%}
        {%- set first = modules.datetime.date.fromisoformat(date) -%}
        {%- do partitions.extend([strandline._partition_first(first, unit) | string,
            strandline._partition_first(strandline._partition_last(first, feed_unit), unit) | string]) -%}
    {%- endfor -%}
    {{- return({'partitions': partitions | unique | sort | list, 'seen': noted.seen, 'consumed': noted.consumed}) -}}
{% endmacro %}

{#- A literal predicate on a feed's partitions that keeps all rows from which the buckets of other partitions are
    made. Where clocks do not change near the partitions' edges, these are just the partitions
    of the same days. -#}
{% macro _touching_partitions(dates, unit, feed_unit, time_zone) %}
    {%- set slack = 0 if strandline._is_calm(strandline._partition_spans(dates, unit), time_zone) else 1 -%}
    {%- set nests = feed_unit == unit or (feed_unit == 'month' and unit == 'year') -%}
    {%- set lead = 0 if nests and not slack else {'week': 6, 'month': 30, 'year': 365}[feed_unit] -%}
    {%- set ranges = [] -%}
    {%- for first, last in strandline._partition_spans(dates, unit, slack) -%}
        {%- do ranges.append("agg_partition between date'" ~ (first - modules.datetime.timedelta(days=lead)) ~ "' and date'" ~ last ~ "'") -%}
    {%- endfor -%}
    {{- return('(' ~ ranges | join(' or ') ~ ')') -}}
{% endmacro %}

{#- Whether a zone's clock keeps its offset for sixty hours before and after the edges of spans of days ([first,
    last] pairs of dates): then a bucket that begins on a day holds only instants of that day. At a
    change of some minutes at midnight it need not. -#}
{% macro _is_calm(spans, time_zone) %}
    {%- if time_zone == 'UTC' -%}{{- return(true) -}}{%- endif -%}
    {%- set edges = [] -%}
    {%- for first, last in spans -%}
        {%- do edges.extend(["date'" ~ first ~ "'", "date'" ~ last ~ "'"]) -%}
    {%- endfor -%}
    {%- set at = "unix_date(edge) * 86400L + hour * 3600L" -%}
    {%- set offset = "unix_seconds(" ~ strandline._local("timestamp_seconds(" ~ at ~ ")", time_zone) ~ ") - (" ~ at ~ ")" -%}
    {%- set question = "select forall(array(" ~ edges | join(', ') ~ "), edge -> size(array_distinct(transform(sequence(-60, 84), hour -> "
        ~ offset ~ "))) = 1)" -%}
    {%- set known = strandline._noted(question) -%}
    {%- if known is not none -%}{{- return(known) -}}{%- endif -%}
    {%- set is_calm = run_query(question).rows[0][0] -%}
    {%- do strandline._note(question, is_calm) -%}
    {{- return(is_calm) -}}
{% endmacro %}

{#- The first day of the week (a Monday), month or year in which a bucket begins by its zone's clock:
    the value by which a summary table is partitioned. Weeks, which every row of a table of seconds
    is asked for, are whole numbers; day 4 of 1970 was a Monday. -#}
{% macro _partition_of(ts, unit, time_zone) %}
    {%- set day = strandline._local_day(ts, time_zone) -%}
    {%- if unit == 'week' -%}
        {{- return("date_from_unix_date(" ~ day ~ " - pmod(" ~ day ~ " - 4, 7))") -}}
    {%- endif -%}
    {{- return("trunc(date_from_unix_date(" ~ day ~ "), '" ~ unit ~ "')") -}}
{% endmacro %}

{#- A literal predicate on the partition column, which Delta prunes by. The Monday of 11 October 1582 is named by its neighbours:
    in Java's calendar it does not exist, and Delta would replace the partition of the 15th in its place. -#}
{% macro _in_partitions(dates) %}
    {%- set listed = dates | reject('equalto', '1582-10-11') | sort -%}
    {%- set conditions = ["agg_partition in (date'" ~ listed | join("', date'") ~ "')"] if listed else [] -%}
    {%- if '1582-10-11' in dates -%}
        {%- do conditions.append("agg_partition > date'1582-10-04' and agg_partition < date'1582-10-18'") -%}
    {%- endif -%}
    {{- return(conditions[0] if conditions | length == 1 else '(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}

{#- The first day of the week, month or year that a date lies in; both are Python dates. -#}
{% macro _partition_first(date, unit) %}
    {%- if unit == 'week' -%}{{- return(date - modules.datetime.timedelta(days=date.weekday())) -}}{%- endif -%}
    {{- return(date.replace(day=1) if unit == 'month' else date.replace(month=1, day=1)) -}}
{% endmacro %}

{#- The last day of the partition that begins at a date; both are Python dates. -#}
{% macro _partition_last(first, unit) %}
    {%- set one = modules.datetime.timedelta(days=1) -%}
    {%- if unit == 'week' -%}{{- return(first + 6 * one) -}}{%- endif -%}
    {%- set next = (first.replace(day=28) + 4 * one) if unit == 'month' else first.replace(month=12, day=28) + 4 * one -%}
    {{- return(next.replace(day=1) - one) -}}
{% endmacro %}

{#- The days that partitions cover, as [first, last] pairs of dates, `slack` days wider on both sides and joined where they
    meet: few literal ranges, by which files are skipped. -#}
{% macro _partition_spans(dates, unit, slack=0) %}
    {%- set day = modules.datetime.timedelta(days=1) -%}
    {%- set spans = [] -%}
    {%- for date in dates | sort -%}
        {%- set first = modules.datetime.date.fromisoformat(date) -%}
        {%- set last = strandline._partition_last(first, unit) + slack * day -%}
        {%- set first = first - slack * day -%}
        {%- if spans and first <= spans[-1][1] + day -%}
            {%- set joined = spans.pop() -%}
            {%- do spans.append([joined[0], last]) -%}
        {%- else -%}
            {%- do spans.append([first, last]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(spans) -}}
{% endmacro %}

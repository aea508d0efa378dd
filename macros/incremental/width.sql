{#- The width of a table's partitions. It is chosen at the first build from what was read, and
    stored with the table: a run replaces the partitions that it changes, so a full one is at most
    32 MiB. `strandline purge --compact` and a full refresh choose again; nothing else changes it.
    -#}

{#- The width of a new table: `width`; `rows_a_day`, none where it is not known; and `days`, of how
    many it has rows: 0 where they are not counted, none where the table has few rows.

    row_bytes  of a stored row, estimated
    counts     a query with the number of rows that the table gets, and of days that they are of
    upstream   the rows of a day of the upstream table, if known: its roll-up has no more -#}
{% macro _chosen_width(task, row_bytes, counts, upstream=none) %}
    {%- set narrowest = strandline._narrowest_partition(task) -%}
    {%- set units = strandline._partition_units() -%}
    {%- set names = units | map(attribute='name') | list -%}
    {%- set given = strandline._run_setting('strandline_partition') -%}
    {%- if given is not none -%}
        {%- if given not in names -%}
            {%- do strandline._refuse(model.name, ["the var strandline_partition is '" ~ given
                ~ "'; write one of " ~ strandline._choices(names) ~ ", or leave it out: then the "
                ~ "width of partitions is chosen from the rows"]) -%}
        {%- endif -%}
        {{- return({'width': given if names.index(given) >= names.index(narrowest) else narrowest,
            'rows_a_day': none, 'days': 0}) -}}
    {%- endif -%}
    {%- if upstream is not none
        and upstream * row_bytes * units[-1].days <= strandline._most_bytes() -%}
        {{- return({'width': 'year', 'rows_a_day': upstream, 'days': none}) -}}
    {%- endif -%}
    {%- set row = run_query(counts).rows[0] -%}
    {%- set days = row[1] | int -%}
    {%- if not days -%}
        {{- return({'width': strandline._usual_width(task), 'rows_a_day': none, 'days': 0}) -}}
    {%- endif -%}
    {%- set rows_a_day = (row[0] | int) / days -%}
    {{- return({'width': strandline._width_for(narrowest, rows_a_day * row_bytes),
        'rows_a_day': rows_a_day | round(3), 'days': days}) -}}
{% endmacro %}

{#- The width and the rows of a day that are stored with a table; none with those of 0.1.0. -#}
{% macro _stored_width(properties) %}
    {{- return(dict({'width': none, 'rows_a_day': none},
        **fromjson(properties.get('strandline.partition', '{}')))) -}}
{% endmacro %}

{#- The property that stores it. -#}
{% macro _width_property(chosen) %}
    {{- return({'strandline.partition': tojson(
        {'width': chosen.width, 'rows_a_day': chosen.rows_a_day})}) -}}
{% endmacro %}

{#- How many rows a table of buckets gets, and of how many days, as a query over rows with an
    instant and a number of their bucket. Both counts are estimated (HyperLogLog, within some
    percent), in one scan without a shuffle. -#}
{% macro _bucket_counts(rows, ts, bucket, keys) -%}
select approx_count_distinct(xxhash64({{ ([bucket] + strandline._all_quoted(keys)) | join(', ')
    }})), approx_count_distinct(unix_seconds({{ ts }}) div 86400)
from {{ rows }}
where {{ ts }} is not null
{%- endmacro %}

{#- For `strandline purge --compact`, as JSON: for each table (its stored task, `width`,
    `rows_a_day`, `bytes_a_day` and number of `partitions`) the width that it has (`before`) and
    needs (`after`), SQL of the new partition of a row, and the properties that say it; none
    where it stays. A table is partitioned again if a full partition has more than twice what a
    first build allows, or if 16 partitions or more could be wider. -#}
{% macro _needed_widths(tables) %}
    {%- set needed = [] -%}
    {%- for table in tables -%}
        {%- set task = table.task -%}
        {%- set before = table.width or strandline._usual_width(task) -%}
        {%- set after = strandline._width_for(strandline._narrowest_partition(task),
            table.bytes_a_day) -%}
        {%- set is_outgrown = table.bytes_a_day * strandline._partition_unit(before).days
            > 2 * strandline._most_bytes() -%}
        {%- set names = strandline._partition_units() | map(attribute='name') | list -%}
        {%- set is_wasteful = names.index(after) > names.index(before)
            and table.partitions >= 16 -%}
        {%- set is_needed = after != before and (is_outgrown or is_wasteful) -%}
        {%- do needed.append(none if not is_needed else {'before': before, 'after': after,
            'partition': strandline._partition_of('agg_timestamp', after,
                task.get('time_zone', 'UTC')),
            'properties': strandline._width_property({'width': after,
                'rows_a_day': table.rows_a_day | round(3)})}) -%}
    {%- endfor -%}
    {{- return(tojson(needed)) -}}
{% endmacro %}

{#- The widest unit of which a full partition has at most `_most_bytes`; else the narrowest that
    fits the buckets. -#}
{% macro _width_for(narrowest, bytes_a_day) %}
    {%- set units = strandline._partition_units() -%}
    {%- set names = units | map(attribute='name') | list -%}
    {%- set width = namespace(name=narrowest) -%}
    {%- for unit in units[names.index(narrowest):]
        if bytes_a_day * unit.days <= strandline._most_bytes() -%}
        {%- set width.name = unit.name -%}
    {%- endfor -%}
    {{- return(width.name) -}}
{% endmacro %}

{#- The most bytes of a full partition, by estimate. A run copies what it does not change of
    it, some 0.8 seconds for a million rows. -#}
{% macro _most_bytes() %}
    {{- return(2 ** 25) -}}
{% endmacro %}

{#- The definition of an aggregation: checked whole, every fault named at once. See _macros.yml. -#}
{% macro aggregation(name, source, select, aggregate_by, group_by=[], every='sec...year', arrival='arrival', time_zone='UTC') %}
    {%- set faults = [] -%}

    {%- if not strandline._is_identifier(name) -%}
        {%- do faults.append("`name` is '" ~ name ~ "'; it begins the names of the tables, so write letters, "
            ~ "digits and underscores, such as 'trade_aggregation'") -%}
    {%- endif -%}
    {%- if source is none or source is string or source is not defined -%}
        {%- do faults.append("`source` is " ~ ("'" ~ source ~ "'" if source else 'empty')
            ~ "; hand in a relation: ref('trades') or source('shop', 'trades')") -%}
    {%- endif -%}
    {%- if group_by is string or group_by is mapping -%}
        {%- do faults.append("`group_by` is '" ~ group_by ~ "'; write a list of columns, such as ['symbol']") -%}
    {%- endif -%}
    {%- set group_by = [] if group_by is string or group_by is mapping else group_by -%}
    {%- for column in [aggregate_by, arrival] + group_by if not strandline._is_identifier(column) -%}
        {%- do faults.append("'" ~ column ~ "' stands for a column in `aggregate_by`, `arrival` or `group_by`; "
            ~ "write a plain column name (compute expressions in a staging model)") -%}
    {%- endfor -%}
    {%- if time_zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`time_zone` is '" ~ time_zone ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}

    {%- set durations = strandline._duration_range(every, faults) -%}
    {%- set outputs = strandline._outputs(select, group_by, faults) -%}
    {%- do strandline._refuse("aggregation '" ~ name ~ "'", faults) -%}

    {{- return({
        'name': name, 'source': source, 'group_by': group_by, 'aggregate_by': aggregate_by,
        'durations': durations, 'arrival': arrival, 'time_zone': time_zone, 'outputs': outputs,
        'parts': strandline._distinct_parts(outputs),
    }) -}}
{% endmacro %}

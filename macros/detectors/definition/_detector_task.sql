{#- What a detector is told, checked and as plain data. `given` holds the arguments that all detectors share, `periods` the
    lengths of time of one kind of them, by name. Adds what is wrong to `faults`. -#}
{% macro _detector_task(kind, relation, given, periods, faults) %}
    {%- set columns = strandline._bucket_columns(relation, given, faults) -%}
    {%- if not given.detector is string or not given.detector | trim -%}
        {%- do faults.append("`detector` is '" ~ given.detector ~ "'; write a name, such as 'few_flights'") -%}
    {%- endif -%}
    {%- if given.missing not in ['null', 'zero'] -%}
        {%- do faults.append("`missing` is '" ~ given.missing ~ "'; write 'null' (a missing bucket is not judged) or 'zero' (it counts as 0)") -%}
    {%- endif -%}
    {%- if given.until is not none and (given.until is not string or not given.until | trim) -%}
        {%- do faults.append("`until` is '" ~ given.until ~ "'; write a SQL expression of one TIMESTAMP, such as "
            ~ "'(select max(ts) from ' ~ ref('flights') ~ ')'") -%}
    {%- endif -%}
    {%- if given.zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`zone` is '" ~ given.zone ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}
    {%- set granularity = strandline._granularity(given.granularity, faults) -%}
    {%- set lengths = {} -%}
    {%- for name, text in periods.items() if granularity is not none -%}
        {%- do lengths.update({name: strandline._bucket_period(name, text, granularity, faults)}) -%}
    {%- endfor -%}
    {{- return({
        'who': kind ~ (' in ' ~ model.name if model is defined else ''), 'relation': relation, 'name': columns.name, 'key': columns.key,
        'ts': given.ts, 'value': given.value, 'detector': given.detector, 'granularity': granularity, 'periods': lengths,
        'zone': given.zone, 'until': given.until, 'missing': given.missing,
        'is_ordered': kind != 'threshold_detector' or given.missing == 'zero',
        'is_local': given.zone != 'UTC' and lengths.values() | selectattr('is_local') | list | length > 0,
    }) -}}
{% endmacro %}

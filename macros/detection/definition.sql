{#- The arguments of a detector, checked, as plain data. `given` are the arguments that all
    detectors share, `periods` the lengths of time of one kind of detector, by name. Appends errors
    to `faults`. -#}
{% macro _detector_task(kind, relation, given, periods, faults) %}
    {%- set columns = strandline._bucket_columns(relation, given, faults) -%}
    {%- if not given.detector is string or not given.detector | trim -%}
        {%- do faults.append("`detector` is '" ~ given.detector
            ~ "'; write a name, such as 'few_flights'") -%}
    {%- endif -%}
    {%- for name, example in {'severity': 'high',
        'description': 'fewer flights than usual'}.items() -%}
        {%- if given[name] is not none and (given[name] is not string or not given[name] | trim) -%}
            {%- do faults.append("`" ~ name ~ "` is '" ~ given[name] ~ "'; write a text, such as '"
                ~ example ~ "', or leave it out") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if given.missing not in ['null', 'zero'] -%}
        {%- do faults.append("`missing` is '" ~ given.missing
            ~ "'; write 'null' (a missing bucket is not evaluated) or 'zero' (it counts as 0)") -%}
    {%- endif -%}
    {%- if given.until is not none and (given.until is not string or not given.until | trim) -%}
        {%- do faults.append("`until` is '" ~ given.until
            ~ "'; write a SQL expression of one TIMESTAMP, such as '(select max(ts) from ' ~ "
            ~ "ref('flights') ~ ')'") -%}
    {%- endif -%}
    {%- if given.time_zone not in modules.pytz.all_timezones_set -%}
        {%- do faults.append("`time_zone` is '" ~ given.time_zone
            ~ "'; write an IANA name such as 'UTC' or 'America/New_York'") -%}
    {%- endif -%}
    {%- set granularity = strandline._granularity(given.granularity, faults) -%}
    {%- set lengths = {} -%}
    {%- for name, text in periods.items() if granularity is not none -%}
        {%- do lengths.update({name: strandline._bucket_period(name, text, granularity,
            faults)}) -%}
    {%- endfor -%}
    {{- return({
        'who': kind ~ (' in ' ~ model.name if model is defined else ''), 'source': relation,
        'name': columns.name, 'keys': columns['keys'],
        'ts': given.ts, 'value': given.value, 'detector': given.detector,
        'granularity': granularity, 'periods': lengths,
        'time_zone': given.time_zone, 'until': given.until, 'missing': given.missing,
        'arrival': strandline._bucket_arrival(relation, given.arrival),
        'severity': given.severity, 'description': given.description,
        'is_ordered': kind != 'threshold_detector' or given.missing == 'zero',
        'is_local': given.time_zone != 'UTC'
            and lengths.values() | selectattr('is_local') | list | length > 0,
    }) -}}
{% endmacro %}

{#- The column of the arrivals: the one that is given, or that of an aggregation, if the relation
    has it. None for a query, whose columns are not known. -#}
{% macro _bucket_arrival(relation, given) %}
    {%- if given is not none or not execute or relation is string or relation is none
        or relation is undefined -%}
        {{- return(given) -}}
    {%- endif -%}
    {{- return('agg_arrival' if 'agg_arrival' in strandline._types_of(relation) else none) -}}
{% endmacro %}

{#- The length of a bucket: a number of months, of days by the zone's calendar, or of microseconds.
    The units are kept separate, because none of them has a fixed length in another. -#}
{% macro _granularity(text, faults) %}
    {%- set period = strandline._period(text) -%}
    {%- set units = [] -%}
    {%- for unit in ['months', 'days', 'micros'] if period[unit] -%}
        {%- do units.append(unit) -%}
    {%- endfor -%}
    {%- if units | length != 1 -%}
        {%- do faults.append("`granularity` is '" ~ text
            ~ "'; write how long a bucket is, in units of one kind: years to months ('1 month' or "
            ~ "'P1M'), weeks and days ('1 day' or 'P1D') or hours and shorter ('15 minutes' or "
            ~ "'PT15M')") -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'text': text, 'unit': units[0], 'step': period[units[0]]}) -}}
{% endmacro %}

{#- A length of time in the units of the granularity, and whether it is counted in local time: days
    are, hours are not. Appends a fault if it is not a whole number of buckets. -#}
{% macro _bucket_period(name, text, granularity, faults) %}
    {%- set period = strandline._period(text) -%}
    {%- if granularity.unit == 'micros' -%}
        {%- set length = period.fixed or 0 -%}
    {%- else -%}
        {%- set length = 0 if period.months + period.days + period.micros
            != period[granularity.unit] else period[granularity.unit] -%}
    {%- endif -%}
    {%- if not length or length % granularity.step -%}
        {%- set kinds = {'months': "years to months, such as '1 year' or 'P1Y'",
            'days': "weeks and days, such as '7 days' or 'P7D'",
            'micros': "weeks and shorter, such as '7 days' or 'P7D'"} -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ text
            ~ "'; write a whole number of buckets of '" ~ granularity.text ~ "' in units of "
            ~ kinds[granularity.unit]) -%}
        {{- return({'length': 0, 'is_local': false}) -}}
    {%- endif -%}
    {{- return({'length': length, 'is_local': granularity.unit == 'micros' and period.days > 0}) -}}
{% endmacro %}

{#- The key columns in lower case and the relation's name for messages. The columns of a relation
    are checked; a query in parentheses is left to Spark. -#}
{% macro _bucket_columns(relation, given, faults) %}
    {%- set is_query = relation is string and (relation | trim).startswith('(') -%}
    {%- if relation is undefined or relation is none or (relation is string and not is_query) -%}
        {%- do faults.append("`source` is '" ~ relation ~ "'; write ref('"
            ~ (relation or 'flight_days') ~ "'), source(...) or a query in parentheses, such as "
            ~ "strandline.aggregation_within(...) gives") -%}
    {%- endif -%}
    {%- set is_list = given['keys'] is sequence and given['keys'] is not string
        and given['keys'] is not mapping -%}
    {%- if not is_list -%}
        {%- do faults.append("`keys` is '" ~ given['keys']
            ~ "'; list the columns that identify a series, such as ['carrier'], or [] for one "
            ~ "series") -%}
    {%- endif -%}
    {%- set key = given['keys'] | map('string') | map('lower') | list if is_list else [] -%}
    {%- if key | unique | list | length < key | length -%}
        {%- do faults.append("`keys` names a column twice: "
            ~ strandline._choices(given['keys'])) -%}
    {%- endif -%}
    {%- for name in key if name in strandline._detection_columns()
        + ['lower_bound', 'upper_bound'] -%}
        {%- do faults.append("`keys` has the column '" ~ name
            ~ "', which is also a column of the result; rename it in a staging model") -%}
    {%- endfor -%}
    {%- set named = [['ts', given.ts], ['value', given.value]] -%}
    {%- if given.arrival is not none -%}
        {%- do named.append(['arrival', given.arrival]) -%}
    {%- endif -%}
    {%- for name in key -%}{%- do named.append(['keys', name]) -%}{%- endfor -%}
    {%- for argument, name in named
        if name is not string or not name | trim or name.startswith('__') -%}
        {%- do faults.append("`" ~ argument ~ "` has '" ~ name
            ~ "'; write the name of a column that does not begin with __ (compute "
            ~ "expressions in a staging model)") -%}
    {%- endfor -%}
    {%- if execute and not faults and not is_query -%}
        {%- do strandline._check_buckets(relation, named, faults) -%}
    {%- endif -%}
    {{- return({'keys': key, 'name': 'the query' if is_query else relation.identifier}) -}}
{% endmacro %}

{#- Appends faults for columns that the relation does not have, and for types that do not fit. A
    relation that does not exist yet is not checked. -#}
{% macro _check_buckets(relation, named, faults) %}
    {%- set types = strandline._types_of(relation) -%}
    {%- for argument, column in named if types -%}
        {%- set type = types.get(column | lower) -%}
        {%- if type is none -%}
            {%- do faults.append(strandline._no_column(argument, column, relation, types)) -%}
        {%- elif argument == 'ts' and type != 'timestamp' -%}
            {%- do faults.append("`ts` names " ~ column ~ " of " ~ relation.identifier
                ~ ", which is " ~ type ~ "; take a TIMESTAMP, the instant at which a bucket "
                ~ "begins, such as agg_timestamp of an aggregation") -%}
        {%- elif argument == 'value' and not modules.re.match(
            '(tinyint|smallint|int|bigint|float|double|decimal)\\b', type) -%}
            {%- do faults.append("`value` names " ~ column ~ " of " ~ relation.identifier
                ~ ", which is " ~ type ~ "; take a number") -%}
        {%- elif argument == 'keys' and 'map<' in type -%}
            {%- do faults.append("`keys` names " ~ column ~ " of " ~ relation.identifier
                ~ ", which is " ~ type
                ~ "; Spark does not compare maps: make it an array, a struct or a text") -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- Appends a fault if the pattern is unknown. -#}
{% macro _check_pattern(pattern, faults) %}
    {%- if pattern not in ['up', 'down', 'up_or_down'] -%}
        {%- do faults.append("`pattern` is '" ~ pattern
            ~ "'; write one of up, down, up_or_down") -%}
    {%- endif -%}
{% endmacro %}

{#- A number as an SQL literal of a double. Appends a fault if it is not a number or out of
    bounds. -#}
{% macro _detector_number(name, value, lowest, highest, what, faults) %}
    {%- if value is not number or value is boolean or not lowest <= value <= highest -%}
        {%- do faults.append("`" ~ name ~ "` is '" ~ value ~ "'; write " ~ what) -%}
    {%- endif -%}
    {{- return(value ~ 'D') -}}
{% endmacro %}

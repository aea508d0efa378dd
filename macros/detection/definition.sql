{#- The arguments of a detector, for `_arguments`: those that all detectors have, and the `own` ones
    of one kind, which stand where the signatures have them. -#}
{% macro _detector_arguments(given, own) %}
    {%- set text = {'optional': true} -%}
    {%- set reserved = {'names': strandline._detection_columns() + ['lower_bound', 'upper_bound'],
        'why': 'which is also a column of the result'} -%}
    {{- return(dict({
        'source': ['relation', given.source, "write ref(…), source(...) or a query in "
            ~ "parentheses, such as strandline.aggregation_within(...) gives", {'query': true}],
        'ts': ['column', given.ts, "name the column of the bucket's start",
            {'type': 'timestamp', 'take': 'take a TIMESTAMP, the instant at which a bucket begins, '
                ~ 'such as agg_timestamp of an aggregation'}],
        'value': ['column', given.value, "name the column to evaluate", {'type': 'number'}],
        'granularity': ['any', given.granularity,
            "write the length of a bucket, such as 'PT1H'"],
        'keys': ['columns', given['keys'], "list the columns that identify a series, such as "
            ~ "['carrier'], or [] for one series", {'type': 'comparable', 'reserved': reserved}],
        'detector': ['text', given.detector, "write a name, such as 'few_flights'"],
        'missing': ['choice', given.missing, "write 'null' (a missing bucket is not evaluated) or "
            ~ "'zero' (it counts as 0)", {'of': ['null', 'zero']}],
        'until': ['text', given.until, "write a SQL expression of one TIMESTAMP, such as '(select "
            ~ "max(ts) from ' ~ ref('flights') ~ ')'", text],
        'time_zone': ['zone', given.time_zone],
        'arrival': ['column', given.arrival, none, {'optional': true}],
        'severity': ['text', given.severity, "write a text, such as 'high', or leave it out", text],
        'description': ['text', given.description,
            "write a text, such as 'fewer flights than usual', or leave it out", text],
    }, **own)) -}}
{% endmacro %}

{#- The argument `pattern` of a detector of both sides, for `_arguments`. -#}
{% macro _pattern_argument(pattern) %}
    {{- return(['choice', pattern, 'write one of up, down, up_or_down',
        {'of': ['up', 'down', 'up_or_down']}]) -}}
{% endmacro %}

{#- What was read of the arguments of a detector, as plain data. `periods` are the lengths of time
    of one kind of detector, by name. Appends faults. -#}
{% macro _detector_task(kind, read, periods) %}
    {%- set granularity = strandline._granularity(read.granularity, read.faults) -%}
    {%- set lengths = {} -%}
    {%- for name, text in periods.items() -%}
        {%- do lengths.update({name: strandline._bucket_period(name, text, granularity,
            read.faults)}) -%}
    {%- endfor -%}
    {{- return({
        'who': read.who, 'source': read.source,
        'name': 'the query' if read.source is string else read.source.identifier,
        'keys': read['keys'] | map('lower') | list,
        'ts': read.ts, 'value': read.value, 'detector': read.detector,
        'granularity': granularity, 'periods': lengths,
        'time_zone': read.time_zone, 'until': read.until, 'missing': read.missing,
        'arrival': 'agg_arrival' if read.arrival is none and 'agg_arrival' in read.types.source
            else read.arrival,
        'severity': read.severity, 'description': read.description,
        'is_ordered': kind != 'threshold_detector' or read.missing == 'zero',
        'is_local': read.time_zone != 'UTC'
            and lengths.values() | selectattr('is_local') | list | length > 0,
    }) -}}
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
    {%- if granularity is none -%}{{- return({'length': 0, 'is_local': false}) -}}{%- endif -%}
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

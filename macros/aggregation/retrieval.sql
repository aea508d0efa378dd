{#- The rows of an aggregation in a range of time, computed from the stored parts. See
    _macros.yml. -#}
{% macro aggregation_within(definition, within, per, on=none) %}
    {%- do strandline._check_definition(definition, 'aggregation_within') -%}
    {%- set read = strandline._arguments("aggregation_within of '" ~ definition.name ~ "'", kwargs,
        varargs, {
        'definition': ['any', definition],
        'within': ['any', within, strandline._within_form()],
        'per': ['any', per, strandline._duration_form(definition)],
        'on': ['expression', on or none, "write one SQL condition over the group columns, such as "
            ~ "\"symbol = 'IBM'\", or leave it out", {'optional': true}],
    }) -%}
    {%- set duration = strandline._defined_duration(definition, per, read.who) -%}
    {%- set bounds = strandline._within_bounds(within, read.who) -%}
    {%- if on and not read.faults -%}
        {%- do strandline._check_on(on, definition, read.faults) -%}
    {%- endif -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set conditions = [
        'agg_timestamp >= timestamp_millis(' ~ bounds[0] ~ ')',
        'agg_timestamp < timestamp_millis(' ~ bounds[1] ~ ')',
    ] + (['(' ~ on ~ ')'] if on else []) -%}
(
    {{ strandline._retrieved_rows(definition, duration.name, conditions) }}
)
{%- endmacro %}

{#- Appends a fault for each plain name in a condition that is not a stored column, if it is an
    output or similar to a column. Other names, as in a sub-query or a lambda, are left to
    Spark. -#}
{% macro _check_on(on, definition, faults) %}
    {%- set plain = strandline._without_quotes(modules.re.sub('`[^`]*`', ' ', on | string)) -%}
    {%- if '\\' in on or modules.re.search('(?i)\\bselect\\b|->|:|--|/\\*', plain) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set outputs = definition.outputs | map(attribute='name') | map('lower') | list -%}
    {%- set columns = ['agg_timestamp', 'agg_timezone'] + definition['keys'] -%}
    {%- set stored = columns + ['agg_arrival', 'agg_partition']
        + definition.parts | map(attribute='column') | list -%}
    {%- set known = stored | map('lower') | list + strandline._words_of_conditions() -%}
    {%- set names = modules.re.findall('(?<![\\w.])([A-Za-z_]\\w*)(?!\\w|\\s*[.(])', plain) -%}
    {%- for name in names | unique -%}
        {%- if name | lower not in known -%}
            {%- if name | lower in outputs -%}
                {%- do faults.append("`on` names '" ~ name
                    ~ "', an output, which is computed from the rows that `on` selects; "
                    ~ "put the condition into the surrounding query") -%}
            {%- elif strandline._nearest_name(name | lower, columns, name | length // 3) -%}
                {%- do faults.append("`on` names '" ~ name ~ "', which is no column of "
                    ~ definition.name ~ "; it has "
                    ~ strandline._choices(columns) ~ strandline._nearest(name, columns)) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- SQL words that can be part of a condition and are not columns. -#}
{% macro _words_of_conditions() %}
    {%- set words = 'all and any array as asc at between bigint binary boolean both case cast char '
        ~ 'collate current_date current_time current_timestamp current_timezone current_user date '
        ~ 'day days dec decimal desc distinct div double else end escape exists false first float '
        ~ 'for from hour hours ilike in int integer interval is last leading like localtimestamp '
        ~ 'long map microsecond microseconds millisecond milliseconds minute minutes month months '
        ~ 'not null nulls numeric of or order over overlaps partition quarter quarters real regexp '
        ~ 'rlike second seconds session_user short similar smallint some string struct substring '
        ~ 'then time timestamp timestamp_ltz timestamp_ntz tinyint to trailing trim true user '
        ~ 'using varchar week weeks when where with within xor year years zone' -%}
    {{- return(words.split(' ')) -}}
{% endmacro %}

{#- The rows of one table of an aggregation with the outputs computed from their parts. The table is
    wrapped in a sub-query, because dbt gives it its own alias under `--empty` and `--sample`. -#}
{% macro _retrieved_rows(definition, duration, conditions) -%}
{%- set known = strandline._stored_aggregates() -%}
select
        agg_timestamp,
        agg_timezone
        {%- for key in definition['keys'] %},
        {{ strandline._quoted(key) }}
        {%- endfor %}
        {%- for output in definition.outputs %},
        {{ strandline._read_output(output,
            duration == definition.durations[0], known) }} as {{ output.name }}
        {%- endfor %}
    from (select * from {{ ref(definition.name ~ '_' ~ duration) }}) as __stored
    {%- for condition in conditions %}
    {{ 'where' if loop.first else '    and' }} {{ condition }}
    {%- endfor %}
{%- endmacro %}

{#- Adds a fault for each plain name in a condition that is no column of the stored rows, and is an
    output, or a column spelt nearly so. What else a name may be, as in a sub-query or a lambda, is
    left to Spark. -#}
{% macro _check_on(on, definition, faults) %}
    {%- set plain = modules.re.sub('`[^`]*`', ' ', strandline._without_quotes(on | string)) -%}
    {%- if '\\' in on or modules.re.search('(?i)\\bselect\\b|->|:|--|/\\*', plain) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set outputs = definition.outputs | map(attribute='name') | map('lower') | list -%}
    {%- set columns = ['agg_timestamp', 'agg_timezone'] + definition.group_by -%}
    {%- set stored = columns + ['agg_arrival', 'agg_partition']
        + definition.parts | map(attribute='column') | list -%}
    {%- set known = stored | map('lower') | list + strandline._words_of_conditions() -%}
    {%- set names = modules.re.findall('(?<![\\w.])([A-Za-z_]\\w*)(?!\\w|\\s*[.(])', plain) -%}
    {%- for name in names | unique -%}
        {%- if name | lower not in known -%}
            {%- if name | lower in outputs -%}
                {%- do faults.append("`on` names '" ~ name
                    ~ "', an output, and outputs are computed from the rows that `on` chooses; "
                    ~ "put the condition into the query around") -%}
            {%- elif strandline._nearest(name, columns) -%}
                {%- do faults.append("`on` names '" ~ name ~ "', which is no column of "
                    ~ definition.name ~ "; it has "
                    ~ strandline._choices(columns) ~ strandline._nearest(name, columns)) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- Words of SQL that may stand in a condition and are no columns. -#}
{% macro _words_of_conditions() %}
    {%- set words = 'all and any array as asc at between bigint binary boolean both case cast char'
        ~ ' collate current_date current_time current_timestamp current_timezone current_user date day'
        ~ ' days dec decimal desc distinct div double else end escape exists false first float for'
        ~ ' from hour hours ilike in int integer interval is last leading like localtimestamp long'
        ~ ' map microsecond microseconds millisecond milliseconds minute minutes month months not'
        ~ ' null nulls numeric of or order over overlaps partition quarter quarters real regexp'
        ~ ' rlike second seconds session_user short similar smallint some string struct substring'
        ~ ' then time timestamp timestamp_ltz timestamp_ntz tinyint to trailing trim true user'
        ~ ' using varchar week weeks when where with within xor year years zone' -%}
    {{- return(words.split(' ')) -}}
{% endmacro %}

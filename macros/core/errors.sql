{#- Raises all faults of a definition in one error: first the caller, then one line for each fault.
    Does nothing without faults, so that a check ends in one call. -#}
{% macro _refuse(who, faults) %}
    {%- if faults -%}
        {%- do exceptions.raise_compiler_error(who ~ ":\n  - "
            ~ faults | unique(true) | join("\n  - ")) -%}
    {%- endif -%}
{% endmacro %}

{#- A list of names for a message: `a, b, c`. -#}
{% macro _choices(names) %}
    {{- return(names | map('string') | join(', ')) -}}
{% endmacro %}

{#- The fault for an argument that names a column which the relation does not have, with the nearest
    existing name. -#}
{% macro _no_column(argument, column, relation, columns) %}
    {{- return("`" ~ argument ~ "` names the column '" ~ column ~ "', which " ~ relation.identifier
        ~ " does not have; it has "
        ~ strandline._choices(columns) ~ strandline._nearest(column, columns)) -}}
{% endmacro %}

{#- Words of other systems, and the names that they have here: the first one that is known where
    the word is used is the hint. `python -m scripts.generated` copies them for Python. -#}
{% macro _synonyms() %}
    {{- return({
        'group_by': ['keys'], 'groupby': ['keys'], 'partition_by': ['keys'],
        'partitionby': ['keys'], 'dimensions': ['keys'], 'dimension': ['keys'],
        'by': ['keys'], 'key_column': ['keys'], 'keycolumn': ['keys'], 'unique_key': ['keys'],
        'timestamp': ['ts'], 'time': ['ts'], 'event_time': ['ts'], 'time_column': ['ts'],
        'timecolumn': ['ts'], 'timestamp_column': ['ts'], 'datetime': ['ts'],
        'timezone': ['time_zone'], 'tz': ['time_zone'], 'zone': ['time_zone'],
        'from': ['source'], 'table': ['source'], 'relation': ['source'], 'model': ['source'],
        'input': ['source'], 'stream': ['source'], 'data': ['source'],
        'order_by': ['arrival'], 'sequence': ['arrival'], 'offset': ['arrival'],
        'aggregate': ['every', 'aggregates'], 'durations': ['every'],
        'interval': ['every', 'bucket', 'granularity', 'length'],
        'bucket_size': ['bucket'], 'window': ['store', 'window_size', 'bucket'],
        'windowsize': ['window_size'], 'measures': ['select', 'aggregates'],
        'metric': ['value', 'metrics'], 'column': ['value'], 'measure': ['value'],
        'maximum': ['max'], 'minimum': ['min'], 'above': ['max'], 'below': ['min'],
        'filter': ['where', 'on'], 'condition': ['where', 'on'], 'having': ['where'],
        'geomean': ['geometric_mean'], 'geometricmean': ['geometric_mean'],
        'mean': ['avg'], 'average': ['avg'],
        'std': ['stddev'], 'stdev': ['stddev'], 'stddev_samp': ['stddev'],
        'standard_deviation': ['stddev'], 'var': ['variance'], 'var_samp': ['variance'],
        'stddevpop': ['stddev_pop'], 'varpop': ['var_pop'],
        'kurt': ['kurtosis'], 'skew': ['skewness'], 'sum_of_squares': ['sumsq'],
        'count_distinct': ['distinctCount'], 'distinct': ['distinctCount'],
        'percentile': ['quantile', 'median'], 'percentile_approx': ['quantile'],
    }) -}}
{% endmacro %}

{#- The hint after an unknown name: its synonym here; else the nearest known name, with at most a
    third of the letters wrong; else what a synonym means that has one letter wrong.
    strandline.detection.errors.nearest is the same rule in Python. -#}
{% macro _nearest(name, known, quote="'") %}
    {%- set synonyms = {} -%}
    {%- for word, names in strandline._synonyms().items() -%}
        {%- for synonym in names | select('in', known) | list -%}
            {%- if loop.first -%}{%- do synonyms.update({word: synonym}) -%}{%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set wanted = name | string | lower -%}
    {%- set most = wanted | length // 3 -%}
    {%- set found = synonyms.get(wanted) or strandline._nearest_name(wanted, known, most)
        or synonyms.get(strandline._nearest_name(wanted, synonyms, [most, 1] | min)) -%}
    {{- return('' if not found else "; did you mean " ~ quote ~ found ~ quote ~ "?") -}}
{% endmacro %}

{#- The known name with the smallest edit distance to a name in lower case, none above `most`; of
    several the first. An edit is a letter inserted, deleted or replaced, or two letters swapped.
    The same rule in Python is strandline.errors.nearest_name. -#}
{% macro _nearest_name(wanted, known, most) %}
    {%- set near = namespace(name=none, changes=most + 1) -%}
    {%- for candidate in known -%}
        {%- set other = candidate | lower -%}
        {%- set rows = namespace(before=[], last=range(other | length + 1) | list) -%}
        {%- for letter in wanted -%}
            {%- set row, i = [loop.index], loop.index0 -%}
            {%- for against in other -%}
                {%- set j = loop.index0 -%}
                {%- set changed = rows.last[j] + (0 if letter == against else 1) -%}
                {%- set costs = [row[-1] + 1, rows.last[j + 1] + 1, changed] -%}
                {%- if i and j and letter == other[j - 1] and wanted[i - 1] == against -%}
                    {%- do costs.append(rows.before[j - 1] + 1) -%}
                {%- endif -%}
                {%- do row.append(costs | min) -%}
            {%- endfor -%}
            {%- set rows.before, rows.last = rows.last, row -%}
        {%- endfor -%}
        {%- if rows.last[-1] < near.changes -%}
            {%- set near.name, near.changes = candidate, rows.last[-1] -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(near.name) -}}
{% endmacro %}

{#- A known name as it is written there, whatever the case of the given one; else the given one. -#}
{% macro _known_name(name, known) %}
    {%- for candidate in known if candidate | lower == name | string | lower -%}
        {{- return(candidate) -}}
    {%- endfor -%}
    {{- return(name) -}}
{% endmacro %}

{#- Whether a value is a plain SQL name: a letter or underscore, then letters, digits,
    underscores. -#}
{% macro _is_identifier(value) %}
    {{- return(value is string
        and modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', value) is not none) -}}
{% endmacro %}

{#- Whether a value can be the name of a user's column, between backticks: no control characters, no
    `${`, which Spark substitutes there, too, and not the prefix of internal names. -#}
{% macro _is_column_name(value) %}
    {{- return(value is string and value | trim != '' and not value.startswith('__')
        and modules.re.search('[\\x00-\\x1f\\x7f\\u0085\\u2028\\u2029]|\\$[{]', value) is none) -}}
{% endmacro %}

{#- What `_is_column_name` allows, as the end of a message on a text that is not one. -#}
{% macro _column_name_rule(given='a name') %}
    {{- return('; a name has no line break and no ${, and does not begin with __'
        if given is string and given | trim else '') -}}
{% endmacro %}

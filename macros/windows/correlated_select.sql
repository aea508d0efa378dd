{#- Reads `select`: a list of names, their expressions, and the columns of streams in them. -#}
{% macro _read_correlated(select, aliases, faults) %}
    {%- set read = [] -%}
    {%- if select is not mapping or not select -%}
        {%- do faults.append("`select` is '" ~ select ~ "'; write a mapping of names to SQL "
            ~ "expressions over alias.column and the names before, such as {'stage_1_id': "
            ~ "'one.event_id'}") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set taken = aliases + strandline._window_columns() + strandline._correlation_columns() -%}
    {%- for name, sql in select.items() -%}
        {%- if not strandline._is_column_name(name) or name | lower in taken -%}
            {%- do faults.append("`select` has the name '" ~ name ~ "'; write a column name that "
                ~ "is no alias of `streams` and no column of every window, has no line break and "
                ~ "no ${, and does not begin with two underscores") -%}
        {%- endif -%}
        {%- if sql is not string or not sql | trim -%}
            {%- do faults.append("`select` has " ~ name ~ " = '" ~ sql
                ~ "'; write an SQL expression, such as 'one.event_id'") -%}
        {%- else -%}
            {%- set known = read | map(attribute='name') | list -%}
            {%- do read.append({'name': name | string | lower, 'sql': sql | trim,
                'reads': strandline._stream_columns(sql, aliases, known, name, faults)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of streams in an expression of `select`, as [alias, column]. -#}
{% macro _stream_columns(sql, aliases, names, output, faults) %}
    {%- set reads = [] -%}
    {%- for alias, column in strandline._qualified_names(sql) -%}
        {%- if alias in aliases -%}
            {%- do reads.append([alias, column]) -%}
        {%- elif aliases and alias not in names + ['entered', 'correlation_id']
            and not strandline._has_query(sql) -%}
            {%- do faults.append("`select` has " ~ output ~ " = '" ~ sql ~ "', and `streams` has "
                ~ "no alias '" ~ alias ~ "'; it has " ~ strandline._choices(aliases)
                ~ strandline._nearest(alias, aliases)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(reads) -}}
{% endmacro %}

{#- Checks `where`: a condition over the names of `select`, in which no stream can be read. -#}
{% macro _check_correlated_where(where, select, aliases, faults) %}
    {%- set names = select | map(attribute='name') | list -%}
    {%- set pairs = [] if strandline._has_query(where) else strandline._qualified_names(where) -%}
    {%- for qualifier, column in pairs -%}
        {%- if qualifier in aliases -%}
            {%- do faults.append("`where` has '" ~ where ~ "', which reads " ~ qualifier ~ "."
                ~ column ~ "; it is a condition over the names of `select`: add '" ~ qualifier
                ~ '_' ~ column ~ "': '" ~ qualifier ~ '.' ~ column ~ "' to `select`, and write "
                ~ qualifier ~ '_' ~ column) -%}
        {%- elif names and qualifier not in names + ['entered', 'correlation_id'] -%}
            {%- do faults.append("`where` has '" ~ where ~ "', which reads " ~ qualifier ~ "."
                ~ column ~ ", and `select` has no name '" ~ qualifier ~ "'; it has "
                ~ strandline._choices(names) ~ strandline._nearest(qualifier, names)) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{#- Whether an SQL text has a query in it, whose tables have names that are not checked. -#}
{% macro _has_query(sql) %}
    {{- return(modules.re.search('(?i)\\(\\s*select\\b', sql) is not none) -}}
{% endmacro %}

{#- The pairs `name.name` in an SQL text, in lower case, without backticks. Texts in quotes and
    comments are not read; nor are the parameters of lambda functions, and names of functions. -#}
{% macro _qualified_names(sql) %}
    {%- set read = modules.re.sub(
        '(?s)\'(?:\\\\.|[^\'\\\\])*\'|"(?:\\\\.|[^"\\\\])*"|--[^\\n]*|/\\*.*?\\*/', "''", sql)
        -%}
    {%- set parameters = [] -%}
    {%- for list, one in modules.re.findall('\\(([\\w\\s,]+)\\)\\s*->|(\\w+)\\s*->', read) -%}
        {%- for name in (list or one).split(',') -%}
            {%- do parameters.append(name | trim | lower) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set name = '([^\\W\\d]\\w*|`(?:[^`]|``)+`)' -%}
    {%- set pairs = [] -%}
    {%- for qualifier, column in modules.re.findall(
        '(?<![\\w.`])' ~ name ~ '\\s*\\.\\s*' ~ name ~ '(?!\\w)(?!\\s*\\()', read) -%}
        {%- set pair = [] -%}
        {%- for text in [qualifier, column] -%}
            {%- do pair.append((text[1:-1].replace('``', '`') if text.startswith('`') else text)
                | lower) -%}
        {%- endfor -%}
        {%- if pair[0] not in parameters -%}{%- do pairs.append(pair) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(pairs) -}}
{% endmacro %}

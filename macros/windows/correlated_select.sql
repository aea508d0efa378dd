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
        {%- if not strandline._is_identifier(name) or name | lower in taken -%}
            {%- do faults.append("`select` has the name '" ~ name ~ "'; write a plain column name "
                ~ "that is no alias of `streams` and no column of every window") -%}
        {%- endif -%}
        {%- if sql is not string or not sql | trim -%}
            {%- do faults.append("`select` has " ~ name ~ " = '" ~ sql
                ~ "'; write an SQL expression, such as 'one.event_id'") -%}
        {%- else -%}
            {%- do read.append({'name': name | lower, 'sql': sql | trim,
                'reads': strandline._stream_columns(sql, aliases, name, faults)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The columns of streams in an expression, as [alias, column]. Text in quotes is not read. -#}
{% macro _stream_columns(sql, aliases, name, faults) %}
    {%- set reads = [] -%}
    {%- set form = '(?<![\\w.])([A-Za-z_]\\w*)\\s*\\.\\s*([A-Za-z_]\\w*)' -%}
    {%- for alias, column in modules.re.findall(form,
        modules.re.sub("'[^']*'", "''", sql)) -%}
        {%- if alias | lower in aliases -%}
            {%- do reads.append([alias | lower, column | lower]) -%}
        {%- elif aliases and alias | lower != 'entered' -%}
            {%- do faults.append("`select` has " ~ name ~ " = '" ~ sql ~ "', and `streams` has no "
                ~ "alias '" ~ alias ~ "'; it has " ~ strandline._choices(aliases)
                ~ strandline._nearest(alias, aliases)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(reads) -}}
{% endmacro %}

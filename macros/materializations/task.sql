{#- The first line of the body of an incremental model: the task of its materialization, as JSON. It
    is an SQL comment. Spark substitutes `${…}` in comments too, so it is escaped. -#}
{% macro _task_line(task) %}
    {{- return('-- strandline: ' ~ tojson(task).replace('${', '\\u0024{')) -}}
{% endmacro %}

{#- The format of a table, for its `config`: delta, or what the files of the project set for the
    model, so that the run can refuse it (`_check_file_format`). They are seen while dbt parses: a
    `config` of a model hides them. -#}
{% macro _file_format() %}
    {%- set set_by_project = (model.config | default({})) if model is defined else {} -%}
    {{- return(set_by_project.get('file_format') or 'delta') -}}
{% endmacro %}

{#- Reads the task from the first line of the compiled body. -#}
{% macro _read_task(compiled) %}
    {%- set line = (compiled | trim).split('\n')[0] -%}
    {%- if not line.startswith('-- strandline: ') -%}
        {%- do strandline._refuse(config.get('materialized') ~ ' in ' ~ model.name,
            ["the model's body must be one call, such as {{ "
            ~ "strandline.aggregation_table(my_aggregation(), 'seconds') }}, and "
            ~ "nothing before it"]) -%}
    {%- endif -%}
    {{- return(fromjson(line[15:])) -}}
{% endmacro %}

{#- Into how many tasks a first build spreads each partition of its table, so that none reads much
    more than a gigabyte, as stored. 1 in a data test, and for a table that is there: its runs read
    less. -#}
{% macro _splits(source) %}
    {%- if model.resource_type != 'model'
        or load_cached_relation(this) is not none and not should_full_refresh() -%}
        {{- return(1) -}}
    {%- endif -%}
    {%- set plan = run_query('explain cost select * from ' ~ source).rows[0][0] -%}
    {%- set units = {'B': 1, 'KiB': 2 ** 10, 'MiB': 2 ** 20, 'GiB': 2 ** 30, 'TiB': 2 ** 40,
        'PiB': 2 ** 50, 'EiB': 2 ** 60} -%}
    {%- set sizes = [] -%}
    {#- Those of the tables: Spark estimates what a join gives far too high. -#}
    {%- for number, unit in modules.re.findall(
        '\\bRelation [^\\n]*sizeInBytes=([0-9.]+) ([KMGTPE]?i?B)', plan) -%}
        {%- do sizes.append((number | float) * units[unit]) -%}
    {%- endfor -%}
    {{- return([[(sizes | sum / 2 ** 30) | round(0, 'ceil') | int, 1] | max, 256] | min) -}}
{% endmacro %}

{#- By what a first build distributes its rows: by partition, so that a file is written once, and in
    large partitions by the hash of the group, too. The group has the same expressions, so nothing
    is distributed twice. -#}
{% macro _spread(partition, group, splits) %}
    {%- set split = [] if splits == 1
        else ['pmod(xxhash64(' ~ group | join(', ') ~ '), ' ~ splits ~ ')'] -%}
    {{- return([partition] + split) -}}
{% endmacro %}

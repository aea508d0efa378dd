{#- The arguments of a public macro, declared as data, read and checked in one place.

    `declared` is {name: [kind, value, advice, options]}: what an argument may be, what was given,
    and what to write, which ends every message about it. An argument without a value is missing: a
    signature gives all others a default. Unknown, missing and positional arguments are raised at
    once, because nothing else can be read then.

    Returns {who, faults, types, <name>: what was read}. `types` has the columns of each relation by
    the name of its argument (a list of them for `relations`); there are none while dbt parses, for
    a query, and for a relation that does not exist yet. A macro appends what only it can find to
    `faults`, and raises them with `_refuse`.

    kind        value                         read as        options
    relation    ref(…) or source(…)           given          query: or a query in parentheses;
                                                             has: a column that it must have;
                                                             unread: its columns are not read
    relations   one of them or a list         list           empty: none are allowed
    name        letters, digits, underscores  given
    column      the name of a column          given          of, type
    columns     a list of them                list           of, type, reserved, some
    length      a length of time, above zero  microseconds   zero: may be zero; step: a multiple
                                                             of so many microseconds
    zone        an IANA name                  given
    flag        true or false                 given
    text        a text that is not empty      given
    choice      one of `of`                   given          of; lower: in any case, read in lower
    number      of a range                    given          from, to
    count       a whole number of a range     given          from, to
    expression  SQL with closed parentheses   given
    any         what the macro reads itself   given

    With the option `optional` an argument may be none. `of` names the argument whose relation has
    the column (default: source), or is a list of such names; `type` is a row of `_column_types`.
    `usual` is a column that a relation may lack. `reserved` are the {names, prefix, why} that a
    column may not have, and `some` refuses an empty list. -#}
{% macro _arguments(who, unknown, surplus, declared) %}
    {%- do strandline._check_call(who, unknown, surplus, declared) -%}
    {%- set read = {'who': who, 'faults': [], 'types': {}} -%}
    {%- for name, argument in declared.items() -%}
        {%- set options = strandline._argument_options(argument) -%}
        {%- do read.update({name: strandline._argument(name, argument, read.faults)}) -%}
        {%- if argument[0] in ['relation', 'relations'] -%}
            {%- do read.types.update({name: {} if options.get('unread')
                else strandline._argument_types(read[name])}) -%}
        {%- endif -%}
        {%- if 'has' in options and read.types.get(name) and options.has not in read.types[name] -%}
            {%- do read.faults.append("`" ~ name ~ "` is " ~ read[name].identifier
                ~ ", which has no column " ~ options.has ~ "; "
                ~ strandline._advice(argument)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name, argument in declared.items() if argument[0] in ['column', 'columns'] -%}
        {%- do strandline._check_column_types(read, name, argument, declared) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- The name of a macro, of what it is given, and of the model that calls it, for messages. -#}
{% macro _caller(macro, of=none) %}
    {{- return(macro ~ (' of ' ~ of if of is string else '')
        ~ (' in ' ~ model.name if model is defined and model.name is defined else '')) -}}
{% endmacro %}

{#- Raises the faults of a call that leave nothing to read. A macro that uses `kwargs` and `varargs`
    accepts any argument and passes these two here; Jinja's own TypeError does not name the
    macro. -#}
{% macro _check_call(who, unknown, surplus, declared) %}
    {%- set faults, known = [], declared | list -%}
    {%- for name in unknown -%}
        {%- do faults.append("there is no argument `" ~ name ~ "`"
            ~ strandline._nearest(name, known, '`')) -%}
    {%- endfor -%}
    {%- for value in surplus -%}
        {%- do faults.append("'" ~ value
            ~ "' is one positional argument too many; name each argument, such as "
            ~ known[0] ~ "=…") -%}
    {%- endfor -%}
    {%- for name, argument in declared.items() if argument[1] is not defined -%}
        {%- do faults.append(strandline._undefined(name, argument[1]) ~ "; "
            ~ strandline._advice(argument)) -%}
    {%- endfor -%}
    {%- if unknown -%}
        {%- do faults.append("its arguments are " ~ strandline._choices(known)) -%}
    {%- endif -%}
    {%- do strandline._refuse(who, faults) -%}
{% endmacro %}

{#- What is wrong with an undefined argument: it is missing, or it is a name of something that does
    not exist. dbt gives an undefined value the name that was written. That of a macro that is
    called is lost to templates, because Jinja looks for an attribute of it before the call; an
    operation on it raises dbt's own error, which has the name. -#}
{% macro _undefined(argument, value) %}
    {%- if value.name == 'jinja_pass_arg' -%}{%- do value + 1 -%}{%- endif -%}
    {%- if value.name in [none, argument] -%}
        {{- return("`" ~ argument ~ "` is missing or undefined") -}}
    {%- endif -%}
    {{- return("`" ~ argument ~ "` is '" ~ value.name ~ "', which is not defined: there is no "
        ~ "macro and no variable of this name") -}}
{% endmacro %}

{#- What was given, as a message begins. -#}
{% macro _given(name, value) %}
    {{- return("`" ~ name ~ "` is " ~ ('none' if value is none else "'" ~ value ~ "'")) -}}
{% endmacro %}

{#- What to write for an argument: its own words, or those of its kind. -#}
{% macro _advice(argument) %}
    {{- return(argument[2] if argument | length > 2 and argument[2] else {
        'relation': "pass a relation: ref(…) or source(…)",
        'column': "write the name of a column (compute expressions in a staging model)",
        'zone': "write an IANA name such as 'UTC' or 'America/New_York'",
        'flag': 'write true or false',
        'length': "write a length of time such as '2 days' or 'PT15M' (months and years have no "
            ~ "fixed length)",
    }.get(argument[0], '')) -}}
{% endmacro %}

{#- The options of a declared argument. -#}
{% macro _argument_options(argument) %}
    {{- return(argument[3] if argument | length > 3 else {}) -}}
{% endmacro %}

{#- One declared argument as the macro uses it; appends a fault to `faults` if it is not of its
    kind. -#}
{% macro _argument(name, argument, faults) %}
    {%- set kind, value = argument[0], argument[1] -%}
    {%- set options = strandline._argument_options(argument) -%}
    {%- if value is none and options.get('optional') -%}{{- return(none) -}}{%- endif -%}
    {%- if kind in ['columns', 'relations'] -%}
        {{- return(strandline._argument_list(name, argument, faults)) -}}
    {%- endif -%}
    {%- set is_text = value is string and value | trim != '' -%}
    {%- set is_number = value is number and value is not boolean -%}
    {%- set rule, read = '', value -%}
    {%- if kind == 'relation' -%}
        {%- set fits = strandline._is_relation(value, options.get('query')) -%}
    {%- elif kind == 'column' -%}
        {%- set fits = strandline._is_column_name(value) -%}
        {%- set rule = strandline._column_name_rule(value) -%}
    {%- elif kind == 'length' -%}
        {%- set read = strandline._period(value).fixed -%}
        {%- set fits = read is not none and (read > 0 or options.get('zero', false))
            and read % options.get('step', 1) == 0 -%}
    {%- elif kind == 'choice' -%}
        {%- set read = value | lower if options.get('lower') and value is string else value -%}
        {%- set fits = read in options.of | list -%}
    {%- elif kind in ['number', 'count'] -%}
        {%- set fits = is_number and (kind == 'number' or value is integer)
            and options.get('from', value) <= value <= options.get('to', value) -%}
    {%- elif kind == 'name' -%}
        {%- set fits = strandline._is_identifier(value) -%}
    {%- elif kind == 'expression' -%}
        {%- set fits = is_text and strandline._is_balanced(value) -%}
    {%- else -%}
        {%- set fits = {'flag': value is boolean, 'text': is_text, 'any': true,
            'zone': is_text and value in modules.pytz.all_timezones_set}[kind] -%}
    {%- endif -%}
    {%- if not fits -%}
        {%- do faults.append(strandline._given(name, value) ~ "; "
            ~ strandline._named_relation(strandline._advice(argument), value) ~ rule) -%}
    {%- endif -%}
    {{- return(read) -}}
{% endmacro %}

{#- What to write, with the text that was given as the name of the relation. -#}
{% macro _named_relation(advice, given) %}
    {{- return(advice.replace('ref(…)', "ref('" ~ given ~ "')")
        if strandline._is_identifier(given) else advice) -}}
{% endmacro %}

{#- A list of columns or relations; appends faults. One relation alone is a list of it. Names of
    columns are compared in lower case, as Spark does. -#}
{% macro _argument_list(name, argument, faults) %}
    {%- set value, advice = argument[1], strandline._advice(argument) -%}
    {%- set options = strandline._argument_options(argument) -%}
    {%- set is_list = value is sequence and value is not string and value is not mapping -%}
    {%- if argument[0] == 'relations' -%}
        {%- set given = value | list if is_list else [value] -%}
        {%- for relation in given if not strandline._is_relation(relation) -%}
            {%- do faults.append("`" ~ name ~ "` has '" ~ relation ~ "'; "
                ~ strandline._named_relation(advice, relation)) -%}
        {%- endfor -%}
        {%- if not given and not options.get('empty') -%}
            {%- do faults.append("`" ~ name ~ "` is empty; " ~ advice) -%}
        {%- endif -%}
        {{- return(given) -}}
    {%- endif -%}
    {%- if not is_list or (options.get('some') and not value) -%}
        {%- do faults.append(strandline._given(name, value) ~ "; " ~ advice) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set lower, reserved = value | map('string') | map('lower') | list,
        options.get('reserved', {}) -%}
    {%- for column in value if not strandline._is_column_name(column) -%}
        {%- do faults.append("`" ~ name ~ "` has '" ~ column ~ "'; "
            ~ strandline._advice(['column', column]) ~ strandline._column_name_rule(column)) -%}
    {%- endfor -%}
    {%- for column in value if column | string | lower in reserved.get('names', [])
        or (column | string | lower).startswith(reserved.get('prefix', '\n')) -%}
        {%- do faults.append("`" ~ name ~ "` has the column '" ~ column ~ "', " ~ reserved.why
            ~ "; rename it in a staging model") -%}
    {%- endfor -%}
    {%- if lower | unique | list | length < lower | length -%}
        {%- do faults.append("`" ~ name ~ "` names a column twice: "
            ~ strandline._choices(value)) -%}
    {%- endif -%}
    {{- return(value | list) -}}
{% endmacro %}

{#- Whether a value can be a relation: no text, unless it may be a query in parentheses. -#}
{% macro _is_relation(value, may_be_query=false) %}
    {%- if value is string -%}
        {{- return(may_be_query | default(false, true) and (value | trim).startswith('(')) -}}
    {%- endif -%}
    {{- return(value is not none and value is not number) -}}
{% endmacro %}

{#- The columns with their types of a relation, or of each of a list. Empty while dbt parses. -#}
{% macro _argument_types(given) %}
    {%- if given is sequence and given is not string and given is not mapping -%}
        {%- set all = [] -%}
        {%- for relation in given -%}
            {%- do all.append(strandline._argument_types(relation)) -%}
        {%- endfor -%}
        {{- return(all) -}}
    {%- endif -%}
    {{- return(strandline._types_of(given) if execute and strandline._is_relation(given)
        else {}) -}}
{% endmacro %}

{#- What a column can be: the types that fit, as a regular expression, and what to take for one that
    does not. -#}
{% macro _column_types() %}
    {%- set whole = 'tinyint|smallint|int|bigint' -%}
    {%- set ordered = whole ~ '|decimal|date|timestamp|string|varchar|char|binary' -%}
    {{- return({
        'any': ['', ''],
        'timestamp': ['timestamp$', 'take a TIMESTAMP (cast it in a staging model)'],
        'number': ['(' ~ whole ~ '|float|double|decimal|void)\\b',
            'take a number (cast it in a staging model)'],
        'whole': ['(' ~ whole ~ ')$', 'take a whole number that only grows'],
        'boolean': ['boolean$', 'take a BOOLEAN'],
        'comparable': ['(?!.*map<)',
            'Spark does not compare maps: make it an array, a struct or a text'],
        'ordered': ['(' ~ ordered ~ ')(?![a-z])', 'take a whole number, a DECIMAL, a STRING, '
            ~ 'a BINARY, a DATE or a TIMESTAMP (cast it in a staging model)'],
        'identity': ['(' ~ ordered ~ '|float|double|boolean)(?![a-z])', 'take a whole number, a '
            ~ 'DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP; to_json(…) in a staging model '
            ~ 'makes a STRING of it'],
        'labels': ['array<(?!.*map<)|string$|varchar|char', 'a parent has the labels of all its '
            ~ 'members: make it an array of them, or a text'],
    }) -}}
{% endmacro %}

{#- Appends a fault for each column that its relation does not have, or whose type does not fit. -#}
{% macro _check_column_types(read, name, argument, declared) %}
    {%- set options = strandline._argument_options(argument) -%}
    {%- set columns = read[name] if argument[0] == 'columns' else [read[name]] -%}
    {%- set of = options.get('of', 'source') -%}
    {%- for source in ([of] if of is string else of) if source in read.types -%}
        {%- set is_list = declared[source][0] == 'relations' -%}
        {%- for types in (read.types[source] if is_list else [read.types[source]]) -%}
            {%- set relation = read[source][loop.index0] if is_list else read[source] -%}
            {%- for column in columns or [] if strandline._is_column_name(column)
                and (column | lower in types or column | lower != options.get('usual')) -%}
                {%- do strandline._check_column(name, column, relation, types, options,
                    read.faults) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

{#- Appends a fault if a relation does not have a column, or if its type is not that of `options`
    (`type`, and `take` for what to take instead). -#}
{% macro _check_column(argument, column, relation, types, options, faults) %}
    {%- set fitting, advice = strandline._column_types()[options.get('type', 'any')] -%}
    {%- set type = types.get(column | lower) -%}
    {%- if types and type is none -%}
        {%- do faults.append(strandline._no_column(argument, column, relation, types)) -%}
    {%- elif types and not modules.re.match(fitting, type) -%}
        {%- do faults.append("`" ~ argument ~ "` names " ~ column ~ " of " ~ relation.identifier
            ~ ", which is " ~ type | upper ~ "; " ~ options.get('take', advice)) -%}
    {%- endif -%}
{% endmacro %}

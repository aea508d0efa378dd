{#- Reads `aggregates`: a mapping of names to `function(expression)`, with `entrance only` and
    `diff` or `diff from <baseline>` after it; or a pair of SQL expressions: an aggregate over the
    rows inside, and its value when there are none. Returns a list; appends faults. -#}
{% macro _read_aggregates(aggregates, faults) %}
    {%- set read = [] -%}
    {%- if aggregates is not none and (aggregates is not mapping or not aggregates) -%}
        {%- do faults.append("`aggregates` is '" ~ aggregates ~ "'; write a mapping of names to "
            ~ "aggregates, such as {'requests': 'count(id)'}") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for name, text in (aggregates or {}).items() -%}
        {%- set found = {'name': name, 'function': none, 'argument': none, 'entrance': false,
            'diff': false, 'baseline': none, 'sql': none, 'empty': none} -%}
        {%- if not strandline._is_column_name(name)
            or name | lower in strandline._window_columns() -%}
            {%- do faults.append("`aggregates` has the name '" ~ name ~ "'; write a column name "
                ~ "that is no column of every window" ~ strandline._column_name_rule()) -%}
        {%- elif name | lower in read | map(attribute='name') | map('lower') -%}
            {%- do faults.append("`aggregates` has the name '" ~ name ~ "' more than once, in "
                ~ "upper or lower case; take another name") -%}
        {%- endif -%}
        {%- if text is string -%}
            {%- do strandline._read_aggregate(name, text, found, faults) -%}
        {%- elif text is sequence and text is not mapping and text | length == 2
            and text[0] is string and text[1] is string -%}
            {%- do found.update({'function': 'own', 'sql': text[0], 'empty': text[1]}) -%}
        {%- else -%}
            {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; write a text "
                ~ "such as 'sum(price)', or a pair of SQL expressions: an aggregate over the rows "
                ~ "inside and its value when there are none, such as "
                ~ "['max(price) - min(price)', '0']") -%}
        {%- endif -%}
        {%- do read.append(found) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- One aggregate in text. -#}
{% macro _read_aggregate(name, text, found, faults) %}
    {%- set form = modules.re.match(
        '(?is)^\\s*(\\w+)\\s*\\((.*)\\)(\\s+entrance\\s+only)?'
        ~ '(\\s+diff(?:\\s+from\\s+(.+?))?)?\\s*$', text) -%}
    {%- set known = strandline._window_aggregates() -%}
    {%- set written = form.group(1) | lower if form else none -%}
    {%- set function = strandline._known_name(written, known) -%}
    {%- if function not in known -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'"
            ~ ("; there is no aggregate '" ~ function ~ "'"
                ~ strandline._nearest(function, known) if form) ~ "; write function(expression) "
            ~ "[entrance only] [diff [from baseline]], where the function is one of "
            ~ known | join(', ') ~ "; an aggregate of your own is a pair of SQL expressions") -%}
    {%- elif not form.group(2) | trim -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text
            ~ "', which has no argument; write a column, such as " ~ function ~ "(id)") -%}
    {%- elif not strandline._is_balanced(form.group(2)) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; after the function's "
            ~ "parentheses only `entrance only` and `diff` may stand: for a filter write "
            ~ function ~ "(case when … then … end); an aggregate of your own is a pair of SQL "
            ~ "expressions: ['" ~ text ~ "', 'null']") -%}
    {%- elif modules.re.match('(?is)\\s*(distinct|all)\\b', form.group(2)) -%}
        {%- set kind = modules.re.match('(?is)\\s*(distinct|all)\\b', form.group(2)).group(1) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; `" ~ kind | lower
            ~ "` is no part of an expression: " ~ ("leave it out" if kind | lower == 'all'
                else "write a pair, the aggregate and its value when no row is inside: ['"
                ~ function ~ '(' ~ form.group(2) | trim ~ ")', '"
                ~ ('0' if function == 'count' else 'null') ~ "']")) -%}
    {%- elif form.group(2) | trim == '*' and function != 'count' -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; only `count` takes "
            ~ "*; write a column, such as " ~ function ~ "(price)") -%}
    {%- elif strandline._has_comma(form.group(2)) -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "', which has several "
            ~ "arguments; write one expression, such as " ~ function ~ "(id)") -%}
    {%- elif form.group(3) and not known[function].get('entrance') -%}
        {%- do faults.append("`aggregates` has " ~ name ~ " = '" ~ text ~ "'; " ~ function
            ~ " cannot be entrance only, because it needs all rows that ever entered") -%}
    {%- endif -%}
    {%- if form -%}
        {%- do found.update({'function': function, 'argument': form.group(2) | trim,
            'entrance': form.group(3) is not none, 'diff': form.group(4) is not none,
            'baseline': form.group(5)}) -%}
    {%- endif -%}
{% endmacro %}

{#- Whether a comma stands outside of all parentheses and quotes. -#}
{% macro _has_comma(expression) %}
    {%- set depth = namespace(now=0) -%}
    {%- for character in modules.re.sub("'[^']*'|`[^`]*`", '', expression)
        if character in '(),[]{}' -%}
        {%- if character == ',' and not depth.now -%}{{- return(true) -}}{%- endif -%}
        {%- set depth.now = depth.now + (0 if character == ',' else 1 if character in '([{'
            else -1) -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}

{#- The CTEs that end in `__versions`, from the staged stays: one row per window and change of its
    aggregates. Rows are partitioned by the keys once, and stay so, but for those that
    `_entered_moments` joins.

    __moves    each row as it enters and as it leaves; rows of earlier runs enter in no cycle
    __changes  the cycles in which the content of a window changes, numbered per window, with the
               parts of the aggregates
    __filled   the aggregates over the rows inside
    __totals   the aggregates over the rows that entered, with `entrance only`
    __measured the values of each change; null when an unpinned window ends -#}
{% macro _versions(task, run) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set line = 'partition by ' ~ (keys or ['true']) | join(', ') -%}
{%- set counted = strandline._counted_aggregates(task) -%}
{%- set inside = counted | rejectattr('entrance') | list -%}
{#- Changes that are running sums are sorted by their cycles already. -#}
{%- set order = '__change' if inside else '__at, __arrival, __step' -%}
__moves as (
    select {{ strandline._all_quoted(task.columns) | join(', ') }}, entry, __is_old,
        inline(if(expelled is null, array(__entering), array(__entering, __leaving)))
    from (
        select *,
            named_struct('__enters', true, '__cycle', if(__is_old, null, entered),
                '__place', entry) as __entering,
            named_struct('__enters', false, '__cycle', expelled, '__place', exit) as __leaving
        from (
            select * from {{ run.stays }}
            where row_kind = 'event'
            {%- if keys %}
            distribute by {{ keys | join(', ') }}
            {%- endif %}
        )
    )
),

{%- if inside %}
{{ strandline._counted_changes(task, line, inside, run.depth) }}
{%- else %}
{{ strandline._window_changes(task, line) }}
{%- if counted %}
{{ strandline._spans(task, line) }},
{%- endif %}
{%- endif %}

__filled as (
    select
        __changes.*
        {%- for aggregate in task.aggregates | rejectattr('entrance') %},
        {{ strandline._inside_value(aggregate) }} as {{ strandline._quoted(aggregate.name) }}
        {%- endfor %}
    from __changes
    where __step is not null
),

{{ strandline._totals(task, run, line, order) }}

{{ strandline._changed_values(task, run, line, order) }}
{%- endmacro %}

{#- The aggregates that need the rows themselves, and not only running sums over the changes. -#}
{% macro _counted_aggregates(task) %}
    {%- set counted = [] -%}
    {%- for aggregate in task.aggregates if not strandline._is_running(aggregate) -%}
        {%- do counted.append(aggregate) -%}
    {%- endfor -%}
    {{- return(counted) -}}
{% endmacro %}

{#- The CTEs `__measured` and `__versions`. A version is a change whose values differ from the one
    before; the stored version of a window is its change 0. The open version keeps the totals of the
    newest change, new version or not. The changes come in the order of the columns `order`. -#}
{% macro _changed_values(task, run, line, order) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set values, shown, compared = [], [], [] -%}
{%- for aggregate in task.aggregates -%}
    {%- set name = strandline._quoted(aggregate.name) -%}
    {%- do values.append(strandline._literal(aggregate.name) ~ ', ' ~ name) -%}
    {%- do compared.append(strandline._compared_value(aggregate)) -%}
    {%- do shown.append(strandline._shown_value(aggregate) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- set diffs = task.aggregates | selectattr('diff') | list -%}
{%- set line = line ~ ' order by ' ~ order -%}
{%- set has_moments = strandline._counted_aggregates(task) | selectattr('entrance') | list != [] -%}
{%- set values = 'named_struct(' ~ values | join(', ') ~ ')' -%}
__measured as (
    select
        {{ (keys + ['__change', '__at', '__arrival', '__step', '__place', 'window_totals'])
            | join(', ') }},
        {%- for aggregate in diffs %}
        null as {{ strandline._aggregate_part('shown', aggregate) }},
        {%- endfor %}
        {{ values if task.pinned else 'if(__rows = 0, null, ' ~ values ~ ')' }}
            as window_values
    from __totals
    {%- if run.is_stored %}
    union all
    select {{ (keys + ['0', 'entered.at', 'entered.arrival', 'entered.step', 'entry',
        'window_totals']
        + strandline._all_quoted(diffs | map(attribute='name')) + ['window_values'])
        | join(', ') }}
    from {{ run.stored }}
    where window_part = 'open' and row_kind = 'row'
    {%- endif %}
),

__versions as (
    select
        {{ (keys + shown) | join(', ') }},
        window_values, if(__next_step is null, __newest_totals, null) as window_totals,
        named_struct('at', __at, 'arrival', __arrival, 'step', __step) as entered,
        if(__next_step is null, null, named_struct('at', __next_at, 'arrival', __next_arrival,
            'step', __next_step)) as expelled,
        __place as entry, exit
    from (
        select *,
            lag(window_values) over ({{ line }}) as __previous_values,
            lead(__at) over ({{ line }}) as __next_at,
            lead(__arrival) over ({{ line }}) as __next_arrival,
            lead(__step) over ({{ line }}) as __next_step,
            lead(__place) over ({{ line }}) as exit
        from (
            select *, lag(__compared) over ({{ line }}) as __previous,
                {{ 'last_value(window_totals) over (' ~ line ~ ' rows between unbounded preceding'
                    ~ ' and unbounded following)' if has_moments else 'window_totals' }}
                    as __newest_totals
            from (
                select *, if(window_values is null, null,
                    struct({{ compared | join(', ') }})) as __compared
                from __measured
            )
        )
        where __change = 0 or not __compared <=> __previous
    )
    where window_values is not null
)
{%- endmacro %}

{#- The value that a version shows: with `diff` its difference from the version before or from the
    baseline. -#}
{% macro _shown_value(aggregate) %}
    {%- set name = strandline._quoted(aggregate.name) -%}
    {%- set value = 'window_values.' ~ name -%}
    {%- if not aggregate.diff -%}{{- return(value) -}}{%- endif -%}
    {%- set base = 'coalesce((' ~ aggregate.baseline ~ '), 0)' if aggregate.baseline
        else 'coalesce(__previous_values.' ~ name ~ ', 0)' -%}
    {{- return('if(__change = 0, ' ~ strandline._aggregate_part('shown', aggregate)
        ~ ', coalesce(' ~ value ~ ', 0) - ' ~ base ~ ')') -}}
{% endmacro %}

{#- What decides whether a value has changed: the whole value, or 40 of its 53 bits, or nine
    decimals, where equal rows can give values that differ in their last ones (`rounding` of the
    aggregate). -#}
{% macro _compared_value(aggregate) %}
    {%- set value = 'window_values.' ~ strandline._quoted(aggregate.name) -%}
    {%- set rounding = strandline._aggregates().get(aggregate.function, {}).get('rounding') -%}
    {%- if rounding is none or strandline._is_running(aggregate) -%}
        {{- return(value) -}}
    {%- elif rounding == 'decimals' -%}
        {{- return('round(' ~ value ~ ', 9)') -}}
    {%- endif -%}
    {%- set double = 'cast(' ~ value ~ ' as double)' -%}
    {%- set scaled = double ~ ' * 8193D' -%}
    {{- return('if(abs(' ~ double ~ ') < 1e300D, ' ~ scaled ~ ' - (' ~ scaled ~ ' - ' ~ double
        ~ '), ' ~ double ~ ')') -}}
{% endmacro %}

{#- The CTE `__changes`: the cycles in which the content of a window changes, numbered per window,
    with the rows inside after each. Counts, and sums of whole and decimal numbers, are running sums
    of what enters less what leaves: they are exact, and cost one step per change.

    __sum_<name>, __count_<name>   the sum and the count of the rows inside
    __new_<name>                       the aggregate of the rows that enter in the change -#}
{% macro _window_changes(task, line) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set running = line ~ ' order by __at, __arrival, __step rows unbounded preceding' -%}
__changes as (
    select
        {{ (keys + ['__at', '__arrival', '__step', '__place']) | join(', ') }},
        row_number() over ({{ line }} order by __at, __arrival, __step) as __change,
        sum(__rows) over ({{ running }}) as __rows
        {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
        {%- if aggregate.entrance %}
        {{ strandline._aggregate_part('new', aggregate) }}
        {%- else %}
        sum({{ strandline._aggregate_part('count', aggregate) }}) over ({{ running }})
            as {{ strandline._aggregate_part('count', aggregate) }}
        {%- if aggregate.function != 'count' %},
        sum({{ strandline._aggregate_part('sum', aggregate) }}) over ({{ running }})
            as {{ strandline._aggregate_part('sum', aggregate) }}
        {%- endif %}
        {%- endif %}
        {%- endfor %}
    from (
        select
            {{ (keys + ['__cycle.at as __at', '__cycle.arrival as __arrival',
                '__cycle.step as __step']) | join(', ') }}, min(__place) as __place,
            sum(if(__enters, 1, -1)) as __rows
            {%- for aggregate in task.aggregates if strandline._is_running(aggregate) %},
            {{ strandline._change_of(aggregate) | indent(12) }}
            {%- endfor %}
        from __moves
        group by {{ (keys + ['__cycle.at', '__cycle.arrival', '__cycle.step']) | join(', ') }}
    )
),
{%- endmacro %}

{#- What one change adds to a running aggregate. -#}
{% macro _change_of(aggregate) -%}
{%- set x = '1' if aggregate.argument == '*' else strandline._window_argument(aggregate) -%}
{%- set number = 'cast(' ~ x ~ ' as ' ~ aggregate.exact ~ ')' -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(__enters, {{ x }}, null))
    as {{ strandline._aggregate_part('new', aggregate) }}
{%- else -%}
sum(case when {{ x }} is null then 0 when __enters then 1 else -1 end)
    as {{ strandline._aggregate_part('count', aggregate) }}
{%- if aggregate.function != 'count' %},
sum(if(__enters, {{ number }}, -{{ number }})) as {{ strandline._aggregate_part('sum', aggregate) }}
{%- endif %}
{%- endif -%}
{%- endmacro %}

{#- Whether an aggregate needs no rows but what enters and leaves in each change: counts, exact sums
    and their averages, and with `entrance only` also the least and the greatest. -#}
{% macro _is_running(aggregate) %}
    {{- return(aggregate.function == 'count'
        or (aggregate.entrance and aggregate.function in ['min', 'max'])
        or (aggregate.exact is not none and (aggregate.function == 'sum'
            or (aggregate.function == 'avg' and not aggregate.entrance)))) -}}
{% endmacro %}

{#- The type of an exact sum over a column of a type; none if sums of it are not exact. -#}
{% macro _running_sum_type(type) %}
    {%- set decimal = modules.re.match('^decimal\\((\\d+),(\\d+)\\)$', type) -%}
    {%- if type in ['tinyint', 'smallint', 'int', 'bigint'] -%}
        {{- return('bigint') -}}
    {%- elif decimal -%}
        {{- return('decimal(' ~ [38, decimal.group(1) | int + 10] | min ~ ',' ~ decimal.group(2)
            ~ ')') -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}

{#- The value of an aggregate over the rows inside, after a change. -#}
{% macro _inside_value(aggregate) %}
    {%- set count = strandline._aggregate_part('count', aggregate) -%}
    {%- set sum = strandline._aggregate_part('sum', aggregate) -%}
    {%- if not strandline._is_running(aggregate) -%}
        {%- set value = strandline._aggregate_part('inside', aggregate) -%}
        {{- return(value if aggregate.function != 'own'
            else 'if(__rows = 0, ' ~ aggregate.empty ~ ', ' ~ value ~ ')') -}}
    {%- endif -%}
    {{- return({'count': count,
        'sum': 'if(' ~ count ~ ' = 0, null, cast(' ~ sum ~ ' as ' ~ aggregate.exact ~ '))',
        'avg': 'if(' ~ count ~ ' = 0, null, cast(' ~ sum ~ ' as double) / ' ~ count ~ ')',
    }[aggregate.function]) -}}
{% endmacro %}

{#- The fields of a cycle, for `order by`: Spark sorts them faster than the struct. -#}
{% macro _in_order(cycle) %}
    {{- return(cycle ~ '.at, ' ~ cycle ~ '.arrival, ' ~ cycle ~ '.step') -}}
{% endmacro %}

{#- The internal column of a part of an aggregate, quoted: `__sum_<name>` for the kind `sum`. -#}
{% macro _aggregate_part(kind, aggregate) %}
    {{- return(strandline._quoted('__' ~ kind ~ '_' ~ aggregate.name)) -}}
{% endmacro %}

{#- The CTE `__changes` for aggregates that are no running sums, such as a median: they are computed
    over the rows inside, per change. Each row is counted in the changes of its window from the one
    in which it enters to the one before it leaves; no row is compared with all others of its
    window. All steps work on rows that are partitioned by the keys once.

    __ordered  the spans by what is aggregated
    __counts   per change, the rows inside and those that leave -#}
{% macro _counted_changes(task, line, inside, depth) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
{%- set running = [] -%}
{%- for aggregate in task.aggregates if strandline._is_running(aggregate) -%}
    {%- do running.append(aggregate) -%}
{%- endfor -%}
{%- set summed = strandline._summed_columns(inside) -%}
{%- set cycle = strandline._cycle_fields(depth) -%}
{{ strandline._spans(task, line, cycle) }},

-- Rows of equal values are added in one order, so equal contents have equal bits.
__ordered as (
    select * from __spans
    {%- if summed %}
    sort by {{ summed | join(', ') }}, entry
    {%- endif %}
),

__counts as (
    select
        {{ (keys + ['__change', '__is_inside']) | join(', ') }},
        {%- for _, name in cycle %}
        max(case when __change = __end then __expelled_{{ name }}
            when __change = __first then __entered_{{ name }} end)
            as __cycle_{{ name }},
        {%- endfor %}
        min(case when __change = __end then __exit
            when __change = __first then entry end) as __place,
        count(*) as __count
        {%- for aggregate in running %},
        {{ strandline._counted_part(aggregate) }}
        {%- endfor %}
        {%- for aggregate in inside %},
        {{ strandline._aggregate_sql(aggregate) }}
            as {{ strandline._aggregate_part('inside', aggregate) }}
        {%- endfor %}
    from (
        select *, __change < __end as __is_inside
        from (
            select *, explode(sequence(__first, least(__end, __last)))
                as __change
            from __ordered
        )
    )
    group by {{ (keys + ['__change', '__is_inside']) | join(', ') }}
),

__changes as (
    select
        {{ (keys + ['__change']) | join(', ') }},
        max(__cycle_at) as __at, max(__cycle_arrival) as __arrival,
        if(max(__cycle_step_0) is null, null, array({% for number in range(depth) -%}
            max(__cycle_step_{{ number }}){{ ', ' if not loop.last }}{% endfor %})) as __step,
        min(__place) as __place,
        sum(if(__is_inside, __count, 0)) as __rows
        {%- for aggregate in running + inside %}
        {%- for column, default in strandline._counted_columns(aggregate) %},
        coalesce(any_value(if(__is_inside, {{ column }}, null), true), {{ default }})
            as {{ column }}
        {%- endfor %}
        {%- endfor %}
    from __counts
    group by {{ (keys + ['__change']) | join(', ') }}
),
{%- endmacro %}

{#- The parts of a running aggregate over the rows inside a change, and of what enters in it. -#}
{% macro _counted_part(aggregate) -%}
{%- set x = '1' if aggregate.argument == '*' else strandline._window_argument(aggregate) -%}
{%- if aggregate.entrance -%}
{{ aggregate.function }}(if(__change = __first and not __is_old, {{ x }}, null))
            as {{ strandline._aggregate_part('new', aggregate) }}
{%- else -%}
count({{ x }}) as {{ strandline._aggregate_part('count', aggregate) }}
{%- if aggregate.function != 'count' %},
        sum(cast({{ x }} as {{ aggregate.exact }}))
            as {{ strandline._aggregate_part('sum', aggregate) }}
{%- endif %}
{%- endif -%}
{%- endmacro %}

{#- The fields of a cycle and their names. Spark aggregates numbers by hash, but structs by sorting:
    that would sort each row once for each change in which it is inside. -#}
{% macro _cycle_fields(depth) %}
    {%- set fields = [['at', 'at'], ['arrival', 'arrival']] -%}
    {%- for number in range(depth) -%}
        {%- do fields.append(['step[' ~ number ~ ']', 'step_' ~ number]) -%}
    {%- endfor -%}
    {{- return(fields) -}}
{% endmacro %}

{#- The columns of `__counts` for an aggregate, each with its value where no row is inside. -#}
{% macro _counted_columns(aggregate) %}
    {%- set count = aggregate.function == 'count' -%}
    {%- if not strandline._is_running(aggregate) -%}
        {{- return([[strandline._aggregate_part('inside', aggregate), strandline._aggregates()
            .get(aggregate.function, {}).get('empty', 'null')]]) -}}
    {%- elif aggregate.entrance -%}
        {{- return([[strandline._aggregate_part('new', aggregate), '0' if count else 'null']]) -}}
    {%- endif -%}
    {{- return([[strandline._aggregate_part('count', aggregate), '0']]
        + ([] if count else [[strandline._aggregate_part('sum', aggregate), 'null']])) -}}
{% endmacro %}

{#- The expressions whose sums depend on the order of the rows. The text of an own aggregate is not
    read: its rows come in the order of entry. -#}
{% macro _summed_columns(aggregates) %}
    {%- set summed = [] -%}
    {%- for aggregate in aggregates -%}
        {%- if aggregate.function == 'own' -%}
            {%- do summed.append('entry') -%}
        {%- elif strandline._aggregates()[aggregate.function].get('takes')
            and aggregate.function != 'median' -%}
            {%- do summed.append('cast(' ~ strandline._window_argument(aggregate)
                ~ ' as double)') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(summed | unique | sort | list) -}}
{% endmacro %}

{#- The CTE `__spans`, from `__moves`: the rows, with the number of the first change in which they
    are inside and of the one in which they are not any more; with these cycles, field by field. -#}
{% macro _spans(task, line, cycle=[]) -%}
{%- set keys = strandline._all_quoted(task['keys']) -%}
__spans as (
    select
        {{ (keys + ['entry']) | join(', ') }}, any_value(__is_old) as __is_old,
        {%- for column in strandline._all_quoted(task.columns) if column not in keys %}
        any_value({{ column }}) as {{ column }},
        {%- endfor %}
        {%- for field, name in cycle %}
        max(if(__enters, __cycle.{{ field }}, null)) as __entered_{{ name }},
        max(if(__enters, null, __cycle.{{ field }})) as __expelled_{{ name }},
        {%- endfor %}
        max(if(__enters, null, __place)) as __exit,
        max(__last) as __last,
        max(if(__enters, __change, null)) as __first,
        coalesce(max(if(__enters, null, __change)), max(__last) + 1) as __end
    from (
        select *, max(__change) over ({{ line }}) as __last
        from (
            select *, dense_rank() over ({{ line }} order by {{
                strandline._in_order('__cycle') }}) as __change
            from __moves
        )
    )
    group by {{ (keys + ['entry']) | join(', ') }}
)
{%- endmacro %}

{#- The CTE `__totals`: `__filled` with the aggregates that are `entrance only`. They are running
    aggregates over the rows that entered, in the order of changes. A window that has ended starts
    from nothing; otherwise the first change of a run goes on from the stored version. -#}
{% macro _totals(task, run, line, order) -%}
{%- set aggregates = task.aggregates | selectattr('entrance') | list -%}
{%- if not aggregates -%}
__totals as (
    select *, cast(array() as {{ strandline._totals_type() }}) as window_totals from __filled
),
{%- else -%}
{%- set moments = strandline._counted_aggregates(task) | selectattr('entrance') | list -%}
{%- set life = 'partition by ' ~ (strandline._all_quoted(task['keys'])
    + ([] if task.pinned else ['__life'])
    or ['true']) | join(', ') ~ ' order by ' -%}
__lives as (
    select
        *
        {%- for aggregate in aggregates if aggregate not in moments %},
        {{ strandline._running_total(aggregate, life ~ order) }}
            as {{ strandline._aggregate_part('value', aggregate) }}
        {%- endfor %}
    from (
        select *, {{ '0L' if task.pinned else 'count_if(__rows = 0) over (' ~ line
            ~ ' order by ' ~ order ~ ' rows between unbounded preceding and 1 preceding)' }}
            as __life
        from __filled
    )
),
{%- if moments %}

{{ strandline._entered_moments(task, moments, life ~ '__change') }}
{%- endif %}

__merged as (
    select
        __lives.*,
        {%- for aggregate in aggregates %}
        {%- if aggregate in moments and aggregate.function in ['sum', 'sumsq'] %}
        {{ strandline._aggregate_part('part', aggregate) }}
            as {{ strandline._aggregate_part('value', aggregate) }},
        {%- endif %}
        {%- if run.is_stored %}
        __stored.window_values.{{ strandline._quoted(aggregate.name) }}
            as {{ strandline._aggregate_part('stored', aggregate) }},
        {%- endif %}
        {%- endfor %}
        cast(array(
            {%- for aggregate in aggregates -%}
            {{ strandline._merged_part(aggregate, loop.index, run) if aggregate in moments
                and aggregate.function not in ['sum', 'sumsq'] else 'null' }}
            {{- ', ' if not loop.last }}
            {%- endfor %}) as {{ strandline._totals_type() }}) as window_totals
    from __lives
    {%- if moments %}
    inner join __entered_moments
        on {{ strandline._same_columns(task['keys'], '__lives', '__entered_moments') }}
        and __lives.__change = __entered_moments.__change
    {%- endif %}
    {%- if run.is_stored %}
    left join (
        select * from {{ run.stored }} where window_part = 'open' and row_kind = 'row'
    ) as __stored on {{ strandline._same_columns(task['keys'], '__lives', '__stored') }}
        and __lives.__life = 0
    {%- endif %}
),

__totals as (
    select
        *
        {%- for aggregate in aggregates %},
        {{ strandline._total_value(aggregate, loop.index, run) }}
            as {{ strandline._quoted(aggregate.name) }}
        {%- endfor %}
    from __merged
),
{%- endif -%}
{%- endmacro %}

{#- The type of what a version keeps of its aggregates that are `entrance only`. -#}
{% macro _totals_type() %}
    {{- return('array<struct<n: bigint, mean: double, m2: double, m3: double, m4: double, '
        ~ 'logs: double, least: double>>') -}}
{% endmacro %}

{#- A running aggregate over what entered, from the part of each change. -#}
{% macro _running_total(aggregate, life) -%}
{%- set part = strandline._aggregate_part('new', aggregate) -%}
{%- set over = ' over (' ~ life ~ ' rows unbounded preceding)' -%}
{%- if aggregate.function == 'sum' -%}
cast(sum({{ part }}){{ over }} as {{ aggregate.exact }})
{%- else -%}
{{ 'sum' if aggregate.function == 'count' else aggregate.function }}({{ part }}){{ over }}
{%- endif -%}
{%- endmacro %}

{#- The value of an aggregate that is `entrance only`, from the stored version and this run. -#}
{% macro _total_value(aggregate, index, run) -%}
{%- set value = strandline._aggregate_part('value', aggregate) -%}
{%- set stored = strandline._aggregate_part('stored', aggregate) if run.is_stored else none -%}
{%- set entry = strandline._aggregates()[aggregate.function] -%}
{%- if entry.entrance in ['least', 'greatest'] -%}
    {%- set sql = entry.entrance ~ '(' ~ stored ~ ', ' ~ value ~ ')' if stored else value -%}
{%- elif entry.entrance == 'sum' -%}
    {%- set sql = value if not stored
        else 'coalesce(' ~ stored ~ ' + ' ~ value ~ ', ' ~ stored ~ ', ' ~ value ~ ')' -%}
{%- else -%}
    {#- A mean is kept and not its sum: the mean of equal values is exactly this value. -#}
    {%- set moments = 'window_totals[' ~ (index - 1) ~ ']' -%}
    {%- set sql = 'if(' ~ moments ~ '.n > 0, ' ~ moments ~ '.mean, null)'
        if aggregate.function == 'avg' else strandline._filled(entry.read,
            {'moments': moments, 'shape': moments, 'logs': moments}) -%}
{%- endif -%}
{{- return(strandline._finite(sql, aggregate)) -}}
{%- endmacro %}

{#- The CTE `__entered_moments`: per change, the aggregates that are `entrance only` over the rows
    of this run that entered until then, where they need the rows themselves. -#}
{% macro _entered_moments(task, aggregates, life) -%}
{%- set own = strandline._all_quoted(task['keys']) -%}
{%- set keys = own + ['__change'] -%}
__entered_moments as (
    select
        {{ keys | join(', ') }}
        {%- for aggregate in aggregates %},
        any_value({{ strandline._aggregate_part('part', aggregate) }})
            as {{ strandline._aggregate_part('part', aggregate) }}
        {%- endfor %}
    from (
        select
            {{ keys | join(', ') }}
            {%- for aggregate in aggregates %},
            {{ strandline._entered_part(aggregate, 'over (' ~ life ~ ')') }}
                as {{ strandline._aggregate_part('part', aggregate) }}
            {%- endfor %}
        from (
            select
                __lives.{{ keys | join(', __lives.') }},
                __lives.__life, __spans.entry as __entry
                {%- for column in strandline._all_quoted(task.columns) if column not in own %},
                __spans.{{ column }}
                {%- endfor %}
            from __lives
            left join __spans on {{ strandline._same_columns(task['keys'], '__lives', '__spans') }}
                and __lives.__change = __spans.__first and not __spans.__is_old
        )
    )
    group by {{ keys | join(', ') }}
),
{%- endmacro %}

{#- The running part of one aggregate in this run: a sum, or the count, the mean and the central
    moments as sums. The mean of equal values is exactly this value. -#}
{% macro _entered_part(aggregate, life) -%}
{#- A change in which no row enters has no value: `count(*)` would count it. -#}
{%- set x = 'if(__entry is null, null, ' ~ ('1' if aggregate.argument == '*'
    else strandline._window_argument(aggregate)) ~ ')' -%}
{%- set d = 'cast(' ~ x ~ ' as double)' -%}
{%- set n, spread = 'count(' ~ x ~ ') ' ~ life, 'var_pop(' ~ d ~ ') ' ~ life -%}
{%- if aggregate.function == 'sum' -%}
sum({{ x }}) {{ life }}
{%- elif aggregate.function == 'sumsq' -%}
sum({{ d }} * {{ x }}) {{ life }}
{%- else -%}
named_struct(
    'n', {{ n }}, 'mean', coalesce(if(min({{ d }}) {{ life }} = max({{ d }}) {{ life }},
        min({{ d }}) {{ life }}, avg({{ d }}) {{ life }}), 0D),
    'm2', coalesce({{ n }} * {{ spread }}, 0D),
    'm3', coalesce({{ n }} * pow({{ spread }}, 1.5D) * skewness({{ d }}) {{ life }}, 0D),
    'm4', coalesce({{ n }} * pow({{ spread }}, 2D) * (kurtosis({{ d }}) {{ life }} + 3), 0D),
    'logs', coalesce(sum(ln({{ d }})) {{ life }}, 0D), 'least', min({{ d }}) {{ life }})
{%- endif -%}
{%- endmacro %}

{#- The part of the stored version merged with that of this run. -#}
{% macro _merged_part(aggregate, index, run) -%}
{%- set added = '__entered_moments.' ~ strandline._aggregate_part('part', aggregate) -%}
{%- if not run.is_stored -%}{{- return(added) -}}{%- endif -%}
{%- set stored = '__stored.window_totals[' ~ (index - 1) ~ ']' -%}
case
            when {{ stored }} is null or {{ stored }}.n = 0 then {{ added }}
            when {{ added }}.n = 0 then {{ stored }}
            else zip_with(array({{ stored }}), array({{ added }}), (__a, __b) -> {{
                strandline._joined_moments(['n', 'mean', 'm2', 'm3', 'm4', 'logs', 'least']) }})[0]
        end
{%- endmacro %}

{#- A number, or null if it is NaN or infinite. Only doubles can be. -#}
{% macro _finite(sql, aggregate) %}
    {%- if aggregate.function == 'count'
        or (aggregate.function in ['min', 'max', 'sum'] and not aggregate.is_double) -%}
        {{- return(sql) -}}
    {%- endif -%}
    {{- return("case when abs(" ~ sql ~ ") < double('Infinity') then " ~ sql ~ ' end') -}}
{% endmacro %}

{#- An aggregate over the rows of a group, in SQL. A result that is not a finite number is null. -#}
{% macro _aggregate_sql(aggregate) -%}
    {%- if aggregate.function == 'own' -%}{{- return(aggregate.sql) -}}{%- endif -%}
    {%- set x, entry = strandline._window_argument(aggregate),
        strandline._aggregates()[aggregate.function] -%}
    {%- set partial = {} -%}
    {%- for kind in entry.parts -%}
        {%- do partial.update({kind: strandline._parts()[kind].partial}) -%}
    {%- endfor -%}
    {%- set sql = strandline._filled(entry.rows if 'rows' in entry
        else strandline._filled(entry.read, partial), {'x': x, 'd': 'cast(' ~ x ~ ' as double)'})
        -%}
    {{- return(strandline._finite(sql, aggregate)) -}}
{%- endmacro %}

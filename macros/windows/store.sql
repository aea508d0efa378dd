{#- Reads the phrase of `store`. Returns its `kind` (sliding, time, tumbling, random, highest,
    lowest), `count` (rows), `size` (microseconds), `max`, `seed` and `using`. `count` and `size`
    are SQL: a literal, or an expression over the keys (`by_key`). Appends faults. -#}
{% macro _read_store(store, faults) %}
    {%- set read = {'kind': none, 'count': none, 'size': none, 'max': none, 'seed': none,
        'using': none, 'by_key': none} -%}
    {%- set words = (store | string | trim).split() | join(' ') -%}
    {%- set last = modules.re.match('(?i)^last (.+?)(?: max (\\d+))?$', words) -%}
    {%- set latest = modules.re.match('(?i)^latest (\\d+)$', words) -%}
    {%- set chance = modules.re.match('(?i)^random (\\d+)(?: seed (\\d{1,18}))?$', words) -%}
    {%- set ranked = modules.re.match('(?i)^(highest|lowest) (\\d+) using (\\w+|`[^`]+`)$',
        words) -%}
    {%- if last -%}
        {%- do strandline._read_last(last.group(1), read) -%}
        {%- if last.group(2) and read.kind == 'time' -%}
            {%- do read.update({'max': last.group(2)}) -%}
        {%- elif last.group(2) -%}
            {%- do read.update({'kind': none}) -%}
        {%- endif -%}
    {%- elif latest -%}
        {%- do read.update({'kind': 'tumbling', 'count': latest.group(1)}) -%}
    {%- elif chance -%}
        {%- do read.update({'kind': 'random', 'count': chance.group(1),
            'seed': chance.group(2) or '0'}) -%}
    {%- elif ranked -%}
        {%- do read.update({'kind': ranked.group(1) | lower, 'count': ranked.group(2),
            'using': ranked.group(3).strip('`') | lower}) -%}
    {%- endif -%}
    {%- for number, limit in [[read.count, 2000000000], [read.max, 2000000000],
        [read.size, 100000000000000000]] if number is not none and number.isdigit()
        and not 1 <= number | int <= limit -%}
        {%- do read.update({'kind': none}) -%}
    {%- endfor -%}
    {%- if read.kind is none -%}
        {%- do faults.append("`store` is '" ~ store ~ "'; write one of: "
            ~ strandline._grammar()) -%}
    {%- endif -%}
    {{- return(read) -}}
{% endmacro %}

{#- What follows `last`: a number of rows, a length of time, or an expression over the keys in
    parentheses with or without a unit of time. -#}
{% macro _read_last(text, read) %}
    {%- set by_key = modules.re.match('^(\\(.+\\))(?: (\\w+))?$', text) -%}
    {%- set unit = none if not by_key
        else strandline._period('1 ' ~ (by_key.group(2) or '')).fixed -%}
    {%- if text.isdigit() -%}
        {%- do read.update({'kind': 'sliding', 'count': text}) -%}
    {%- elif by_key and not by_key.group(2) -%}
        {%- do read.update({'kind': 'sliding', 'count': by_key.group(1),
            'by_key': by_key.group(1)}) -%}
    {%- elif by_key and unit -%}
        {%- do read.update({'kind': 'time', 'by_key': by_key.group(1),
            'size': 'cast(' ~ by_key.group(1) ~ ' * ' ~ unit ~ 'L as bigint)'}) -%}
    {%- elif not by_key and strandline._period(text).fixed is not none -%}
        {%- do read.update({'kind': 'time', 'size': strandline._period(text).fixed | string}) -%}
    {%- endif -%}
{% endmacro %}

{#- The phrases of `store`, for messages. -#}
{% macro _grammar() %}
    {{- return("last N; last N milliseconds|seconds|minutes|hours|days [max M]; latest N; "
        ~ "random N [seed S]; highest N using column; lowest N using column; N and M are whole "
        ~ "numbers from 1 up, after `last` also an expression over the keys in parentheses, such "
        ~ "as last (case when tier = 'gold' then 60 else 10 end) seconds") -}}
{% endmacro %}

{#- Whether the stays are folded per key, because the rule is sequential. -#}
{% macro _is_folded(store) %}
    {{- return(store.kind in ['highest', 'lowest'] or store.max is not none
        or (store.kind == 'sliding' and store.by_key is not none)) -}}
{% endmacro %}

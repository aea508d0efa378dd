{#- Reads `when`: a list of patterns, each a conjunction of aliases, some with `not`. Returns for
    each its `text`, and `present` and `absent`, the places of the aliases. Appends faults. -#}
{% macro _read_patterns(when, aliases, faults) %}
    {%- set read = [] -%}
    {%- set allowed = "write a list of patterns such as ['one and two and not three', 'one and not "
        ~ "two']: aliases joined by `and`, each with or without `not`; the patterns of the list "
        ~ "are alternatives" -%}
    {%- if when is string or when is mapping or when is not iterable or not when | list -%}
        {%- do faults.append("`when` is '" ~ when ~ "'; " ~ allowed) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for text in when -%}
        {%- set words = (text | string | trim).split() | join(' ') -%}
        {%- set pattern = {'text': words, 'present': [], 'absent': []} -%}
        {%- if '(' in words or ')' in words -%}
            {%- do faults.append("`when` has '" ~ text ~ "', which has parentheses; " ~ allowed) -%}
        {%- elif modules.re.search('(?i)\\bor\\b', words) -%}
            {%- do faults.append("`when` has '" ~ text ~ "', which has an `or`; make each side a "
                ~ "pattern of its own: " ~ allowed) -%}
        {%- else -%}
            {%- do strandline._read_pattern(words, aliases, pattern, allowed, faults) -%}
        {%- endif -%}
        {%- for other in read
            if pattern.present | sort == other.present | sort and pattern.present
            and pattern.absent | sort == other.absent | sort -%}
            {%- do faults.append("`when` has '" ~ words ~ "' and '" ~ other.text
                ~ "', which are the same pattern; leave one out") -%}
        {%- endfor -%}
        {%- do read.append(pattern) -%}
    {%- endfor -%}
    {{- return(read) -}}
{% endmacro %}

{#- One pattern: adds the places of its aliases. -#}
{% macro _read_pattern(words, aliases, pattern, allowed, faults) %}
    {%- for term in modules.re.split('(?i) and ', words) -%}
        {%- set form = modules.re.match('(?i)^(not )?(\\w+)$', term) -%}
        {%- set alias = form.group(2) | lower if form else none -%}
        {%- if not form or alias in ['and', 'not'] -%}
            {%- do faults.append("`when` has '" ~ words ~ "'; " ~ allowed) -%}
        {%- elif alias not in aliases -%}
            {%- do faults.append("`when` has '" ~ words ~ "', and `streams` has no alias '"
                ~ form.group(2) ~ "'; it has " ~ strandline._choices(aliases)
                ~ strandline._nearest(alias, aliases)) -%}
        {%- elif aliases.index(alias) in pattern.present + pattern.absent -%}
            {%- do faults.append("`when` has '" ~ words ~ "', which names " ~ alias
                ~ " twice; name each alias once") -%}
        {%- else -%}
            {%- set side = 'absent' if form.group(1) else 'present' -%}
            {%- do pattern[side].append(aliases.index(alias)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if pattern.absent and not pattern.present -%}
        {%- do faults.append("`when` has '" ~ words ~ "', which has no alias without `not`; a "
            ~ "pattern begins when an event of such a stream is there, as in 'one and not two'") -%}
    {%- endif -%}
{% endmacro %}

{#- The bits of some places, as a literal: the set of their streams. -#}
{% macro _stream_bits(places) %}
    {%- set bits = namespace(sum=0) -%}
    {%- for place in places -%}{%- set bits.sum = bits.sum + 2 ** place -%}{%- endfor -%}
    {{- return(bits.sum ~ 'L') -}}
{% endmacro %}

{#- Reads `within`: a pair of instants (text with an optional offset, or Unix milliseconds), or one
    pattern such as '2018-01-** **:**:**'. Returns [start, end) in Unix milliseconds. -#}
{% macro _within_bounds(within, who) %}
    {%- set forms = "write a pair ['2014-02-15 00:00:00 +05:30', '2014-03-16 00:00:00 +05:30'], a "
        ~ "pair of Unix milliseconds, or one pattern such as '2018-01-** **:**:**' (the zone may "
        ~ "be left out and is GMT then)" -%}
    {%- set given = "`within` is "
        ~ (within | string if within is not string else "'" ~ within ~ "'") -%}
    {%- if within is string -%}
        {%- set bounds = strandline._pattern_bounds(within) -%}
    {%- elif within is sequence and within is not mapping and within | length == 2 -%}
        {%- set bounds = [strandline._instant_millis(within[0]),
            strandline._instant_millis(within[1])] -%}
    {%- else -%}
        {%- set bounds = none -%}
    {%- endif -%}

    {%- if not bounds or none in bounds -%}
        {%- do strandline._refuse(who, [given ~ "; " ~ forms]) -%}
    {%- endif -%}
    {%- if bounds[0] >= bounds[1] -%}
        {%- do strandline._refuse(who,
            [given ~ ", whose start is not before its end; the first must be earlier than the "
                ~ "second"]) -%}
    {%- endif -%}
    {{- return(bounds) -}}
{% endmacro %}

{#- What to write as `within`, for a missing one. -#}
{% macro _within_form() %}
    {{- return("write a pair such as ['2014-02-15 00:00:00', '2014-03-16 00:00:00'] or a pattern "
        ~ "such as '2018-01-** **:**:**'") -}}
{% endmacro %}

{#- [start, end) in Unix milliseconds of a pattern whose right part is asterisks: `2018-01-**
    **:**:**` is January 2018. None if the text is no such pattern, for instance with an asterisk to
    the left of a number. -#}
{% macro _pattern_bounds(pattern) %}
    {%- set form = '^(\\d{4})-(\\d\\d|\\*\\*)-(\\d\\d|\\*\\*) '
        ~ '(\\d\\d|\\*\\*):(\\d\\d|\\*\\*):(\\d\\d|\\*\\*)(?: ?(Z|[+-]\\d\\d:\\d\\d))?$' -%}
    {%- set read = modules.re.match(form, pattern | trim, modules.re.A) -%}
    {%- if read is none -%}{{- return(none) -}}{%- endif -%}
    {%- set written = read.groups()[:6] -%}
    {%- set known = written | reject('equalto', '**') | list | length -%}
    {%- if '**' in written[:known] -%}{{- return(none) -}}{%- endif -%}

    {%- set start = written[:known] | map('int') | list + [1, 1, 1, 0, 0, 0][known:] -%}
    {%- set from = strandline._utc_millis(start, read.group(7)) -%}
    {%- if from is none -%}{{- return(none) -}}{%- endif -%}
    {%- if known <= 2 -%}
        {%- set next = [start[0] + 1, 1] if known == 1 or start[1] == 12
            else [start[0], start[1] + 1] -%}
        {{- return([from, strandline._utc_millis(next + [1, 0, 0, 0], read.group(7))]) -}}
    {%- endif -%}
    {{- return([from, from + {3: 86400, 4: 3600, 5: 60, 6: 1}[known] * 1000]) -}}
{% endmacro %}

{#- The regular expression of a pattern of `within`, for Spark: any number of fields from the right
    can be asterisks. Without backslashes, like `_text_form`, which is the case without
    asterisks. -#}
{% macro _pattern_form() %}
    {%- set forms = [] -%}
    {%- for known in range(1, 7) -%}
        {%- set fields = ['[0-9]{4}'] + ['[0-9]{2}'] * (known - 1) + ['[*]{2}'] * (6 - known) -%}
        {%- do forms.append('%s-%s-%s %s:%s:%s' | format(*fields)) -%}
    {%- endfor -%}
    {{- return('^(' ~ forms | join('|') ~ ')( ?(Z|[+-][0-9]{2}:[0-9]{2}))?$') -}}
{% endmacro %}

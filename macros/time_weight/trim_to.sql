{#- A heartbeat summary narrowed to a range: a summary again. See _macros.yml. -#}
{% macro trim_to(summary, start=none, length=none, end=none) -%}
    {%- set who = 'trim_to of ' ~ summary -%}
    {%- if start is none and length is none and end is none -%}
        {%- do strandline._refuse(who, ["`start`, `length` and `end` are missing; write where the "
            ~ "narrower range begins, how long it is, or where it ends"]) -%}
    {%- endif -%}
    {%- set from = start if start is not none else '(' ~ summary ~ ').start' -%}
    {%- set own_end = 'unix_micros((' ~ summary ~ ').end)' -%}
    {%- set to = own_end if length is none and end is none
        else strandline._bucket_end(from, length, end, who) -%}
    transform(array(named_struct(
            'own', {{ summary }},
            'from', unix_micros(cast({{ from }} as timestamp)), 'to', {{ to }})), h -> case
        when h.own is null or h.from is null or h.to is null then null
        when h.from < unix_micros(h.own.start) or h.to > unix_micros(h.own.end) or h.from >= h.to
            then {{ strandline._refused_trim(who) }}
        else transform(array({{ strandline._trimmed_ranges() }}), r ->
            {{ strandline._heartbeat_summary(
            'h.from', 'h.to', 'h.own.interval',
            'get(r, 0).from', 'get(r, size(r) - 1).to - h.own.interval', 'r') }})[0]
        end)[0]
{%- endmacro %}

{#- The ranges of `h.own` between `h.from` and `h.to`, in microseconds. A range that extends beyond
    the end keeps its own end if its last heartbeat is before `h.to`. Otherwise the last heartbeat
    before `h.to` is unknown, and the range ends there. -#}
{% macro _trimmed_ranges() -%}
    transform(
            filter({{ strandline._micro_ranges('h.own.ranges') }},
                x -> x.from < h.to and x.to > h.from),
            x -> named_struct(
                'from', greatest(x.from, h.from),
                'to', if(x.to - h.own.interval < h.to, x.to, h.to)))
{%- endmacro %}

{#- Fails the query for a range that is not inside that of the summary. -#}
{% macro _refused_trim(who) -%}
    raise_error(concat({{ strandline._literal(who ~ ': [') }},
                timestamp_micros(h.from), ', ', timestamp_micros(h.to),
                ') is not within the range of the summary, [', h.own.start, ', ', h.own.end,
                '); the trimmed range must be within it'))
{%- endmacro %}

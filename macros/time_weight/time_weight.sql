{#- The time-weight summary of the points of a group: an aggregate expression. See _macros.yml. -#}
{% macro time_weight(ts, value, method, gap=none, arrival=none) -%}
    {%- do strandline._check_call('time_weight', kwargs, varargs, {
        'ts': [ts, "name the column of the points' time"],
        'value': [value, "name the column of the points' value"],
        'method': [method, "write one of locf, linear, trapezoidal"],
    }, ['gap', 'arrival']) -%}
    {%- set faults = [] -%}
    {%- set method = strandline._read_method(method, faults) -%}
    {%- set gap = strandline._read_gap(gap, strandline._period(gap).fixed, faults) -%}
    {%- do strandline._refuse('time_weight of ' ~ value, faults) -%}
    {{- strandline._folded_points(strandline._collected_points(ts, value, arrival), "'" ~ method ~ "'", gap) }}
{%- endmacro %}

{#- The time weight of an array of points in the order of time; null when it is empty. -#}
{% macro _folded_points(points, method, gap) -%}
    {%- set length = 'p.t - s.lt' -%}
    {%- set counted = strandline._counted(method, gap, length) -%}
    aggregate(
        {{ points }},
        cast(null as struct<ws: double, el: bigint, gaps: bigint, ft: bigint, fv: double, lt: bigint, lv: double>),
        (s, p) -> case
            when s is null then named_struct('ws', 0D, 'el', 0L, 'gaps', 0L, 'ft', p.t, 'fv', p.value, 'lt', p.t, 'lv', p.value)
            when p.t = s.lt then s
            else named_struct(
                'ws', s.ws + {{ strandline._weight(method, 's.lv', 'p.value', counted) }},
                'el', s.el + {{ counted }},
                'gaps', s.gaps + if({{ length }} > {{ gap }}, 1L, 0L),
                'ft', s.ft, 'fv', s.fv, 'lt', p.t, 'lv', p.value)
            end,
        s -> if(s is null, null, named_struct(
            'method', {{ method }}, 'gap', {{ gap }}, 'weighted_sum', s.ws, 'elapsed', s.el, 'num_gaps', s.gaps,
            'first_time', timestamp_micros(s.ft), 'first_value', s.fv,
            'last_time', timestamp_micros(s.lt), 'last_value', s.lv)))
{%- endmacro %}

{#- How much of the interval between two neighbouring points counts, in microseconds: under LOCF a
    value is valid for no longer than the gap; a line is drawn over no interval longer than it. -#}
{% macro _counted(method, gap, length) -%}
    if({{ length }} > {{ gap }}, if({{ method }} = 'locf', {{ gap }}, 0L), {{ length }})
{%- endmacro %}

{#- What counted microseconds between two neighbouring points add to the weighted sum, in value ×
    seconds; nothing when none count, also where a value is NaN or infinite. -#}
{% macro _weight(method, before, after, counted) -%}
    if({{ counted }} = 0, 0D, if({{ method }} = 'locf', {{ before }}, ({{ before }} + {{ after }}) / 2) * (({{ counted }}) / 1e6D))
{%- endmacro %}

{#- The points of a group in the order of time, as an array. Those without a time or a value are
    left out. Among equal times the first to arrive stands first, and without an arrival the least
    value: any order of the rows gives the same. -#}
{% macro _collected_points(ts, value, arrival=none) -%}
    sort_array(collect_list(case when {{ ts }} is not null and {{ value }} is not null then named_struct(
        't', unix_micros(cast({{ ts }} as timestamp)),
        {%- if arrival %} 'arrival', {{ arrival }},{% endif %} 'value', cast({{ value }} as double)) end))
{%- endmacro %}

{#- A gap as a SQL expression of its microseconds (`_period(gap).fixed`), null for none; adds a
    fault for what is no length of time. -#}
{% macro _read_gap(gap, micros, faults) %}
    {%- if gap is none -%}{{- return('cast(null as bigint)') -}}{%- endif -%}
    {%- if not micros -%}
        {%- do faults.append("`gap` is '" ~ gap ~ "'; write a length of time above 0 such as '30 minutes' or 'PT30M' "
            ~ "(weeks to microseconds), or none for a signal without gaps") -%}
    {%- endif -%}
    {{- return((micros or 0) ~ 'L') -}}
{% endmacro %}

{#- The method that is stored for one that was written; adds a fault for an unknown one. -#}
{% macro _read_method(method, faults) %}
    {%- set known = strandline._methods() -%}
    {%- if method | string | lower not in known -%}
        {%- do faults.append("`method` is '" ~ method ~ "'; write one of " ~ strandline._choices(known)) -%}
    {%- endif -%}
    {{- return(known.get(method | string | lower)) -}}
{% endmacro %}

{#- The methods of a time weight: what a person may write, in any case, and what is stored. -#}
{% macro _methods() %}
    {{- return({'locf': 'locf', 'linear': 'linear', 'trapezoidal': 'linear'}) -}}
{% endmacro %}

{#- A gap as a message says it. -#}
{% macro _gap_text(gap) -%}
    coalesce(concat({{ gap }} / 1e6D, ' seconds'), 'none')
{%- endmacro %}

{#- The summaries of a group in the order of time, as an array of structs whose field `part` has
    them. -#}
{% macro _collected_parts(summary) -%}
    sort_array(collect_list(case when {{ summary }} is not null
        then named_struct('from', ({{ summary }}).first_time, 'to', ({{ summary }}).last_time, 'part', {{ summary }}) end))
{%- endmacro %}

{#- The time weight of an array of parts in the order of time: what lies between two neighbours
    counts by the rule that holds inside them. Parts that overlap, or were made by other rules, stop
    the query. -#}
{% macro _merged_time_weights(parts) -%}
    {%- set length = '(unix_micros(p.part.first_time) - unix_micros(s.last_time))' -%}
    {%- set counted = strandline._counted('s.method', 's.gap', length) -%}
    aggregate(
        {{ parts }},
        cast(null as struct<method: string, gap: bigint, weighted_sum: double, elapsed: bigint, num_gaps: bigint,
            first_time: timestamp, first_value: double, last_time: timestamp, last_value: double>),
        (s, p) -> case
            when s is null then p.part
            when {{ strandline._is_incompatible('s', 'p.part') }} then raise_error(concat('time_weight: ',
                case
                    when s.method <> p.part.method then concat('one part has the method ', s.method, ' and the next ', p.part.method)
                    when not s.gap <=> p.part.gap then concat('one part has a gap of ', {{ strandline._gap_text('s.gap') }},
                        ' and the next of ', {{ strandline._gap_text('p.part.gap') }})
                    else concat('parts overlap: one lasts to ', s.last_time, ' and the next begins at ', p.part.first_time)
                end,
                '; join summaries of one method and one gap, whose points lie one after the other'))
            else named_struct(
                'method', s.method, 'gap', s.gap,
                'weighted_sum', s.weighted_sum + p.part.weighted_sum
                    + {{ strandline._weight('s.method', 's.last_value', 'p.part.first_value', counted) }},
                'elapsed', s.elapsed + p.part.elapsed + {{ counted }},
                'num_gaps', s.num_gaps + p.part.num_gaps + if({{ length }} > s.gap, 1L, 0L),
                'first_time', s.first_time, 'first_value', s.first_value,
                'last_time', p.part.last_time, 'last_value', p.part.last_value)
            end)
{%- endmacro %}

{#- Whether two neighbouring time weights cannot be joined. -#}
{% macro _is_incompatible(a, b) -%}
    {{ a }}.method <> {{ b }}.method or not {{ a }}.gap <=> {{ b }}.gap or {{ a }}.last_time >= {{ b }}.first_time
{%- endmacro %}

{#- One summary of many, in the order of time: an aggregate expression. See _macros.yml. -#}
{% macro rollup(summary, of='time_weight') -%}
    {%- do strandline._check_call('rollup', kwargs, varargs, {
        'summary': [summary, "name the column of the summaries"],
    }, ['of']) -%}
    {%- set kinds = ['time_weight', 'state_agg', 'heartbeat_agg'] -%}
    {%- if of not in kinds -%}
        {%- do strandline._refuse('rollup of ' ~ summary, ["`of` is '" ~ of ~ "'; write which kind of summary it is: "
            ~ strandline._choices(kinds)]) -%}
    {%- endif -%}
    {{- strandline['_rolled_' ~ of](strandline._collected_parts(summary)) }}
{%- endmacro %}

{#- The summaries of a group in the order of time, as an array of structs whose field `part` has them. -#}
{% macro _collected_parts(summary) -%}
    sort_array(collect_list(case when {{ summary }} is not null
        then named_struct('from', ({{ summary }}).first_time, 'to', ({{ summary }}).last_time, 'part', {{ summary }}) end))
{%- endmacro %}

{#- The time weight of an array of parts in the order of time: what lies between two neighbours counts by the
    rule that holds inside them. Parts that overlap, or were made by other rules, stop the query. -#}
{% macro _rolled_time_weight(parts) -%}
    {%- set length = '(unix_micros(p.part.first_time) - unix_micros(s.last_time))' -%}
    {%- set counted = strandline._counted('s.method', 's.gap', length) -%}
    aggregate(
        {{ parts }},
        cast(null as struct<method: string, gap: bigint, weighted_sum: double, elapsed: bigint, num_gaps: bigint,
            first_time: timestamp, first_value: double, last_time: timestamp, last_value: double>),
        (s, p) -> case
            when s is null then p.part
            when {{ strandline._is_unlike('s', 'p.part') }} then {{ strandline._refused_parts('s', 'p.part') }}
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

{#- Stops the query with what is wrong with two neighbouring time weights. -#}
{% macro _refused_parts(a, b) -%}
    raise_error(concat('time_weight: ',
                case
                    when {{ a }}.method <> {{ b }}.method then concat('one part has the method ', {{ a }}.method, ' and the next ', {{ b }}.method)
                    when not {{ a }}.gap <=> {{ b }}.gap then concat('one part has a gap of ', {{ strandline._told_gap(a ~ '.gap') }},
                        ' and the next of ', {{ strandline._told_gap(b ~ '.gap') }})
                    else concat('parts overlap: one lasts to ', {{ a }}.last_time, ' and the next begins at ', {{ b }}.first_time)
                end,
                '; join summaries of one method and one gap, whose points lie one after the other'))
{%- endmacro %}

{#- Whether two neighbouring time weights cannot be joined. -#}
{% macro _is_unlike(a, b) -%}
    {{ a }}.method <> {{ b }}.method or not {{ a }}.gap <=> {{ b }}.gap or {{ a }}.last_time >= {{ b }}.first_time
{%- endmacro %}

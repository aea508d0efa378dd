{#- The body of the model `<name>_ledger`: where the events of an aggregation have gone, one row for
    each run that read some. See _macros.yml. The materialization computes the rows; the body names
    the tables that it reads. -#}
{% macro aggregation_ledger(definition, quarantine=none) %}
    {%- do strandline._check_definition(definition, 'aggregation_ledger') -%}
    {%- set read = strandline._arguments("aggregation_ledger of '" ~ definition.name ~ "'", kwargs,
        varargs, {
        'definition': ['any', definition],
        'quarantine': strandline._quarantine_argument(quarantine),
    }) -%}
    {%- set tables = [] -%}
    {%- for duration in definition.durations -%}
        {%- set table = ref(definition.name ~ '_' ~ duration) -%}
        {%- do tables.append({'name': table.identifier, 'relation': table | string,
            'is_kept': definition.retention.get(duration) is none}) -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, strandline._ledger_faults(definition, tables)
        + read.faults) -%}
    {%- set corrects = definition.mutability_seconds is not none
        or strandline._run_setting('strandline_from') is not none -%}
    {{- strandline._ledger_body(definition.name, definition.source, definition.arrival, tables,
        ref(definition.name ~ '_late'), quarantine, {'corrects': corrects,
        'has_lookback': definition.arrival_lookback is not none,
        'way_out': '' if definition.buffer else "; to count them, recompute the range of their "
            ~ "times, such as `strandline run --from 2026-01-01 --to 2026-01-02`"}) -}}
{% endmacro %}

{#- A ledger needs the count of all events, and a table that keeps it. -#}
{% macro _ledger_faults(definition, tables) %}
    {%- set faults = [] -%}
    {%- if 'agg_count' not in definition.parts | map(attribute='column') | list -%}
        {%- do faults.append("`select` does not count the events; add an output such as "
            ~ "'events': 'count(*)'") -%}
    {%- endif -%}
    {%- if not tables | selectattr('is_kept') | list -%}
        {%- do faults.append("`retention` removes rows of every duration, and what was counted in "
            ~ "them is not known any more; keep one duration ('all')") -%}
    {%- endif -%}
    {{- return(faults) -}}
{% endmacro %}

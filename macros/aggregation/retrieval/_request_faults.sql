{#- What can be wrong with a request, each as an expression that gives the fault's text or null. A fault
    says the column, what was given, and what is allowed; no text depends on the session's zone. -#}
{% macro _request_faults(join) %}
    {%- set faults = [] -%}
    {%- set within, per = join.within, join.per_column -%}
    {%- set forms = {
        'pattern': 'is no stretch of time: write yyyy-**-** **:**:** to yyyy-MM-dd HH:mm:ss, asterisks on the right, and +HH:MM if not GMT',
        'millis': 'is no instant: write Unix milliseconds of a year from 1 to 9999',
        'text': 'is no instant: write yyyy-MM-dd HH:mm:ss[ +HH:MM] or Unix milliseconds',
    } -%}
    {%- for name in ['pattern', 'start', 'end'] if within[name] and within[name].column -%}
        {%- set side = within[name] -%}
        {%- set form = 'pattern' if name == 'pattern' else 'millis' if side.kind == 'millis' else 'text' -%}
        {%- do faults.append(strandline._request_fault(
            side.column, 'strandline_' ~ ('start' if name == 'pattern' else name), forms[form])) -%}
    {%- endfor -%}
    {%- if within.columns and not within.pattern -%}
        {%- set start, end = strandline._shown_bound(within.start), strandline._shown_bound(within.end) -%}
        {%- do faults.append("case when b.strandline_start >= b.strandline_end then concat("
            ~ start ~ ", ' is not before ', " ~ end ~ ") end") -%}
    {%- endif -%}
    {%- if per -%}
        {%- do faults.append(strandline._request_fault(per, 'strandline_per', 'is no duration of ' ~ join.definition.name
            ~ ', which is defined for ' ~ strandline._choices(join.definition.durations))) -%}
    {%- endif -%}
    {{- return(faults) -}}
{% endmacro %}

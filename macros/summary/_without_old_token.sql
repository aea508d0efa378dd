{#- Takes out of the session what a write that failed, of whatever table, may have left there: under its token Delta
    would pass over later writes and report success. Our own adapter leaves none. -#}
{% macro _without_old_token() %}
    {%- if adapter.type() != 'strandline' -%}{%- do strandline._without_token() -%}{%- endif -%}
{% endmacro %}

{#- One commit that replaces the rows of some partitions, or appends rows; under a token, if there is
    one. The token is an option of the statement: in the session it would outlive a failed write,
    and Delta would pass over other writes with success. -#}
{% macro _insert_rows(relation, change, build=none) -%}
insert into {{ relation }}
{%- if change.token is not none %} with ('txnAppId' = 'strandline-{{ build }}', 'txnVersion' = '{{ change.token }}'){% endif %}
{%- if change.partitions %} replace where {{ strandline._in_partitions(change.partitions) }}{% endif %}
{{ change.sql }}
{%- endmacro %}

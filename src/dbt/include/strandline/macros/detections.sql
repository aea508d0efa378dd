{#- Writes the detections of a run that the table does not have. `detect` returns some of them
    again if a run has not ended, or if its state was taken back to an older commit. The statement
    reads the table that it writes, so Delta lets only one of two runs at once commit. -#}
{% macro insert_detections(found, relation) %}
  {%- set first = run_query('select min(arrival) from ' ~ found).rows[0][0] -%}
  {%- if first is none -%}
    {%- call noop_statement('main', message='no new detections', rows_affected=0) -%}{%- endcall -%}
  {%- else -%}
    {%- set columns = adapter.get_columns_in_relation(relation) | map(attribute='quoted') | join(', ') -%}
    {#- The literal lets Delta skip files of older detections. -#}
    {%- call statement('main') -%}
      insert into {{ relation }}
      select {{ columns }} from {{ found }} as found
      where not exists (
        select 1 from {{ relation }} as known
        where known.arrival >= {{ first }} and known.detection_id = found.detection_id
      )
    {%- endcall -%}
  {%- endif -%}
{% endmacro %}

{#- What the detector reads: `per` is a duration of the aggregation, `on` restricts the keys. -#}
select *
from {{ strandline.aggregation_within(
    [[ events ]]_aggregation(), per='[[ step.per ]]',
    within=['1900-01-01 00:00:00', '2100-01-01 00:00:00']) }}

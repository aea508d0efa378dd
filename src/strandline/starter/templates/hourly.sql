select *
from {{ strandline.aggregation_within(
    [[ events ]]_aggregation(), per='hours',
    within=['2000-01-01 00:00:00', '2100-01-01 00:00:00']) }}

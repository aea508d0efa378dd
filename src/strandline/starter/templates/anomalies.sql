{{ strandline.anomalies(
    detections=[ref('[[ events ]]_[[ detector ]]')],
    keys=[[ anomaly_keys ]],
    granularity='[[ step.granularity ]]', mutability_period='[[ step.mutability ]]', notify_look_back='P7D',
    upstream=[ref('[[ events ]]_aggregation_[[ step.per ]]')], late='analyse',
    not_after='current_timestamp() + interval 1 day',
    clock='(select max([[ ts ]])[% if is_whole %] + interval 1 [[ step.one ]][% endif %] from ' ~ [[ source ]] ~ ')') }}

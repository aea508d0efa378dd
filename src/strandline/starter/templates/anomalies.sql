{{ strandline.anomalies(
    detections=[ref('[[ events ]]_[[ detector ]]')],
    keys=[[ anomaly_keys ]],
    granularity='PT1H', mutability_period='P2D', notify_look_back='P7D',
    upstream=[ref('[[ events ]]_aggregation_hours')], late='analyse',
    not_after='current_timestamp() + interval 1 day',
    clock='(select max([[ ts ]]) from ' ~ [[ source ]] ~ ')') }}

{{ strandline.anomalies(
    detections=[ref('[[ events ]]_[[ detector ]]')],
    keys=[[ anomaly_keys ]],
    granularity='PT1H', mutability_period='P2D',
    clock='(select max([[ ts ]]) from ' ~ [[ source ]] ~ ')') }}

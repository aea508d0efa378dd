{#- What is found, stored. A further detector is one more `ref` in `detections`. What was found in
    the last `mutability_period` is compared again by each run. Of the history that a first run
    finds, only what ends in the last `notify_look_back` is notified. -#}
{{ strandline.anomalies(
    detections=[ref('[[ events ]]_[[ detector ]]')],
    keys=[[ anomaly_keys ]],
    granularity='[[ grid ]]', mutability_period='[[ step.mutability ]]', notify_look_back='P7D',
    upstream=[ref('[[ events ]]_aggregation_[[ step.per ]]')], late='analyse',
    not_after='current_timestamp() + interval 1 day',
    clock='(select max([[ ts ]])[% if is_whole %] + interval 1 [[ step.one ]][% endif %] from ' ~ [[ source ]] ~ ')') }}

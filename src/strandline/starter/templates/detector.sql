[% if bounds %]
{{ strandline.threshold_detector(ref('[[ events ]]_hourly'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='PT1H',
    [[ bounds ]]) }}
[% else %]
{{ strandline.mean_variance_detector(ref('[[ events ]]_hourly'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='PT1H',
    lookback='P7D', sensitivity=0, min_values=5) }}
[% endif %]

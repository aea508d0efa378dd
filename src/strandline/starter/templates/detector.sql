[% if bounds %]
{{ strandline.threshold_detector(ref('[[ events ]]_hourly'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='PT1H',
    [[ bounds ]]) }}
[% else %]
{#- Hours that are further from the median [[ proposal.way.words ]] than
    [[ proposal.deviations ]] median absolute deviations, and than [[ min_change ]].
    [[ proposal.found ]]
    `strandline trial [[ events ]]_[[ detector ]]` counts them again after a change. -#}
{{ strandline.median_detector(ref('[[ events ]]_hourly'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='PT1H',
    lookback='[[ proposal.way.lookback ]]',
[%- if proposal.way.seasonality %] seasonality='[[ proposal.way.seasonality ]]',[% endif %]
 deviations=[[ proposal.deviations ]], min_change=[[ min_change ]]) }}
[% endif %]

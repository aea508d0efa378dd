[% if bounds %]
{#- [[ detected ]]
    `strandline trial [[ events ]]_[[ detector ]]` counts them in the past after a change of the
    bounds; `min_duration` asks for several in a row. -#}
{{ strandline.threshold_detector(ref('[[ events ]]_[[ step.adverb ]]'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='[[ step.granularity ]]',
    [[ bounds ]][% if not value %],
    missing='zero'[% endif %][% if zone %],
    time_zone='[[ zone ]]'[% endif %]) }}
[% else %]
{#- [[ step.per|capitalize ]] that are further from the median [[ proposal.way.words ]] than
    [[ proposal.deviations ]] median absolute deviations, and than [[ min_change ]].
    [[ proposal.found ]]
    `strandline trial [[ events ]]_[[ detector ]]` counts them again after a change. -#}
{{ strandline.median_detector(ref('[[ events ]]_[[ step.adverb ]]'), detector='[[ detector ]]',
    keys=[[ keys ]], ts='agg_timestamp', value='[[ measure ]]', granularity='[[ step.granularity ]]',
    lookback='[[ proposal.way.lookback ]]',
[%- if proposal.way.seasonality %] seasonality='[[ proposal.way.seasonality ]]',[% endif %]
 deviations=[[ proposal.deviations ]], min_change=[[ min_change ]][% if not value %],
    missing='zero'[% endif %][% if zone %],
    time_zone='[[ zone ]]'[% endif %]) }}
[% endif %]

{#- Each table of the aggregation is a model of one line in models/[[ events ]].
[%- if event_id %] Of rows with the
    same `event_id` the first one counts; the others are in [[ events ]]_aggregation_late.
[%- endif %] -#}
{% macro [[ events ]]_aggregation() %}
    {{ return(strandline.aggregation(
        name='[[ events ]]_aggregation',
        source=[[ source ]],
        select={
[% if value %]
            'avg_[[ value ]]': 'avg([[ value ]])',
            'min_[[ value ]]': 'min([[ value ]])',
            'max_[[ value ]]': 'max([[ value ]])',
[% endif %]
            '[[ counted ]]': 'count(*)',
        },
        keys=[[ keys ]],
        ts='[[ ts ]]',
[% if event_id %]
        event_id='[[ event_id ]]',
[% endif %]
        every='minute...day'[% if zone %],
        time_zone='[[ zone ]]'[% endif %])) }}
{% endmacro %}

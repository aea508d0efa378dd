{#- Each table of the aggregation is a model of one line in models/[[ events ]]. -#}
{% macro [[ events ]]_aggregation() %}
    {{ return(strandline.aggregation(
        name='[[ events ]]_aggregation',
        source=[[ source ]],
        select={
            '[[ counted ]]': 'count(*)',
[% if value %]
            'avg_[[ value ]]': 'avg([[ value ]])',
            'min_[[ value ]]': 'min([[ value ]])',
            'max_[[ value ]]': 'max([[ value ]])',
[% endif %]
        },
        keys=[[ keys ]],
        ts='[[ ts ]]',
        every='minute...day')) }}
{% endmacro %}

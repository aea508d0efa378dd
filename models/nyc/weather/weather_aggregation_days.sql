{{ strandline.aggregation_table(strandline.weather_aggregation(), 'days') }}

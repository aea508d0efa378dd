{{ strandline.aggregation_table(strandline.weather_aggregation(), 'months') }}

{{ strandline.aggregation_table(strandline.flight_aggregation(), 'minutes') }}

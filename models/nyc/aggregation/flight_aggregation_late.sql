{{ strandline.aggregation_late(strandline.flight_aggregation()) }}

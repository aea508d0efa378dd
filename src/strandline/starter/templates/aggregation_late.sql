{{ strandline.aggregation_late([[ events ]]_aggregation()) }}

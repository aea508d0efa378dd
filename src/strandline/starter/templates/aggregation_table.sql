{{ strandline.aggregation_table([[ events ]]_aggregation(), '[[ duration ]]') }}

{{ strandline.window_table(source=ref('stg_departures'), ts='departed_at', keys=['tailnum'],
    store='last 6 hours') }}

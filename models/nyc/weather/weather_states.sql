{{ strandline.state_agg_table(ref('stg_weather'), keys=['origin'], ts='observed_at',
    state='weather', bucket='1 day', gap='90 minutes') }}

{{ strandline.correlation_table(
    streams={
        'scheduled': {'window': ref('scheduled_flights'), 'on': 'flight_id'},
        'departed': {'window': ref('departed_flights'), 'on': 'flight_id'},
        'arrived': {'window': ref('arrived_flights'), 'on': 'flight_id'}},
    when=['scheduled and departed and arrived', 'scheduled and departed and not arrived',
        'scheduled and not departed'],
    select={
        'flight_id': 'scheduled.flight_id', 'carrier': 'scheduled.carrier',
        'origin': 'scheduled.origin', 'dest': 'scheduled.dest',
        'scheduled_at': 'scheduled.event_at', 'departed_at': 'departed.event_at',
        'arrived_at': 'arrived.event_at',
        'comment': "case when departed_at is null then 'cancelled'
            when arrived_at is null then 'diverted or lost' else 'fine' end"}) }}

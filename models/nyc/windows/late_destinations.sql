{{ strandline.window_table(source=ref('destination_delays'),
    store='highest 10 using total_delay', update_group=['dest'],
    where='$row_status is new') }}

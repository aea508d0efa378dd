{{ strandline.threshold_detector(ref('cancelled_hours'), detector='cancelled_flights',
    keys=['carrier', 'origin'], ts='hour_start', value='cancelled', granularity='PT1H', max=4) }}

{{ strandline.detection_status(ref('flight_detections'), name='flight_delays') }}

{{ strandline.detection_late(ref('flight_detections'), name='flight_delays') }}

{{ strandline.detection_late(ref('weather_detections'), name='pressure_falls') }}

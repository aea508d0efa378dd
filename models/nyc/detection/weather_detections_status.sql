{{ strandline.detection_status(ref('weather_detections'), name='pressure_falls') }}

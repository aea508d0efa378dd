"""Late departures: far too late, late for hours, and later than nearly all of the hours before."""

from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt,
        session,
        name="flight_delays",
        source=dbt.ref("stg_departures"),
        ts="departed_at",
        keys=["carrier", "origin"],
        metrics=[
            "departure_delay > 180",
            "avg(departure_delay) > 60",
            "departure_delay > percentile(departure_delay, 95)",
            "if(count(departure_delay) >= 10, avg(departure_delay), 0) > 180",
        ],
        detectors=["late_departure", "late_hours", "later_than_before", "late_carrier"],
        anomaly_description=[
            "a departure more than three hours late",
            "six hours with an average delay above an hour",
            "a departure later than 95 of 100 in the last window that closed",
            "six hours with ten departures or more, on average over three hours late",
        ],
        window_size="6 hours",
        step="1 hour",
        precision="minute",
    )

"""Storms on their way: the pressure falls by more than 3 hPa from one report to the next."""

from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt,
        session,
        name="pressure_falls",
        source=dbt.ref("stg_weather"),
        ts="observed_at",
        keys=["origin"],
        metrics=["deltas(pressure) < -3"],
        precision="minute",
    )

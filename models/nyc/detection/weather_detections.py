"""Storms on their way: the pressure falls by more than 3 hPa from one report to the next."""

from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt,
        session,
        name="pressure_falls",
        events=dbt.ref("stg_weather"),
        time_column="observed_at",
        key_columns=["origin"],
        metrics=["deltas(pressure) < -3"],
        precision="minute",
    )

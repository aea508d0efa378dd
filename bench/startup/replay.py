"""`python -m bench.startup.replay prepare|reset|day`: the flights for the measured builds.

`prepare` lands the year once and keeps its last day aside; `reset` takes everything built away;
`day` lets the last day arrive. So a build can be measured again and again without landing anew.
The weather, which ends before that day, is landed beside the flights.
"""

from __future__ import annotations

from datetime import date

import click

from strandline.spark import close, home_for, session_for
from strandline.spark.profile import credentials_for
from strandline_demo.flights import FIRST, LAST
from strandline_demo.landings import FLIGHTS, Landings
from strandline_demo.year import Days

LAST_DAY = date(2013, 12, 31)
KEPT = "landing.last_day"


@click.command()
@click.argument("step", type=click.Choice(["prepare", "reset", "day"]))
@click.option("--target", default="local", show_default=True)
@click.option("--profiles-dir", default=None)
def main(step: str, target: str, profiles_dir: str | None) -> None:
    """Prepares what `bench.startup` measures."""
    spark = session_for(".", target, profiles_dir)
    if step == "prepare":
        landings = Landings(spark, home_for(credentials_for(".", target, profiles_dir)))
        until = landings.land(Days("the year", FIRST, LAST_DAY)).flights.arrival_to
        landings.land(Days("its last day", LAST_DAY, LAST))
        spark.sql(f"create table {KEPT} as select * from {FLIGHTS} where arrival > {until}")
    if step in ("prepare", "reset"):
        [(first,)] = spark.sql(f"select min(arrival) from {KEPT}").collect()
        spark.sql(f"delete from {FLIGHTS} where arrival >= {first}")
        spark.sql("drop schema if exists strandline cascade")
    if step == "day":
        spark.sql(f"insert into {FLIGHTS} select * from {KEPT}")
    spark.stop() if target == "connect" else close()


if __name__ == "__main__":
    main()

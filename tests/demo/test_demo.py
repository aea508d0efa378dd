"""`strandline demo`, run, run again, and killed: on the flights of January and February 2013.

That is what `--months 2` takes; the whole year is run, with its totals checked, by `make demo`
itself, which fails when they differ.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from strandline.cli.landings import FLIGHTS, WEATHER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from tests.demo.conftest import Clone, Demonstrated

HOURS, YEARS = "strandline.flight_aggregation_hours", "strandline.flight_aggregation_years"
STATES = "strandline.weather_states"
DETECTIONS = {
    "strandline.flight_detections",
    "strandline.flight_delays_state",
    "strandline.weather_detections",
    "strandline.pressure_falls_state",
}


def rows(spark: SparkSession, clone: Clone, table: str) -> DataFrame:
    """All of a table but the path of the file that a row came from, which names the clone.

    Of the state of an engine of detection what the next run goes on from: the rest tells of the
    last run, when it was and what it found.
    """
    whole = spark.read.format("delta").load(str(clone.log_of(table).parent)).drop("landed_from")
    return (
        whole.where("kind in ('row', 'key')")
        if table in DETECTIONS and table.endswith("_state")
        else whole
    )


def test_the_first_demo_lands_twice_builds_twice_and_tells_what_there_is(
    unbroken: Demonstrated,
) -> None:
    said = unbroken.said
    assert re.search(r"\d+ tables to be made", said)
    assert re.search(
        r"✓ 2/7 landing flights and weather of 1 January to 27 February .* 149,088 events, 4,164 weather reports",
        said,
    )
    assert re.search(
        r"✓ 4/7 landing flights and weather of 28 February .* 3,114 events, 72 weather reports",
        said,
    )
    assert re.search(r"✓ 3/7 dbt build with 1 January .* \d+ tables$", said, re.MULTILINE)
    assert re.search(r"✓ 5/7 dbt build with 28 February .* \d+ tables, \d+ tests passed", said)
    assert re.search(r"✓ 6/7 strandline run on 8 February .* wrote 39 rows", said)
    assert re.search(r"^51,955 flights, 1,782 of them never departed", said, re.MULTILINE)
    assert "152,202 events and 4,236 weather reports landed in two runs." in said
    assert re.search(r"^Jan +█+ +10\.0$", said, re.MULTILINE)


def test_it_tells_both_stories_of_the_alerts(unbroken: Demonstrated) -> None:
    said = " ".join(unbroken.said.split())
    assert (
        "92 alerts told. 1 is outdated: flights that waited at midnight left. "
        "8 February, American: its file was missing, 0 departures of 92 were told. "
        "It came late: outdated by the run on that day, which told what stays, 58."
    ) in said


def test_nothing_but_the_story_reaches_the_terminal(unbroken: Demonstrated) -> None:
    noise = re.compile(r"WARN|ERROR|INFO|SLF4J|log4j|Picked up|:: loading|Deprecat|Traceback")
    assert [line for line in unbroken.said.splitlines() if noise.search(line)] == []
    assert len(unbroken.said.splitlines()) < 45


@pytest.mark.soak
def test_a_second_demo_writes_nothing_and_says_so(unbroken: Demonstrated) -> None:
    clone, before = unbroken.clone, unbroken.clone.commits()
    assert clone.commit(YEARS, 1).exists()

    said = clone.demo()

    assert clone.commits() == before
    assert said.count("nothing new to land") == 2
    assert re.search(r"✓ 6/7 strandline run on 8 February .* nothing new", said)
    assert re.search(r"nothing new. All \d+ tables are up to date and nothing was written", said)


@pytest.mark.soak
def test_a_demo_killed_in_either_build_ends_with_the_same_tables(
    unbroken: Demonstrated, another_clone: Clone, spark: SparkSession
) -> None:
    another_clone.demo_killed_when(another_clone.commit(HOURS, 0))
    assert not another_clone.commit(YEARS, 0).exists(), "killed after the first build was done"

    another_clone.demo_killed_when(another_clone.commit(HOURS, 1))
    assert not another_clone.commit(YEARS, 1).exists(), "killed after the second build was done"

    said = another_clone.demo()
    assert re.search(r"\d of \d+ tables are there from an earlier run", said)

    assert another_clone.tables() == unbroken.clone.tables()
    assert {HOURS, YEARS, STATES, FLIGHTS, WEATHER, *DETECTIONS} <= unbroken.clone.tables()
    for table in sorted(unbroken.clone.tables()):
        whole, healed = rows(spark, unbroken.clone, table), rows(spark, another_clone, table)
        # exceptAll counts duplicates and takes null as equal to null.
        assert whole.exceptAll(healed).limit(5).collect() == [], f"lost from {table}"
        assert healed.exceptAll(whole).limit(5).collect() == [], f"too much in {table}"

"""The page that ends the demo, word for word: a first run, a second one, one with a new day."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from strandline.cli.build import Build, Node
from strandline.cli.summary import Story, build_words, landing_words, page
from strandline.cli.tables import State, changed
from strandline.cli.taste import Taste

DAYS, MART = "flights.flight_aggregation_days", "flights.mart_carrier_delays"
TASTE = Taste(flights=336_776, never_departed=8_255, delays=[("Jan", 10.0), ("Sep", 5.0)])


def table(relation: str, seconds: float, stored_as: str = "incremental") -> Node:
    name = relation.split(".")[1]
    return Node(name, "model", stored_as, relation, "success", seconds, "OK")


def a_test(name: str) -> Node:
    return Node(name, "test", "", "", "pass", 0.2, "")


def build(days: float, mart: float) -> Build:
    nodes = (table(DAYS, days), a_test("unique"), table(MART, mart), a_test("not_null"))
    return Build(nodes, seconds=days + mart)


def printed(story: Story) -> list[str]:
    out = StringIO()
    Console(file=out, width=100).print(page(story))
    return [line.rstrip() for line in out.getvalue().strip("\n").splitlines()]


BELOW = """
Mean departure delay in minutes, by month
Jan  ██████████████████████████████  10.0
Sep  ███████████████                 5.0

ask    .venv/bin/dbt show --profiles-dir profiles --inline "select * from {{
       ref('mart_carrier_delays') }}"
read   docs/index.md: how it works; README.md: ten lines to an aggregation of your own
trust  make test: every claim in the README, and the linters
""".strip().splitlines()


def test_the_first_run() -> None:
    story = Story(
        before={},
        after={DAYS: State(1, 12_345), MART: State(1, 185)},
        builds=[build(9.53, 4.0), build(2.2, 3.14)],
        landed=1_001_996,
        taste=TASTE,
        seconds=74.6,
    )
    assert printed(story) == [
        "table                           rows  version  first build, s  second build, s",
        "flights.flight_aggregation_days  12,345  1",
        *BELOW,
    ]

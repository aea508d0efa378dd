"""What `strandline init` writes for odd files lands them, and its staging model reads their values."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.odd_csv import FILES, Odd

from strandline.cli.main import cli

SOURCE = "{{ source('landing', 'events') }}"
READ = {name: odd for name, odd in FILES.items() if not odd.refusal}


def project(folder: Path, odd: Odd) -> tuple[str, dict[str, str], str | None, str]:
    """As `read_project`, of a CSV file."""
    file = folder / "events.csv"
    file.write_bytes(odd.text.encode("utf-8", "surrogateescape"))
    return read_project(folder, ("--csv", str(file), *odd.says))


def read_project(
    folder: Path, says: tuple[str, ...]
) -> tuple[str, dict[str, str], str | None, str]:
    """What init has written: the schema, the landing's options, the staging model, and the time."""
    plant = folder / "plant"
    plant.mkdir()
    done = CliRunner().invoke(cli, ["init", "--yes", "--project-dir", str(plant), *says])
    assert done.exit_code == 0, done.output
    words = shlex.split((plant / "run.sh").read_text().split("||")[0].partition("strandline ")[2])
    options = dict(value.split("=", 1) for option, value in pairwise(words) if option == "--option")
    models = plant / "models" / "events"
    staging = models / "stg_events.sql"
    macro = (plant / "macros" / "events_aggregation.sql").read_text()
    time = re.search("ts='(.*)',", macro)
    assert time
    sql = staging.read_text() if staging.exists() else None
    return (
        (models / "events.ddl").read_text(), options,
        re.sub(r"{#-.*?-#}", "", sql, flags=re.DOTALL) if sql else None, time[1],
    )  # fmt: skip


# What differs for Spark; `make soak` lands all of them.
OFTEN = (
    "seconds at times", "epoch seconds with a fraction", "local times in two columns",
    "date and time, day first, twelve hours", "blanks between thousands", "a name twice",
    "two markers", "line breaks in values", "year, month and day, local",
)  # fmt: skip
# With numbers, because the place's tables are called after the first letters.
CASES = [
    pytest.param(name, id=f"{n} {name}", marks=[] if name in OFTEN else [pytest.mark.soak])
    for n, name in enumerate(READ)
]


@pytest.mark.parametrize("name", CASES)
def test_its_rows_have_the_right_times_and_values(place, name: str) -> None:
    odd = READ[name]
    schema, options, staging, time = project(place.folder, odd)
    place.write_bytes("events.csv", odd.text.encode("utf-8", "surrogateescape"))
    result = place.land(schema, options=options)
    assert result.quarantined == odd.quarantined
    source = f"(select * from {place.table})"
    if staging:
        source = f"({staging.replace(SOURCE, place.table)})"
    value = [each.split()[0] for each in odd.columns.split(", ") if each.endswith(" DOUBLE")][-1]
    rows = place.spark.sql(f"select `{time}`, `{value}` from {source} order by arrival").collect()
    assert (
        tuple(f"{at} {'.' if number is None else number}" for at, number in shown(rows)) == odd.rows
    )


def shown(rows: list) -> list[tuple[str, float | None]]:
    return [(str(at).rstrip("0") if "." in str(at) else str(at), number) for at, number in rows]


@pytest.mark.parametrize(
    ("text", "says", "reasons"),
    [
        ("ts;key;v\n2026-01-05 06:00:00;a;61,5\n2026-01-05 06:05:00;a;broken\n2026-01-05 06:06:00;a;\n", (),
         [(2, "v: broken is no number")]),
        ("date,time,v\n2026-01-05,06:00,1.5\n2026-01-05,25:00,2\n2026-01-05,,3\n", ("--ts", "ts"),
         [(2, "ts: 2026-01-05 25:00 is no time"), (3, "ts: 2026-01-05  is no time")]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_has_a_reason(place, text: str, says: tuple[str, ...], reasons) -> None:
    """The first file is what init sees; the second one comes later."""
    first = Odd("".join(text.splitlines(keepends=True)[:2]), says=says)
    schema, options, _, _ = project(place.folder, first)
    place.write("events.csv", text)
    place.land(schema, options=options)
    unread = place.folder / "plant" / "models" / "events" / "stg_events_unread.sql"
    sql = unread.read_text().replace(SOURCE, place.table)
    rows = place.spark.sql(f"select arrival, reason from ({sql}) order by arrival").collect()
    assert [tuple(row) for row in rows] == reasons

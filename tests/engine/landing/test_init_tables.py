"""What `strandline init` writes for JSON and Parquet lands, and its staging model reads the values."""

from __future__ import annotations

import pytest
from tests.engine.landing.test_init_odd_files import SOURCE, read_project, shown
from tests.odd_tables import FILES, Table

# What differs for Spark; `make soak` lands all of them.
OFTEN = ("numbers in quotes", "epoch seconds in JSON", "local times in Parquet", "lists in Parquet")
READ = {name: table for name, table in FILES.items() if not table.refusal}
CASES = [
    pytest.param(table, id=f"{n} {name}", marks=[] if name in OFTEN else [pytest.mark.soak])
    for n, (name, table) in enumerate(READ.items())
]


@pytest.mark.parametrize("table", CASES)
def test_its_rows_have_the_right_times_and_values(place, table: Table) -> None:
    file = table.write(place.folder)
    given = (f"--{table.file_format}", str(file), *table.says)
    schema, options, staging, time = read_project(place.folder, given)
    table.write(place.source)
    assert place.land(schema, table.file_format, options=options).quarantined == 0
    source = f"(select * from {place.table})"
    if staging:
        source = f"({staging.replace(SOURCE, place.table)})"
    rows = place.spark.sql(
        f"select `{time}`, double({table.value}) from {source} order by arrival"
    ).collect()
    assert (
        tuple(f"{at} {'.' if number is None else number}" for at, number in shown(rows))
        == table.rows
    )

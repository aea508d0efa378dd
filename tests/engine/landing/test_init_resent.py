"""Several columns as the id of an event: equal rows have an equal one, and others have not."""

from __future__ import annotations

from tests.engine.landing.test_init_odd_files import SOURCE, read_project

HEADER = "machine,read_at,place,celsius\n"
FIRST = """a,2026-01-05T06:00:00.000001Z,x,61.5
a,2026-01-05T06:00:00.000002Z,x,61.5
a,2026-01-05T06:05:00Z,"y"",z",61.5
"a"",",2026-01-05T06:05:00Z,z,61.5
"""
AGAIN = """a,2026-01-05T08:05:00+02:00,"y"",z",61.5
a,2026-01-05T06:00:00.000002Z,x,99
b,2026-01-05T06:00:00Z,x,61.5
"""


def test_a_row_that_is_sent_again_has_the_id_that_it_had(place) -> None:
    file = place.folder / "events.csv"
    file.write_text(HEADER + FIRST)
    given = ("--csv", str(file), "--event-id", "machine,read_at,place")
    schema, options, staging, _ = read_project(place.folder, given)
    for name, rows in {"first": FIRST, "again": AGAIN}.items():
        (place.source / f"{name}.csv").write_text(HEADER + rows)
        assert place.land(schema, "csv", options=options).quarantined == 0
    rows = place.spark.sql(
        f"select event_id, collect_list(landed_from) as files from ("
        f"select * from ({(staging or '').replace(SOURCE, place.table)}) order by arrival)"
        " group by event_id order by event_id"
    ).collect()
    assert [(row.event_id, [name[:5] for name in row.files]) for row in rows] == [
        ('["a","1767592800000001","x"]', ["first"]),
        ('["a","1767592800000002","x"]', ["first", "again"]),
        ('["a","1767593100000000","y\\",z"]', ["first", "again"]),
        ('["a\\",","1767593100000000","z"]', ["first"]),
        ('["b","1767592800000000","x"]', ["again"]),
    ]

"""JSON files that are one array land as files with an object on each line do."""

import gzip

import pytest

from strandline.landing import LandingResult
from strandline.landing.reading import NO_ARRAY

SCHEMA = "id BIGINT NOT NULL, n DECIMAL(30,10), t STRING"


def test_elements_are_rows_in_their_order(place) -> None:
    """Over lines or in one, and beside files with an object on each line."""
    place.write(
        "a.json", '\ufeff\n [\n  {"id": 1, "n": 1.10,\n   "t": "[x, 2]"},\n  {"id": 2}\n]\n'
    )
    place.write_bytes(
        "b.json.gz", gzip.compress(b'[{"id":3,"n":12345678901234567890.5},{"id":"x"}]')
    )
    place.write("c.json", '{"id": 4, "t": {"a": [1, "b"]}}\n')
    place.write("d.json", "[]")
    place.write("e.json", '[{"id": 5, "t": {"a": [1, "b"]}}, 7, null, [1], {"id": 6, "u": 1}]')
    result = place.land(SCHEMA, "json")
    assert (result.landed, result.quarantined, result.batches) == (5, 5, 1)
    assert place.rows("arrival", "id", "cast(n as string)", "t", "landed_from") == [
        (1, 1, "1.1000000000", "[x, 2]", "a.json"),
        (2, 2, None, None, "a.json"),
        (3, 3, "12345678901234567890.5000000000", None, "b.json.gz"),
        (4, 4, None, '{"a":[1,"b"]}', "c.json"),
        (5, 5, None, '{"a":[1,"b"]}', "e.json"),
    ]
    assert place.faulty("landed_from", "line", "raw", "reason") == [
        ("b.json.gz", 2, '{"id":"x"}', "column id: 'x' is not a BIGINT"),
        ("e.json", 2, "7", "not a JSON object"),
        ("e.json", 3, "null", "not a JSON object"),
        ("e.json", 4, "[1]", "not a JSON object"),
        ("e.json", 5, '{"id":6,"u":1}', "fields that are no columns: u"),
    ]
    assert place.land(SCHEMA, "json") == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_files_that_are_no_array_are_in_quarantine_whole(place) -> None:
    place.write("a.json", '[{"id": 1}]')
    place.write("b.json", '[{"id": 2},')
    place.write("c.json", '[{"id": 3}]\n[{"id": 4}]\n')
    unreadable = {"b.json": NO_ARRAY, "c.json": NO_ARRAY}
    assert place.land(SCHEMA, "json") == LandingResult(1, 2, 1, 1, 1, unreadable=unreadable)
    assert place.faulty("landed_from", "line", "raw", "reason") == [
        ("b.json", None, None, NO_ARRAY),
        ("c.json", None, None, NO_ARRAY),
    ]

"""What is large: very many files, very long lines. Small here, full size in `make soak`."""

import pytest

from strandline.landing import LandingResult

pytestmark = pytest.mark.soak  # `make check` is at its limit of time

MB = 1024 * 1024
SCHEMA = "id INT NOT NULL, text STRING"


@pytest.mark.parametrize("files", [200, pytest.param(5_000, marks=pytest.mark.soak)])
def test_many_small_files_in_one_landing(place, files: int) -> None:
    """File n has n and -n; each tenth has a faulty line between them, and each 17th is empty."""
    names = [f"{n % 7}/{n:05}.csv" for n in range(files)]
    faulty = [n for n in range(files) if n % 10 == 0 and n % 17]
    good = [n for n in range(files) if n % 17]
    for n, name in enumerate(names):
        middle = "bad,\n" if n in set(faulty) else ""
        place.write(name, f"id,text\n{n},a\n{middle}{-n},b\n" if n % 17 else "")
    rows = 2 * len(good)
    # The folder's name makes each path look like a pattern: more than 200 come in batches of 200.
    assert place.land(SCHEMA) == LandingResult(rows, len(faulty), files // 200, 1, rows)
    both = [row for n in good for row in ((n, "a", names[n]), (-n, "b", names[n]))]
    assert place.rows("arrival", "id", "text", "landed_from") == [
        (arrival, *row) for arrival, row in enumerate(both, start=1)
    ]
    assert place.faulty("arrival", "line", "raw", "landed_from", "reason") == [
        (arrival, 3, "bad,", names[n], "column id: 'bad' is not an INT")
        for arrival, n in enumerate(faulty, start=1)
    ]
    versions = place.version()
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    assert place.version() == versions


LANDS = [pytest.param(5 * MB, id="5 MB"), pytest.param(9 * MB, id="9 MB", marks=pytest.mark.soak)]
TOO_LONG = [pytest.param(11 * MB, id="11 MB"), pytest.param(100 * MB, id="100 MB", marks=pytest.mark.soak)]  # fmt: skip


@pytest.mark.parametrize("size", LANDS)
def test_a_long_line(place, size: int) -> None:
    """In one file that is CSV, and in one of JSON with a fault, too."""
    long = "x" * size
    place.write("a.csv", f"id,text\n1,a\n2,{long}\n3,b\nbad,{long}\n4,c\n")
    assert place.land(SCHEMA) == LandingResult(4, 1, 1, 1, 4)
    place.source.joinpath("a.csv").unlink()
    place.write(
        "b.json", f'{{"id": 5, "text": "{long}"}}\n{{"id": "{long}"}}\n{{"id": 6, "text": "d"}}\n'
    )
    assert place.land(SCHEMA, "json") == LandingResult(2, 1, 1, 5, 6)
    assert place.rows("id", "length(text)", "left(text, 1)") == [
        (1, 1, "a"), (2, size, "x"), (3, 1, "b"), (4, 1, "c"), (5, size, "x"), (6, 1, "d"),
    ]  # fmt: skip
    assert place.faulty("line", "length(raw)", "reason") == [
        (5, size + 4, "column id: 'bad' is not an INT"),
        (2, size + 10, f"column id: '{'x' * 100}' is not an INT"),
    ]


@pytest.mark.parametrize("size", TOO_LONG)
def test_a_line_that_is_too_long(place, size: int) -> None:
    """It is in quarantine with its size and its beginning; all other rows land."""
    long = "x" * size
    place.write("a.csv", f"id,text\n1,a\n2,{long}\n3,b\n")
    place.write("b.csv", "id,text\n4,c\n")
    assert place.land(SCHEMA) == LandingResult(3, 1, 1, 1, 3)
    place.write("c.json", f'{{"id": 5, "text": "d"}}\n{{"id": 6, "text": "{long}"}}\n')
    (place.source / "a.csv").unlink()
    (place.source / "b.csv").unlink()
    assert place.land(SCHEMA, "json") == LandingResult(1, 1, 1, 4, 4)
    assert place.rows("id", "text") == [(1, "a"), (3, "b"), (4, "c"), (5, "d")]
    said = "the line has {} bytes, at most 10485760 can be landed; raw has its beginning"
    assert place.faulty("landed_from", "line", "raw", "raw_bytes", "reason") == [
        ("a.csv", 3, f"2,{long[:998]}", None, said.format(size + 2)),
        ("c.json", 2, f'{{"id": 6, "text": "{long[:981]}', None, said.format(size + 21)),
    ]

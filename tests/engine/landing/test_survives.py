"""What is large: very many files, very long lines. Small here, full size in `make soak`."""

import pytest

from strandline.landing import LandingResult

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
    assert place.land(SCHEMA) == LandingResult(rows, len(faulty), 1, 1, rows)
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


LONG = [
    pytest.param(5 * MB, id="5 MB"),
    pytest.param(100 * MB, id="100 MB", marks=pytest.mark.soak),
]


@pytest.mark.parametrize("size", LONG)
def test_a_very_long_line_of_csv(place, size: int) -> None:
    long = "x" * size
    place.write("a.csv", f"id,text\n1,a\n2,{long}\n3,b\nbad,{long}\n4,c\n")
    place.write("b.csv", "id,text\n5,d\n")
    assert place.land(SCHEMA) == LandingResult(5, 1, 1, 1, 5)
    assert place.rows("id", "length(text)", "left(text, 1)") == [
        (1, 1, "a"), (2, size, "x"), (3, 1, "b"), (4, 1, "c"), (5, 1, "d"),
    ]  # fmt: skip
    assert place.faulty("line", "length(raw)", "left(raw, 5)", "reason") == [
        (5, size + 4, "bad,x", "column id: 'bad' is not an INT")
    ]


@pytest.mark.parametrize("size", LONG)
def test_a_very_long_line_of_json(place, size: int) -> None:
    long = "x" * size
    lines = [
        '{"id": 1, "text": "a"}',
        f'{{"id": 2, "text": "{long}"}}',
        '{"id": 3, "text": "b"}',
        f'{{"id": "{long}", "text": "c"}}',
        '{"id": 4, "text": "d"}',
    ]
    place.write("a.json", "\n".join(lines))
    place.write("b.json", '{"id": 5, "text": "e"}\n')
    assert place.land(SCHEMA, "json") == LandingResult(5, 1, 1, 1, 5)
    assert place.rows("id", "length(text)", "left(text, 1)") == [
        (1, 1, "a"), (2, size, "x"), (3, 1, "b"), (4, 1, "d"), (5, 1, "e"),
    ]  # fmt: skip
    assert place.faulty("line", "length(raw)", "reason") == [
        (4, size + 23, f"column id: '{'x' * 100}' is not an INT")
    ]

"""What `strandline purge --compact --vacuum` shows, without Spark."""

from __future__ import annotations

import pytest
from rich.console import Console

from strandline.cli.purge_files import files_report, size
from strandline.retention import Compaction, Vacuumed


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (None, "?"), (0, "0 bytes"), (1_023, "1023 bytes"), (1_536, "1.5 KiB"),
        (5 * 2**20, "5.0 MiB"), (3_000 * 2**30, "3,000.0 GiB"),
    ],
)  # fmt: skip
def test_a_size_is_shown_in_its_largest_unit(count, words):
    assert size(count) == words


def test_each_table_with_changed_files_has_a_line():
    joined = [Compaction("shop.late", 2, 1_040, 2**20, "…", made=2)]
    deleted = [
        Vacuumed("shop.late", 30, 2**20),
        Vacuumed("shop.untouched", 0, 0),
        Vacuumed("shop.elsewhere", None, None),
    ]
    console = Console(width=100)
    with console.capture() as shown:
        console.print(files_report(joined, deleted))
    lines = [" ".join(line.split()) for line in shown.get().splitlines()]
    assert lines == [
        "table small files became in partitions deleted freed",
        "shop.elsewhere - - - ? ?",
        "shop.late 1,040 2 2 30 1.0 MiB",
    ]
    assert files_report([], [Vacuumed("shop.untouched", 0, 0)]) is None

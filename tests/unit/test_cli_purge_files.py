"""What `strandline purge --compact --vacuum` shows, without Spark."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from strandline.cli.purge import files_report
from strandline.retention import Compaction, Vacuumed
from strandline.retention.files import vacuum


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


def test_a_dry_run_says_what_would_go():
    console = Console(width=120)
    with console.capture() as shown:
        console.print(files_report([], [Vacuumed("shop.days", 1_000, None)], dry_run=True))
    assert [" ".join(line.split()) for line in shown.get().splitlines()] == [
        "table small files became in partitions would be deleted would be freed",
        "shop.days - - - 1,000 ?",
    ]


class Spark:
    """Answers as Delta does; no file may be deleted."""

    def __init__(self, location: Path, paths: list[str]) -> None:
        self.location, self.paths, self.asked = location, paths, []
        self.catalog = SimpleNamespace(tableExists=lambda _: True)
        self.conf = SimpleNamespace(set=lambda *_: None)

    def sql(self, text: str) -> SimpleNamespace:
        self.asked.append(text)
        if text.startswith("describe detail"):
            rows = [{"format": "delta", "location": str(self.location)}]
        else:
            rows = [{"path": path} for path in self.paths]
        return SimpleNamespace(collect=lambda: rows)


def test_a_vacuum_without_deleting_counts_the_files_and_their_bytes(tmp_path):
    kept = tmp_path / "old one.parquet"
    kept.write_bytes(bytes(1_536))
    spark = Spark(tmp_path, [f"file:{kept}".replace(" ", "%20"), f"file:{tmp_path}"])
    assert vacuum(spark, "shop.days", dry_run=True) == Vacuumed("shop.days", 1, 1_536)
    assert spark.asked == ["describe detail shop.days", "vacuum shop.days dry run"]
    assert kept.exists()

    elsewhere = Spark(tmp_path, ["s3://bucket/a.parquet"])
    assert vacuum(elsewhere, "shop.days", dry_run=True) == Vacuumed("shop.days", 1, None)
    many = Spark(tmp_path, [str(kept)] * 1_000)
    assert vacuum(many, "shop.days", dry_run=True) == Vacuumed("shop.days", 1_000, None)

"""Links are not followed, neither to files nor to folders, and stop nothing."""

import os
from pathlib import Path

from strandline.landing import LandingResult
from strandline.landing.files import Listing, list_files
from strandline.landing.formats import FileFormat

CSV = FileFormat("csv", glob="*.csv")


def paths(folder: Path, *names: str) -> tuple[Path, ...]:
    return tuple(folder / name for name in names)


def test_a_folder_without_links_is_read_whole(tmp_path: Path) -> None:
    for name in ("b.csv", "deep/down/a.csv", "_deep/c.csv", ".d.csv", "e.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    files = paths(tmp_path, "b.csv", "deep/down/a.csv")
    assert list_files(tmp_path, CSV) == Listing(files, (tmp_path,), ())
    # Spark would read this folder, though its name begins with _.
    (tmp_path / "_day=1").mkdir()
    assert list_files(tmp_path, CSV) == Listing(files, paths(tmp_path, "b.csv", "deep"), ())


def test_beside_links_files_and_folders_are_named_one_by_one(tmp_path: Path) -> None:
    for name in ("b.csv", "whole/a.csv", "whole/down/a.csv", "mixed/c.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "mixed" / "link.csv").symlink_to("/etc/hostname")
    (tmp_path / "gone.csv").symlink_to("/nowhere")
    (tmp_path / "gone.txt").symlink_to("/nowhere")
    (tmp_path / "self.csv").symlink_to("self.csv")
    (tmp_path / "up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")
    assert list_files(tmp_path, CSV) == Listing(
        files=paths(tmp_path, "b.csv", "mixed/c.csv", "whole/a.csv", "whole/down/a.csv"),
        roots=paths(tmp_path, "b.csv", "mixed/c.csv", "whole"),
        links=paths(tmp_path, "gone.csv", "mixed/link.csv", "pipe.csv", "self.csv", "up"),
    )


def test_only_files_of_the_folder_land(place) -> None:
    """Foreign files, a file that is gone, a folder in itself, and names that look like patterns."""
    place.write("a.csv", "id\n1\n")
    place.write("deep {1,2}[x]/b*.csv", "id\n2\n")
    foreign = place.folder / "foreign" / "secret.csv"
    foreign.parent.mkdir()
    foreign.write_text("id\n666\n")
    for name, target in {
        "foreign.csv": foreign,
        "folder": foreign.parent,
        "gone.csv": place.folder / "nothing",
        "self.csv": place.source / "self.csv",
        "deep {1,2}[x]/up": place.source,
    }.items():
        (place.source / name).symlink_to(target)
    links = ("deep {1,2}[x]/up", "folder", "foreign.csv", "gone.csv", "self.csv")
    assert place.land("id INT") == LandingResult(2, 0, 1, 1, 2, links=links)
    assert place.land("id INT") == LandingResult(0, 0, 0, None, None, links=links)

    place.write("deep {1,2}[x]/c.csv", "id\n3\n")
    assert place.land("id INT") == LandingResult(1, 0, 1, 3, 3, links=links)
    assert place.rows("arrival", "id", "landed_from") == [
        (1, 1, "a.csv"),
        (2, 2, "deep {1,2}[x]/b*.csv"),
        (3, 3, "deep {1,2}[x]/c.csv"),
    ]


def test_a_folder_that_cannot_be_read_is_named(place, monkeypatch) -> None:
    def denied(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("strandline.landing.files.os.scandir", denied)
    assert place.refuses("id INT") == (
        f"land: folder {place.source}: Permission denied; make it readable, or name another"
    )

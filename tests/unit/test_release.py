"""scripts/release.py: what must say the version of a tag, and the two files that are published."""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from scripts import release
from scripts.release import Built, ReleaseError

import strandline

ROOT = Path(__file__).parents[2]
CHANGELOG = """\
# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- Tides.

## [0.1.0] - 2026-11-27

- Sand.
"""
READY = {
    "src/strandline/__init__.py": '"""A package."""\n\n__version__ = "0.2.0"\n',
    "dbt_project.yml": "name: strandline\nversion: 0.2.0\n",
    "CHANGELOG.md": CHANGELOG,
    "SECURITY.md": "The newest release is supported: 0.2.0.\n",
    "tests/e2e/upgrades/releases/0.2.0.zip": "",
}


@pytest.fixture
def clone(tmp_path: Path, write_files: Callable[[Path, dict[str, str]], Path]) -> Path:
    """A clone in which everything is ready for 0.2.0."""
    write_files(tmp_path, READY)
    git(tmp_path, "init", "--quiet")
    committed(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def committed(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Ready")


def refusal(clone: Path, tag: str) -> str:
    with pytest.raises(ReleaseError) as raised:
        release.check(clone, tag)
    return str(raised.value)


def test_a_clone_that_is_ready(clone: Path) -> None:
    release.check(clone, "0.2.0")


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("src/strandline/__init__.py", "0.2.0", "0.1.0",
         "src/strandline/__init__.py says 0.1.0, it has to say 0.2.0"),
        ("dbt_project.yml", "version: 0.2.0", "", "dbt_project.yml says no version, it has to say 0.2.0"),
        ("SECURITY.md", "0.2.0", "0.1.0", "SECURITY.md does not name 0.2.0 as supported"),
        ("CHANGELOG.md", "[0.2.0] - 2026-12-01", "[0.2.0]",
         "CHANGELOG.md dates 0.2.0 with nothing, it has to be a day, as in 2026-12-31"),
        ("CHANGELOG.md", "2026-12-01", "2026-12-32",
         "CHANGELOG.md dates 0.2.0 with 2026-12-32, it has to be a day, as in 2026-12-31"),
        ("CHANGELOG.md", "### Added\n\n- Tides.\n", "", "CHANGELOG.md says nothing under 0.2.0"),
        ("CHANGELOG.md", "[Unreleased]\n", "[Unreleased]\n\n- Foam.\n",
         "CHANGELOG.md has changes under Unreleased: they belong to 0.2.0"),
        ("CHANGELOG.md", "[0.1.0]", "[0.2.0] - 2026-11-27\n\n- Twice.\n\n## [0.1.0]",
         "CHANGELOG.md has two sections for 0.2.0"),
        ("CHANGELOG.md", "[Unreleased]\n", "[0.3.0] - 2026-12-02\n\n- Foam.\n",
         "CHANGELOG.md has 0.3.0 above 0.2.0: the newest version comes first"),
    ],
)  # fmt: skip
def test_a_fault_is_named(clone: Path, file: str, old: str, new: str, fault: str) -> None:
    text = (clone / file).read_text()
    assert old in text
    (clone / file).write_text(text.replace(old, new, 1))
    committed(clone)
    assert refusal(clone, "0.2.0") == f"0.2.0 is not ready:\n- {fault}"


def test_all_faults_are_said_at_once(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text("# Changelog\n")
    (clone / "tests/e2e/upgrades/releases/0.2.0.zip").unlink()
    (clone / "note.txt").touch()
    assert refusal(clone, "0.2.0").splitlines() == [
        "0.2.0 is not ready:",
        "- tests/e2e/upgrades/releases/0.2.0.zip is missing: `python -m tests.e2e.upgrades.keep 0.2.0` writes it",
        "- CHANGELOG.md has no section `## [0.2.0] - <day>`",
        "- not committed: CHANGELOG.md",
        "- not committed: tests/e2e/upgrades/releases/0.2.0.zip",
        "- not committed: note.txt",
    ]


@pytest.mark.parametrize("tag", ["v0.2.0", "0.2", "0.2.0rc1", "", "0.2.0\n"])
def test_a_tag_that_is_no_version(clone: Path, tag: str) -> None:
    assert refusal(clone, tag) == (
        f"{tag} is not ready:\n- the tag is {tag!r}; a tag is a version of three numbers, such as 0.2.0, "
        "without a v: a packages.yml names it so"
    )


def test_notes_are_the_section_without_its_heading(clone: Path) -> None:
    assert release.notes(clone, "0.2.0") == "### Added\n\n- Tides."
    assert release.notes(clone, "0.1.0") == "- Sand."
    with pytest.raises(ReleaseError) as raised:
        release.notes(clone, "0.9.0")
    assert str(raised.value) == (
        "CHANGELOG.md has no section for 0.9.0; it has Unreleased, 0.2.0, 0.1.0"
    )


def test_the_changelog_of_this_clone_is_read() -> None:
    """Its newest version is that of the package, and has a day and a text."""
    sections = release._sections(ROOT)
    sections.pop("Unreleased", None)
    assert next(iter(sections)) == strandline.__version__
    assert all(date.fromisoformat(day) and text for day, text in sections.values())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both files of this clone; the wheel of the sdist is the same, or it fails."""
    out = tmp_path_factory.mktemp("dist")
    for name in ("strandline-0.0.1.tar.gz", "strandline-0.0.1-py3-none-any.whl", "other.txt"):
        (out / name).touch()
    return release.build(ROOT, out)


def test_both_files_are_built_and_older_ones_are_removed(built: Built) -> None:
    assert sorted(path.name for path in built.wheel.parent.iterdir()) == [
        "other.txt",
        f"strandline-{strandline.__version__}-py3-none-any.whl",
        f"strandline-{strandline.__version__}.tar.gz",
    ]


def test_the_sdist_has_what_git_has(built: Built) -> None:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    found = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True)
    files = {name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()}
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == files | {"PKG-INFO"}


PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "strandline"
version = "0.2.0"
[tool.hatch.build.targets.sdist]
exclude = ["strandline/tides.py"]
"""


def test_an_sdist_that_builds_another_wheel_is_refused(
    tmp_path: Path, write_files: Callable[[Path, dict[str, str]], Path]
) -> None:
    files = {"pyproject.toml": PROJECT, "strandline/__init__.py": "", "strandline/tides.py": ""}
    write_files(tmp_path, files)
    with pytest.raises(ReleaseError) as raised:
        release.build(tmp_path, tmp_path / "dist")
    assert str(raised.value) == (
        "The wheel of the sdist is another one than that of the clone. It differs in "
        "strandline-0.2.0.dist-info/RECORD, strandline/tides.py"
    )


def test_a_build_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'strandline'\n")
    with pytest.raises(ReleaseError, match=r"(?s)hatchling build .*failed:\n.*version"):
        release.build(tmp_path, tmp_path / "dist")


def test_the_commands(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "ROOT", clone)
    assert release.main(["check", "0.2.0"]) == 0
    assert release.main(["notes", "0.1.0"]) == 0
    assert capsys.readouterr() == ("0.2.0: everything says so.\n- Sand.\n", "")
    assert release.main(["check", "0.1.0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert re.match(r"0\.1\.0 is not ready:\n- src/strandline/__init__\.py says 0\.2\.0", said.err)


def test_the_command_that_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["build", "--out", str(tmp_path)]) == 0
    version = strandline.__version__
    assert capsys.readouterr().out.splitlines() == [
        str(tmp_path / f"strandline-{version}.tar.gz"),
        str(tmp_path / f"strandline-{version}-py3-none-any.whl"),
        "The sdist builds the same wheel.",
    ]

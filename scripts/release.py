"""What a release is checked by before it is published, and what is published.

    python -m scripts.release check 0.2.0     does everything in this clone say that it is 0.2.0?
    python -m scripts.release build           the sdist and the wheel, in dist/
    python -m scripts.release notes 0.2.0     what CHANGELOG.md says of it

hatchling builds both, from the environment that calls this: that of requirements/build.txt is
enough, and nothing is fetched. The sdist is unpacked and built once more; it must give the same
wheel, byte for byte. Exit codes: 0 all is well, 1 something is not, which is said.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+")
# A section of the changelog: its version, its date if it has one, and its text.
SECTION = re.compile(r"^## \[([^]]+)\](?: - (\S+))?\n(.*?)(?=^## \[|\Z)", re.MULTILINE | re.DOTALL)


class ReleaseError(Exception):
    """What is to be released is not as it has to be."""


@dataclass(frozen=True)
class Built:
    """The two files of a release."""

    sdist: Path
    wheel: Path


def main(arguments: list[str] | None = None) -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("scripts.release", description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "notes"):
        commands.add_parser(name).add_argument("tag", help="the tag, as in 0.2.0")
    commands.add_parser("build").add_argument("--out", type=Path, default=ROOT / "dist")
    given = parser.parse_args(arguments)
    try:
        if given.command == "check":
            check(ROOT, given.tag)
            print(f"{given.tag}: everything says so.")
        elif given.command == "notes":
            print(notes(ROOT, given.tag))
        else:
            built = build(ROOT, given.out)
            print(f"{built.sdist}\n{built.wheel}\nThe sdist builds the same wheel.")
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def check(root: Path, tag: str) -> None:
    """Fails with everything that does not fit to a tag."""
    faults = _faults(root, tag)
    if faults:
        raise ReleaseError("\n".join([f"{tag} is not ready:", *(f"- {each}" for each in faults)]))


def _faults(root: Path, tag: str) -> list[str]:
    if not VERSION.fullmatch(tag):
        return [
            f"the tag is {tag!r}; a tag is a version of three numbers, such as 0.2.0, without a v:"
            " a packages.yml names it so"
        ]
    faults = []
    for name, pattern in (
        ("src/strandline/__init__.py", r'^__version__ = "(.*)"$'),
        ("dbt_project.yml", r"^version: (.*)$"),
    ):
        found = re.findall(pattern, _text(root, name), re.MULTILINE)
        if found != [tag]:
            faults.append(f"{name} says {', '.join(found) or 'no version'}, it has to say {tag}")
    if tag not in VERSION.findall(_text(root, "SECURITY.md")):
        faults.append(f"SECURITY.md does not name {tag} as supported")
    kept = f"tests/e2e/upgrades/releases/{tag}.zip"
    if not (root / kept).is_file():
        faults.append(f"{kept} is missing: `python -m tests.e2e.upgrades.keep {tag}` writes it")
    return faults + _faults_of_changelog(root, tag) + _faults_of_clone(root)


def _faults_of_changelog(root: Path, tag: str) -> list[str]:
    faults = []
    sections = _sections(root)
    if sections.get("Unreleased", ("", ""))[1]:
        faults.append(f"CHANGELOG.md has changes under Unreleased: they belong to {tag}")
    if tag not in sections:
        return [*faults, f"CHANGELOG.md has no section `## [{tag}] - <day>`"]
    if _text(root, "CHANGELOG.md").count(f"## [{tag}]") > 1:
        faults.append(f"CHANGELOG.md has two sections for {tag}")
    day, text = sections[tag]
    try:
        date.fromisoformat(day)
    except ValueError:
        faults.append(
            f"CHANGELOG.md dates {tag} with {day or 'nothing'}, it has to be a day, as in"
            " 2026-12-31"
        )
    if not text:
        faults.append(f"CHANGELOG.md says nothing under {tag}")
    newest = next(version for version in sections if version != "Unreleased")
    if newest != tag:
        faults.append(f"CHANGELOG.md has {newest} above {tag}: the newest version comes first")
    return faults


def _faults_of_clone(root: Path) -> list[str]:
    """The sdist takes every file that git does not ignore."""
    changed = _called(root, "git", "status", "--porcelain").splitlines()
    return [f"not committed: {line[3:]}" for line in changed]


def notes(root: Path, tag: str) -> str:
    """The section of the changelog, without its heading."""
    sections = _sections(root)
    if tag not in sections:
        raise ReleaseError(f"CHANGELOG.md has no section for {tag}; it has {', '.join(sections)}")
    return sections[tag][1]


def _sections(root: Path) -> dict[str, tuple[str, str]]:
    """Date and text of each version in the changelog, in its order."""
    found = SECTION.findall(_text(root, "CHANGELOG.md"))
    return {version: (day, text.strip()) for version, day, text in found}


def build(root: Path, out: Path) -> Built:
    """Writes both files to a folder; files of other builds are removed from it."""
    for pattern in ("strandline-*.tar.gz", "strandline-*.whl"):
        for path in out.glob(pattern):
            path.unlink()
    _hatchling(root, out, "sdist", "wheel")
    built = Built(_only(out, "strandline-*.tar.gz"), _only(out, "strandline-*.whl"))
    with TemporaryDirectory() as folder:
        again = wheel_of_sdist(built.sdist, Path(folder))
        if again.read_bytes() != built.wheel.read_bytes():
            raise ReleaseError(_difference(built.wheel, again))
    return built


def wheel_of_sdist(sdist: Path, folder: Path) -> Path:
    """Unpacks an sdist below a folder, and builds the wheel from that."""
    with tarfile.open(sdist) as files:
        if hasattr(tarfile, "data_filter"):
            files.extractall(folder / "source", filter="data")
        else:
            files.extractall(folder / "source")  # noqa: S202 - built by us
    _hatchling(_only(folder / "source", "*"), folder / "wheel", "wheel")
    return _only(folder / "wheel", "*.whl")


def _difference(wheel: Path, of_sdist: Path) -> str:
    """What is not the same in two wheels, by the names of their files."""
    here, there = _contents(wheel), _contents(of_sdist)
    names = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
    return "The wheel of the sdist is another one than that of the clone. " + (
        f"It differs in {', '.join(names)}" if names else "The files in it are the same"
    )


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


def _hatchling(source: Path, out: Path, *targets: str) -> None:
    chosen = [word for target in targets for word in ("-t", target)]
    _called(source, sys.executable, "-m", "hatchling", "build", *chosen, "-d", str(out.resolve()))


def _called(folder: Path, *command: str) -> str:
    """What a command writes to its output; it fails with all that was said."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "nothing"
        raise ReleaseError(f"{folder} has {names} for {pattern}, it must be one file")
    return found[0]


def _text(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

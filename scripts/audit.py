"""Known vulnerabilities of the locked packages, as their registry lists them: `make audit`.

    python scripts/audit.py requirements/install.txt

It reads what the registry says of each locked version. Where a registry has no data of versions, it
reads those of the package: then the newest version alone is known, and an older one is named as
unknown.
Withdrawn ("yanked") versions are named, too. Exit codes: 0 nothing known, 1 something is.
"""

from __future__ import annotations

import json
import re
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pip._internal.models.index import PyPI  # the registry that pip itself reads

LOCKED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
SECONDS = 60
THREADS = 4


@dataclass(frozen=True)
class Answer:
    """What is known of one locked version."""

    name: str
    version: str
    faults: tuple[str, ...] = ()
    unknown: str = ""


def locked(files: list[str]) -> list[tuple[str, str]]:
    """The names and versions of lock files; a version for an older Python is one, too."""
    return sorted({pair for file in files for pair in LOCKED.findall(Path(file).read_text())})


def answer_of(name: str, version: str) -> Answer:
    found = _document(f"{name}/{version}")
    if found is None:
        found = _document(name)
        if found is None:
            return Answer(name, version, unknown="the registry does not know it")
    newest = found["info"]["version"]
    files = found.get("urls", []) if newest == version else found["releases"].get(version, [])
    withdrawn = [f"withdrawn: {file['yanked_reason']}" for file in files if file.get("yanked")]
    if newest != version:
        return Answer(name, version, tuple(withdrawn[:1]), f"the newest is {newest}")
    known = [each for each in found.get("vulnerabilities", []) if not each.get("withdrawn")]
    return Answer(name, version, (*map(_named, known), *withdrawn[:1]))


def _named(vulnerability: dict[str, Any]) -> str:
    names = ", ".join([vulnerability["id"], *vulnerability.get("aliases", [])])
    return f"{names}; fixed in {', '.join(vulnerability.get('fixed_in', [])) or 'no version'}"


def _document(path: str) -> Any:
    url = f"{PyPI.pypi_url}/{path}/json"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 pip's own, https
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def main(files: list[str]) -> int:
    pairs = locked(files)
    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda pair: answer_of(*pair), pairs))
    for each in answers:
        for fault in each.faults:
            print(f"VULNERABLE  {each.name} {each.version}: {fault}")
        if each.unknown:
            print(f"unknown     {each.name} {each.version}: {each.unknown}")
    faulty = sum(bool(each.faults) for each in answers)
    unknown = sum(bool(each.unknown) for each in answers)
    print(f"{len(pairs)} locked versions: {faulty} with a known fault, {unknown} unknown")
    return int(faulty > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

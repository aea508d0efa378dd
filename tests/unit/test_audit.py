"""`make audit`: which locked versions are known to be vulnerable, and which are unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripts import audit

LOCK = """\
one==1.0 \\
    --hash=sha256:00
two[extra]==2.0 ; python_full_version < '3.11' \\
    --hash=sha256:11
two==3.0 ; python_full_version >= '3.11' \\
    --hash=sha256:22
    # via one
gone==4.0 \\
    --hash=sha256:33
"""
FAULT = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fixed_in": ["3.1"], "withdrawn": None}
REGISTRY: dict[str, dict[str, Any]] = {
    "one/1.0": {"info": {"version": "1.0"}, "urls": [{"yanked": False}], "vulnerabilities": []},
    "two": {
        "info": {"version": "3.0"},
        "releases": {"2.0": [{"yanked": True, "yanked_reason": "broken"}], "3.0": []},
        "urls": [],
        "vulnerabilities": [FAULT, {**FAULT, "withdrawn": "2026-01-01"}],
    },
}


def test_every_locked_version_is_answered_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lock.txt"
    file.write_text(LOCK)
    monkeypatch.setattr(audit, "_document", REGISTRY.get)
    assert audit.main([str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "unknown     gone 4.0: the registry does not know it",
        "VULNERABLE  two 2.0: withdrawn: broken",
        "unknown     two 2.0: the newest is 3.0",
        "VULNERABLE  two 3.0: PYSEC-1, CVE-1; fixed in 3.1",
        "4 locked versions: 2 with a known fault, 2 unknown",
    ]


def test_every_lock_file_is_read() -> None:
    root = Path(__file__).parents[2] / "requirements"
    for file in root.glob("*.txt"):
        pins = [
            line
            for line in file.read_text().splitlines()
            if "==" in line.split("#")[0].split(";")[0]
        ]
        assert len(audit.locked([str(file)])) == len(pins)

"""Everything that is printed goes to the log, a child's output too; the terminal stays ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, subprocess, sys
from pathlib import Path
from strandline.cli.workspace import everything_to

print("before")
try:
    with everything_to(Path(sys.argv[1])) as terminal:
        print("python, out")
        print("python, err", file=sys.stderr)
        subprocess.run(["sh", "-c", "echo child, out; echo child, err >&2"])
        print("for people ✓", file=terminal, flush=True)
        if sys.argv[2] == "fail":
            raise ValueError("half way")
except ValueError as error:
    print("caught", error, file=sys.stderr)
print("after")
"""


def run(log: Path, how: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(log), how]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def test_only_what_is_for_people_reaches_the_terminal(tmp_path: Path) -> None:
    done = run(tmp_path / "logs" / "demo.log", "work")
    assert done.stdout == "before\nfor people ✓\nafter\n"
    assert done.stderr == ""
    logged = (tmp_path / "logs" / "demo.log").read_text().splitlines()
    assert sorted(logged) == ["child, err", "child, out", "python, err", "python, out"]


def test_an_error_gives_the_terminal_back(tmp_path: Path) -> None:
    done = run(tmp_path / "demo.log", "fail")
    assert done.stdout == "before\nfor people ✓\nafter\n"
    assert done.stderr == "caught half way\n"


def test_the_log_of_an_earlier_run_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "demo.log"
    run(log, "work")
    run(log, "work")
    assert log.read_text().count("child, out") == 2

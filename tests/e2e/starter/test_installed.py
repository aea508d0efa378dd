"""The tutorial as a reader types it: its commands, in one shell, from an empty folder.

`pip install 'strandline[spark]'` gets the wheel of this clone; what it depends on is what the tests have.
With `STRANDLINE_DIST=dist/…` it gets that wheel or sdist, and the rest from the registry, as users
do: so a release is checked.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripts.release import build
from tests.conftest import ROOT
from tests.e2e.adapter.conftest import QUICK
from tests.pages import blocks

import strandline
from strandline.spark.jars import cache_dir
from strandline.spark.remote import any_port

pytestmark = pytest.mark.soak  # Spark starts ten times: five minutes, nine on a busy machine

PAGE = (ROOT / "docs" / "tutorial.md").read_text()
SHELL, FILES, ALERTS = (blocks(PAGE, language) for language in ("sh", "csv", "text"))
PORT = "8765"  # of the receiver on the page
DIST = os.environ.get("STRANDLINE_DIST")
# What a reader's machine does not have.
NOT_OURS = ("STRANDLINE_", "DBT_", "SPARK_", "PYTHON", "PIP_CONSTRAINT", "VIRTUAL_ENV")
DBT = "#!/bin/sh\nexec python -c 'from dbt.cli.main import cli; cli()' \"$@\"\n"


def test_what_a_reader_sees(tmp_path: Path) -> None:
    (tmp_path / "readings.csv").write_text(FILES["readings"])
    (tmp_path / "late.csv").write_text(FILES["late"])
    port = str(any_port())
    steps = {
        **{name: SHELL[name] for name in ("install", "init", "first", "look", "send")},
        "again": SHELL["send"].partition("\n")[2],
        "late": "cp ../late.csv incoming/readings/late.csv\n./run.sh",
        "which": "command -v strandline\npython -c 'import strandline; print(strandline.__file__)'",
    }
    script = "".join(f"echo '== {name}'\n{commands}\n" for name, commands in steps.items())
    with receiver(tmp_path / "received", port) as received:
        said = typed(script.replace(PORT, port), tmp_path, environment(tmp_path))
        titles = [json.loads(line)["title"] for line in received().splitlines()]

    assert f"strandline-{strandline.__version__}" in said["install"]
    venv = tmp_path / "plant" / ".venv"
    assert [Path(line).is_relative_to(venv) for line in said["which"].split()] == [True, True]
    first, second = (ALERTS[name].strip() for name in ("first_alert", "second_alert"))
    assert first in said["first"].splitlines()[-2]
    assert "press_1" in said["look"]
    assert titles == [first, second]


def typed(script: str, folder: Path, env: dict[str, str]) -> dict[str, str]:
    """What a shell says to each step, which all must go well."""
    done = subprocess.run(
        ["sh", "-ec", script], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    _, *parts = re.split(r"^== (\w+)\n", done.stdout, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def environment(folder: Path) -> dict[str, str]:
    """Where `pip install strandline` can get nothing but the file that is to be checked."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(NOT_OURS)}
    path = [str(Path(sys.executable).parent), env["PATH"]]
    dist = Path(DIST).resolve() if DIST else build(ROOT, folder / "dist").wheel
    (folder / "constraint.txt").write_text(f"strandline @ {dist.as_uri()}\n")
    if not DIST:
        path.insert(0, str(with_dependencies(folder)))
        env |= {"PYTHONPATH": str(folder / "dependencies"), "PIP_NO_INDEX": "1"}
    return env | QUICK | {
        "PATH": os.pathsep.join(path),
        "PIP_CONSTRAINT": str(folder / "constraint.txt"),
        "STRANDLINE_CACHE": str(cache_dir()),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "BROWSER": "true",  # which does nothing
    }  # fmt: skip


def with_dependencies(folder: Path) -> Path:
    """Links to all that the tests have installed, but strandline and pip; the folder of `dbt`."""
    (folder / "dependencies").mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("strandline", "pip")):
            (folder / "dependencies" / path.name).symlink_to(path)
    command = folder / "bin" / "dbt"
    command.parent.mkdir()
    command.write_text(DBT)
    command.chmod(0o755)
    return command.parent


@contextmanager
def receiver(log: Path, port: str) -> Iterator[Callable[[], str]]:
    """The receiver of the page; what it has printed."""
    program = blocks(PAGE, "python")["receiver"].replace(PORT, port)
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", program], stdout=output, stderr=subprocess.DEVNULL
        )
        try:
            yield log.read_text
        finally:
            process.kill()
            process.wait()

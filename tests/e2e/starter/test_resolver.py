"""The wheel beside the adapters that people have: pip finds versions of all, and no PySpark."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from scripts.release import build
from tests.conftest import ROOT

pytestmark = pytest.mark.soak  # pip reads the metadata of 80 packages each time, from the registry

# dbt-core 1.12 needs it. It has no wheel in the registry: pip would fetch its binary from elsewhere
# only to read its metadata. Here a wheel without contents takes its place.
STAND_IN = "dbt_core_experimental_parser-2.99"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this clone, and the stand-in beside it."""
    folder = tmp_path_factory.mktemp("dist")
    built = build(ROOT, folder).wheel
    metadata = f"Metadata-Version: 2.1\nName: {STAND_IN.rpartition('-')[0]}\nVersion: 2.99\n"
    with zipfile.ZipFile(folder / f"{STAND_IN}-py3-none-any.whl", "w") as file:
        file.writestr(f"{STAND_IN}.dist-info/METADATA", metadata)
        file.writestr(f"{STAND_IN}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{STAND_IN}.dist-info/RECORD", "")
    return built


def resolved(wheel: Path, *requirements: str) -> dict[str, str]:
    """The packages that pip would install in an empty environment, with their versions."""
    report = wheel.with_suffix(".json")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--dry-run"]
    command += ["--ignore-installed", "--find-links", str(wheel.parent), "--report", str(report)]
    done = subprocess.run([*command, *requirements], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = [each["metadata"] for each in json.loads(report.read_text())["install"]]
    return {each["name"].lower().replace("_", "-"): each["version"] for each in found}


def minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


@pytest.mark.parametrize("adapter", ["dbt-databricks", "dbt-glue", "dbt-fabricspark"])
def test_it_installs_beside_an_adapter_without_pyspark(wheel: Path, adapter: str) -> None:
    found = resolved(wheel, f"strandline @ {wheel.as_uri()}", f"{adapter}>=1.12")
    assert {"strandline", adapter, "dbt-core"} <= found.keys()
    assert minor(found["dbt-core"]) == "1.12"
    assert "pyspark" not in found


@pytest.mark.parametrize("dbt", ["1.11", "1.12"])
def test_the_extra_brings_spark_with_each_dbt(wheel: Path, dbt: str) -> None:
    own = f"strandline[spark] @ {wheel.as_uri()}"
    found = resolved(wheel, own, f"dbt-core=={dbt}.*")
    assert minor(found["dbt-core"]) == dbt
    assert minor(found["dbt-spark"]) == "1.11"
    assert {"pyspark", "grpcio", "pyarrow"} <= found.keys()
    assert int(found["pandas"].partition(".")[0]) < 3

"""The pins that `make spark` changes in its copy are where it looks for them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from scripts.other_spark import CROSS_SECTION, ROOT, SPARKS, pinned

PINS = (
    "requirements/install.txt",
    "requirements/dev.txt",
    "pyproject.toml",
    "src/strandline/spark/jars.py",
    "src/strandline/spark/jars.lock",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files of this clone that have pins."""
    for name in PINS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("minor", SPARKS)
def test_a_copy_names_the_other_spark(copy: Path, minor: str) -> None:
    spark = SPARKS[minor]
    pinned(copy, minor)
    texts = {name: (copy / name).read_text() for name in PINS}
    for name in PINS[:2]:
        assert (
            f"pyspark[connect]=={spark.version} \\\n    --hash=sha256:{spark.source}\n"
            in texts[name]
        )
    assert f'"pyspark[connect]=={spark.version}"' in texts["pyproject.toml"]
    assert f'\nSPARK = "{minor}"' in texts["src/strandline/spark/jars.py"]
    assert f"{spark.delta} " in texts["src/strandline/spark/jars.lock"]
    assert f"delta-spark_{minor}_" in texts["src/strandline/spark/jars.lock"]


def test_a_pin_that_is_not_found_is_an_error(copy: Path) -> None:
    (copy / "pyproject.toml").write_text("")
    with pytest.raises(ValueError, match=r"pyproject\.toml has 0 places that match"):
        pinned(copy, "4.1")


def test_the_cross_section_exists() -> None:
    assert [name for name in CROSS_SECTION if not (ROOT / name).exists()] == []

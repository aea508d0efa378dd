"""A dbt project of somebody else, which installs this package and follows the README."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.conftest import ROOT, Dbt, profile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


PROJECT = """
name: shop
version: "1.0"
profile: shop
seeds: {shop: {trades: {+column_types: {ts: timestamp, price: "decimal(10,2)"}}}}
"""

TRADES = """arrival,symbol,ts,price,quantity
1,IBM,2014-02-15 09:30:00,100.00,10
2,IBM,2014-02-15 09:45:00,110.00,20
3,WSO2,2014-02-15 09:59:59,50.50,5
4,IBM,2014-02-15 10:00:00,120.00,30
5,,2014-02-16 00:00:00,7.00,1
6,IBM,2014-03-16 00:00:00,130.00,40
"""


README = (ROOT / "README.md").read_text()
LATE = "{{ strandline.aggregation_late(trade_aggregation()) }}"


def readme_blocks(language: str) -> list[str]:
    """The fenced blocks of the README, in their order."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


class Shop:
    """The consumer's project: `build`, read with SQL, land more trades."""

    def __init__(self, folder: Path, dbt: Dbt, spark: SparkSession) -> None:
        self.folder = folder
        self._dbt = dbt
        self.spark = spark

    def dbt(self, *args: str) -> Any:
        return self._dbt(*args, project_dir=self.folder)

    def fails(self, *args: str) -> str:
        return self._dbt.fails(*args, project_dir=self.folder)

    def rows(self, sql: str) -> list[tuple]:
        return [tuple(row) for row in self.spark.sql(sql).collect()]

    def land(self, *trades: str) -> None:
        """Appends trades as SQL tuples (arrival, symbol, ts, price, quantity)."""
        self.spark.sql(f"insert into shop.trades values {', '.join(trades)}")

    def versions(self) -> dict[str, int]:
        """The Delta version of every aggregation table."""
        # Temporary views of other tests are listed as well.
        found = [
            name for _, name, is_temporary in self.rows("show tables in shop") if not is_temporary
        ]
        names = [name for name in found if "aggregation" in name]
        return {n: self.rows(f"describe history shop.{n} limit 1")[0][0] for n in sorted(names)}


@pytest.fixture(scope="session")
def shop_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests of a process: dbt parses the package once."""
    return tmp_path_factory.mktemp("consumer")


@pytest.fixture
def shop(shop_home: Path, spark: SparkSession, write_files: Callable) -> Iterator[Shop]:
    macro, days = readme_blocks("jinja")
    folder = write_files(
        shop_home / "shop",
        {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": profile("shop", more="threads: 2"),
            "seeds/trades.csv": TRADES,
            "macros/trade_aggregation.sql": macro,
            "models/trade_aggregation_hours.sql": days.replace("'days'", "'hours'"),
            "models/trade_aggregation_days.sql": days,
            "models/trade_aggregation_late.sql": LATE,
        },
    )
    dbt = Dbt(shop_home / "work", profiles_dir=folder / "profiles")
    if not (folder / "dbt_packages").exists():
        dbt("deps", project_dir=folder)
    dbt("seed", project_dir=folder)
    yield Shop(folder, dbt, spark)
    spark.sql("drop schema if exists shop cascade")
    for made in ("models", "macros", "seeds"):
        shutil.rmtree(folder / made)

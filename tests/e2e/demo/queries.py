"""Runs queries of a page in the clone of a demo: JSON in, JSON out.

    python -m tests.e2e.demo.queries < queries.json > results.json

A query is what `dbt show --inline` takes. A result is its header and its rows, all texts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner
from tests.conftest import INTERPRETED
from tests.pages import compiled_queries, texts

from strandline.spark import close, session_for

DBT = ("--quiet", "--profiles-dir", "profiles")


def dbt(*args: str) -> Any:
    return dbtRunner().invoke([*args, *DBT]).result


def main() -> None:
    spark = session_for(".", None, "profiles")
    for key, value in INTERPRETED.items():
        spark.conf.set(key, value)
    analyses = Path("analyses")  # all of them are compiled at once
    analyses.mkdir(exist_ok=True)
    for number, query in enumerate(json.load(sys.stdin)):
        (analyses / f"example_{number}.sql").write_text(query)
    results = [texts(spark.sql(query)) for query in compiled_queries(dbt)]
    close()
    print("results:", json.dumps(results))


if __name__ == "__main__":
    main()

"""Runs queries of a page in the clone of a demo: JSON in, JSON out.

    python -m tests.e2e.demo.queries < queries.json > results.json

A query is what `dbt show --inline` takes. A result is its header and its rows, all texts.
"""

from __future__ import annotations

import json
import sys

from dbt.cli.main import dbtRunner
from tests.pages import texts

from strandline.spark import close, session_for

DBT = ("--quiet", "--profiles-dir", "profiles")


def main() -> None:
    spark = session_for(".", None, "profiles")
    results = []
    for query in json.load(sys.stdin):
        done = dbtRunner().invoke(["compile", *DBT, "--inline", query])
        [compiled] = done.result.results
        results.append(texts(spark.sql(compiled.node.compiled_code)))
    close()
    print("results:", json.dumps(results))


if __name__ == "__main__":
    main()

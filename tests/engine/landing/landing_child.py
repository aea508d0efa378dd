"""Lands a folder in a process of its own, which another one kills; see `test_killed.py`.

python landing_child.py <folder>: the home, the source and the checkpoint are in it.
"""

import sys
from dataclasses import asdict
from json import dumps
from pathlib import Path

SCHEMA, TABLE = "id BIGINT NOT NULL", "raw.killed"


def main(folder: Path) -> None:
    from dbt.adapters.strandline.credentials import StrandlineCredentials
    from strandline.landing import land
    from strandline.spark import open_session
    from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

    credentials = StrandlineCredentials(
        schema="raw", home=str(folder / "home"), java_options=SHORT_RUN_JAVA_OPTIONS
    )
    spark = open_session(credentials)
    print("ready", flush=True)
    result = land(spark, folder / "source", TABLE, SCHEMA, "csv", folder / "checkpoint")
    print(dumps(asdict(result)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

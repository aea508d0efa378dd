"""Lands a topic in a process of its own, which another one kills; see `test_killed.py`.

python landing_child.py <folder> <host:port>: the home is in the folder.
"""

import sys
from dataclasses import asdict
from json import dumps
from pathlib import Path

SCHEMA, TOPIC, TABLE = "id BIGINT NOT NULL", "killed", "raw.killed"
MOST = 40_000  # so that a landing has several batches, and a kill comes in each part of one


def main(folder: Path, servers: str) -> None:
    from dbt.adapters.strandline.credentials import StrandlineCredentials
    from strandline.errors import StrandlineError
    from strandline.landing import kafka, land_kafka
    from strandline.spark import open_session
    from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

    kafka.MOST = MOST
    credentials = StrandlineCredentials(
        schema="raw", home=str(folder / "home"), java_options=SHORT_RUN_JAVA_OPTIONS
    )
    spark = open_session(credentials)
    print("ready", flush=True)
    try:
        result = land_kafka(spark, servers, TOPIC, TABLE, folder / "landing", schema=SCHEMA)
    except StrandlineError as error:  # the broker was killed
        print(error, flush=True)
        sys.exit(1)
    print(dumps(asdict(result)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

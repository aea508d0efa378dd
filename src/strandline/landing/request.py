"""The arguments of a landing, checked before it reads a table or a file."""

import re
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession

from strandline.errors import WrongUse, refuse
from strandline.landing.formats import parse_format

TABLE_NAME = re.compile(r"([A-Za-z_]\w*\.){1,2}[A-Za-z_]\w*", re.ASCII)
UTC_NAMES = ("UTC", "Etc/UTC", "Z", "GMT", "+00:00")


def check_request(
    source: str | Path,
    table: str,
    file_format: str,
    *,
    quarantine: str | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Check the arguments that need no Spark session; `land` checks them as well.

    Raises:
        WrongUse: every fault is named.
    """
    faults: list[str] = []
    parse_format(file_format, dict(options or {}), faults)
    faults.extend(place_faults(Path(source), table, quarantine or f"{table}_quarantine"))
    refuse("land", faults, WrongUse)


def place_faults(source: Path, table: str, quarantine: str) -> list[str]:
    faults = [
        f"table '{name}' is not a name such as schema.name"
        for name in (table, quarantine)
        if not TABLE_NAME.fullmatch(name)
    ]
    if table.lower() == quarantine.lower():
        faults.append(f"table and quarantine are both '{table}'; give the quarantine its own name")
    if ":" in str(source):
        faults.append(f"source folder '{source}' has a colon, which Spark cannot read; rename it")
    if not source.exists():
        faults.append(f"source folder '{source}' does not exist; give the folder of the files")
    elif not source.is_dir():
        faults.append(f"source '{source}' is a file; give the folder that it is in")
    return faults


def zone_faults(spark: SparkSession) -> list[str]:
    zone = spark.conf.get("spark.sql.session.timeZone")
    if zone in UTC_NAMES:
        return []
    return [
        f"the session's time zone is {zone}; set spark.sql.session.timeZone to UTC, "
        "or a time without an offset would be another instant"
    ]


def timeout_faults(lock_timeout: object) -> list[str]:
    if isinstance(lock_timeout, int | float) and lock_timeout >= 0:
        return []
    return [f"lock_timeout is {lock_timeout!r}; give a number of seconds, 0 or more"]

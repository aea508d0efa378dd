"""The arguments of a landing, checked before it reads a table or a file."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import SparkSession

from strandline.errors import WrongUse, refuse
from strandline.landing.formats import parse_format

TABLE_NAME = re.compile(r"([A-Za-z_]\w*\.){1,2}[A-Za-z_]\w*", re.ASCII)
TOPIC_NAME = re.compile(r"[\w.-]{1,249}", re.ASCII)
SECRET = re.compile(r"password|jaas", re.IGNORECASE)
# Of the client: what the landing decides.
OWN_SETTINGS = ("bootstrap.servers", "group.id", "enable.auto.commit", "auto.offset.reset")
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


def name_faults(table: str, quarantine: str) -> list[str]:
    faults = [
        f"table '{name}' is not a name such as schema.name"
        for name in (table, quarantine)
        if not TABLE_NAME.fullmatch(name)
    ]
    if table.lower() == quarantine.lower():
        faults.append(f"table and quarantine are both '{table}'; give the quarantine its own name")
    return faults


def topic_faults(servers: str, topic: str) -> list[str]:
    faults = [
        f"broker '{server}' is not host:port, such as kafka.example.com:9092"
        for server in servers.split(",")
        if not re.fullmatch(r"\S+:\d+", server)
    ]
    if not TOPIC_NAME.fullmatch(topic):
        faults.append(f"topic '{topic}' is no name of a topic: letters, digits, '.', '_' and '-'")
    return faults


def client_settings(given: Mapping[str, str], faults: list[str]) -> dict[str, str]:
    """The settings of a Kafka client, with those of the environment; adds what is wrong."""
    settings = {}
    for key, value in given.items():
        begin, sign, name = value.partition("env:")
        if key.startswith("kafka.") or key in OWN_SETTINGS:
            faults.append(
                f"setting '{key}' of the Kafka client cannot be given; "
                + ("leave out 'kafka.'" if key.startswith("kafka.") else "the landing sets it")
            )
        elif sign and not begin:
            if name not in os.environ:
                faults.append(f"setting {key}: the environment has no variable {name}; set it")
            settings[key] = os.environ.get(name, "")
        elif SECRET.search(key):
            faults.append(
                f"setting {key} is a secret, which other users of this machine would see; put it "
                "into an environment variable, and give its name: env:DBT_ENV_SECRET_KAFKA"
            )
        else:
            settings[key] = value
    return settings


def place_faults(source: Path, table: str, quarantine: str) -> list[str]:
    faults = name_faults(table, quarantine)
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

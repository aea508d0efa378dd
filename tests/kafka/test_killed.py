"""A million messages land while the landing and the broker are killed: each once, none lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.kafka.broker import Broker, Message
from tests.kafka.landing_child import TABLE, TOPIC

CHILD = Path(__file__).with_name("landing_child.py")
KILLS, EACH = 20, 50_000  # messages that come before each kill
PARTITIONS = 4
FAULTY = 1_000  # one message of so many does not parse
SEED = 20131105
LONGEST = 16.0  # seconds: a landing that nothing disturbs is done by then, most are sooner


@pytest.mark.soak
def test_killed_at_random_times(spark, tmp_path: Path) -> None:
    chance = random.Random(SEED)  # noqa: S311
    total = KILLS * EACH
    when = []
    with Broker(tmp_path / "broker") as broker:
        broker.topic(TOPIC, PARTITIONS)
        for kill in range(KILLS):
            broker.produce(TOPIC, messages(kill * EACH, (kill + 1) * EACH))
            seconds = LONGEST * (kill + chance.random()) / KILLS
            is_broker = kill % 5 == 4
            done = killed_after(seconds, tmp_path, broker, is_broker=is_broker)
            when.append(f"{seconds:.1f} s ({'broker, ' if is_broker else ''}{done})")
        last = landed(tmp_path, broker)

    faulty = total // FAULTY
    events = table(spark, tmp_path, TABLE)
    assert events.count() == total - faulty
    assert events.select("id").distinct().count() == total - faulty
    # The n-th message is at this place, so nothing was lost, doubled or mixed.
    place = f"id % {PARTITIONS} = kafka_partition and id div {PARTITIONS} = kafka_offset"
    assert events.where(f"not ({place})").isEmpty()
    assert events.selectExpr("min(arrival)", "max(arrival)", "count(distinct arrival)").first() == (
        1, total - faulty, total - faulty,
    )  # fmt: skip
    assert events.where(f"id % {FAULTY} = 0").isEmpty()
    bad = table(spark, tmp_path, f"{TABLE}_quarantine")
    assert sorted(row.raw for row in bad.select("raw").collect()) == sorted(
        f"bad {n}" for n in range(0, total, FAULTY)
    )
    assert last["arrival_to"] in (None, total - faulty)
    print(f"\nkilled after {', '.join(when)}: sent {total:,} = landed {total - faulty:,} + quarantined"
          f" {faulty:,}; 0 failures of {KILLS} kills: below {3 / KILLS:.0%} at 95 %")  # fmt: skip


def messages(first: int, last: int) -> Iterator[Message]:
    for n in range(first, last):
        value = b'{"id": %d}' % n if n % FAULTY else b"bad %d" % n
        yield Message(value, partition=n % PARTITIONS, timestamp=1_400_000_000_000 + n)


def start(folder: Path, broker: Broker) -> subprocess.Popen[str]:
    """A landing whose Spark is ready."""
    process = subprocess.Popen(
        [sys.executable, CHILD, folder, broker.address],
        stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    return process


def killed_after(seconds: float, folder: Path, broker: Broker, *, is_broker: bool) -> str:
    """Kill the landing, or its broker, so long after Spark is ready; what the landing was doing."""
    process = start(folder, broker)
    time.sleep(seconds)
    if is_broker:
        broker.kill()
        process.wait(timeout=300)
        broker.start()
    with suppress(ProcessLookupError):  # its JVM may still end
        os.killpg(process.pid, signal.SIGKILL)
    said = process.communicate()[0]
    return "done" if said.startswith("{") else "failed and said why" if said else "at work"


def landed(folder: Path, broker: Broker) -> dict:
    """What an undisturbed landing says it has done."""
    process = start(folder, broker)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return json.loads(said)


def table(spark, folder: Path, name: str):
    """A table of the other process, by its folder."""
    schema, name = name.split(".")
    return spark.read.format("delta").load(
        str(folder / "home" / "warehouse" / f"{schema}.db" / name)
    )

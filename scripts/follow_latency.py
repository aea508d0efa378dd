"""Replays the demo's flights while `strandline follow` runs, and draws how late notifications are.

    .venv/bin/python -m scripts.follow_latency                      an hour, 1,000 times as fast
    .venv/bin/python -m scripts.follow_latency --minutes 5 --draw-nothing

A file a second has the events of the 1,000 seconds of 2013 that have just passed. Receipts of
notifications come from a receiver on this machine. A notification follows from an event that landed
in its tick, and not from an earlier one, which would have been notified by an earlier tick. So its
latency is at most the age of the oldest event of its tick, and at least that of the newest: both
are drawn. Fails if an event did not land once, or a notification came twice.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import altair
import pandas as pd

from strandline_demo.flights import events, weather
from strandline_demo.flights.files import Files
from strandline_demo.landings import FLIGHTS, WEATHER

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "target" / "follow"
RESULTS = ROOT / "docs" / "performance" / "follow.json"
IMAGE = ROOT / "docs" / "images" / "follow_latency.png"
FIRST = date(2013, 1, 1)  # its events are there before the replay begins
SELECT = "+notifications"  # what the notifications are made of
STOP_SECONDS = 300


@dataclass
class Received:
    """What the receiver has got: of each notification its key, and when."""

    got: list[tuple[float, str]] = field(default_factory=list)


@dataclass
class Replayed:
    """Files of one kind: of each the time at which it was there, and its number of rows."""

    files: Files
    written: list[tuple[float, int]] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return FOLDER / "incoming" / self.files.name

    def write(self, rows: pd.DataFrame) -> None:
        """One file that appears whole; none without rows."""
        if len(rows):
            hidden = self.folder / f".{len(self.written):06}.csv"
            rows.to_csv(hidden, index=False, columns=list(self.files.columns))
            now = time.time()
            os.utime(hidden, (now, now))
            hidden.rename(self.folder / f"{len(self.written):06}.csv")
            self.written.append((now, len(rows)))

    def written_at(self, arrival: int) -> float:
        """When the event with this number was there: files land in their order."""
        for at, rows in self.written:
            arrival -= rows
            if arrival <= 0:
                return at
        raise LookupError(arrival)


def main() -> int:
    options = parsed()
    shutil.rmtree(FOLDER, ignore_errors=True)
    kinds = [Replayed(events.FILES), Replayed(weather.FILES)]
    for each in kinds:
        each.folder.mkdir(parents=True)
    days = int(options.minutes * 60 * options.speed // 86_400) + 2
    tables = [each.files.rows(FIRST, FIRST + timedelta(days=days)) for each in kinds]
    start = pd.Timestamp(FIRST + timedelta(days=1), tz="America/New_York")
    with receiver() as (received, url), following(options.every, url) as (process, ticks):
        for each, rows in zip(kinds, tables, strict=True):
            each.write(rows[rows[each.files.at] < start])
        while sum(landed(tick, FLIGHTS) for tick in ticks) == 0:
            if process.poll() is not None:
                sys.exit(f"strandline follow ended with {process.returncode}")
            time.sleep(1)
        print("the first day is there; the replay begins", flush=True)
        began = time.time()
        replay(kinds, tables, start, began, options)
        wait_for_all(kinds[0], ticks)
        process.terminate()
        process.wait(STOP_SECONDS)
        if process.returncode:
            sys.exit(f"strandline follow ended with {process.returncode}")
    faults = faults_of(kinds, ticks, received)
    points = latencies(kinds[0], ticks, received, began)
    print(summary(points, ticks, options))
    if not options.draw_nothing:
        keep(points, ticks, options)
    return len(faults)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--speed", type=float, default=1000)
    parser.add_argument("--every", default="10 seconds")
    parser.add_argument("--draw-nothing", action="store_true")
    return parser.parse_args()


def replay(
    kinds: list[Replayed],
    tables: list[pd.DataFrame],
    start: pd.Timestamp,
    began: float,
    options: argparse.Namespace,
) -> None:
    """Writes each second what has happened since the last one."""
    places = [
        int(rows[each.files.at].searchsorted(start))
        for each, rows in zip(kinds, tables, strict=True)
    ]
    end = began + options.minutes * 60
    while (now := time.time()) < end:
        clock = start + timedelta(seconds=(now - began) * options.speed)
        for i, (each, rows) in enumerate(zip(kinds, tables, strict=True)):
            place = int(rows[each.files.at].searchsorted(clock))
            each.write(rows.iloc[places[i] : place])
            places[i] = place
        time.sleep(max(0, now + 1 - time.time()))


def wait_for_all(flights: Replayed, ticks: list[dict[str, Any]]) -> None:
    """Until what was written has landed, and one tick more has ended."""
    count = sum(rows for _, rows in flights.written)
    deadline = time.monotonic() + STOP_SECONDS
    while sum(landed(tick, FLIGHTS) for tick in ticks) < count:
        if time.monotonic() > deadline:
            sys.exit("not all events have landed")
        time.sleep(1)
    seen = len(ticks)
    while len(ticks) == seen and time.monotonic() < deadline:
        time.sleep(1)


@contextmanager
def receiver() -> Iterator[tuple[Received, str]]:
    """A receiver of webhooks that accepts everything."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            received.got.append((time.time(), body["idempotency_key"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield received, f"json://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


@contextmanager
def following(every: str, url: str) -> Iterator[tuple[subprocess.Popen[str], list[dict[str, Any]]]]:
    """`strandline follow` over the demo, and its ticks so far."""
    command = [Path(sys.executable).with_name("strandline"), "follow", "--every", every, "--json"]
    for files, table in ((events.FILES, FLIGHTS), (weather.FILES, WEATHER)):
        schema = FOLDER / f"{files.name}.ddl"
        schema.write_text(files.schema())
        folder = FOLDER / "incoming" / files.name
        command += [
            "--land", f"--source '{folder}' --format csv --table {table} --schema-file '{schema}'",
        ]  # fmt: skip
    command += ["--select", SELECT]
    home = {"STRANDLINE_HOME": str(FOLDER / "home"), "STRANDLINE_NOTIFY_URL": url, "NO_PROXY": "*"}
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **home}, stdout=subprocess.PIPE, text=True
    )
    ticks: list[dict[str, Any]] = []

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            ticks.append(json.loads(line))
            for part, fault in ticks[-1]["faults"].items():
                print(f"{part}: {fault}", flush=True)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    try:
        yield process, ticks
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)
        reading.join(STOP_SECONDS)


def landed(tick: dict[str, Any], table: str) -> int:
    return sum(each["landed"] for each in tick["landed"] if each["table"] == table)


def latencies(
    flights: Replayed, ticks: list[dict[str, Any]], received: Received, began: float
) -> list[dict[str, float]]:
    """Of each notification of the replay, in seconds: when it came, and its bounds."""
    points = []
    for tick in ticks:
        at = datetime.fromisoformat(tick["at"]).timestamp()
        [of_flights] = [each for each in tick["landed"] if each["table"] == FLIGHTS]
        if of_flights["arrival_from"] is None or at < began:
            continue
        oldest = flights.written_at(of_flights["arrival_from"])
        newest = flights.written_at(of_flights["arrival_to"])
        points += [
            {"minute": (came - began) / 60, "most": came - oldest, "least": came - newest}
            for came, _ in received.got
            if at <= came <= at + tick["seconds"]
        ]
    return points


def faults_of(kinds: list[Replayed], ticks: list[dict[str, Any]], received: Received) -> list[str]:
    """What must not be, each printed."""
    faults = []
    for each, table in zip(kinds, (FLIGHTS, WEATHER), strict=True):
        wanted = sum(rows for _, rows in each.written)
        if (found := sum(landed(tick, table) for tick in ticks)) != wanted:
            faults.append(f"{found:,} of {wanted:,} rows landed in {table}")
    keys = [key for _, key in received.got]
    if len(keys) != len(set(keys)):
        faults.append(f"{len(keys) - len(set(keys))} notifications came twice")
    if failed := sum(bool(tick["faults"]) for tick in ticks):
        faults.append(f"{failed} ticks failed")
    for fault in faults:
        print(fault)
    return faults


def summary(
    points: list[dict[str, float]], ticks: list[dict[str, Any]], options: argparse.Namespace
) -> str:
    most = [point["most"] for point in points]
    seconds = [tick["seconds"] for tick in ticks[2:]]
    return (
        f"{len(points):,} notifications in {options.minutes:g} minutes at {options.speed:g} x; "
        f"latency at most {median(most):.1f} s (median), {quantiles(most, n=20)[-1]:.1f} s (95 %), "
        f"{max(most):.1f} s (longest); {len(ticks):,} ticks of {median(seconds):.1f} s (median)"
    )


def keep(
    points: list[dict[str, float]], ticks: list[dict[str, Any]], options: argparse.Namespace
) -> None:
    """The figures and the plot of the documentation."""
    rounded = [{name: round(value, 2) for name, value in point.items()} for point in points]
    RESULTS.write_text(
        json.dumps(
            {
                "on": datetime.now(timezone.utc).date().isoformat(),
                "minutes": options.minutes,
                "speed": options.speed,
                "every": options.every,
                "ticks": [round(tick["seconds"], 2) for tick in ticks],
                "notifications": rounded,
            }
        )
        + "\n"
    )
    x = altair.X("minute:Q", title="minutes since the replay began")
    title = "seconds from event to notification"
    y = altair.Y("most:Q", title=title, scale=altair.Scale(zero=True))
    drawn = altair.Chart(pd.DataFrame(points)).encode(x=x, y=y)
    bounds = drawn.mark_rule(color="#0b57a4", opacity=0.4).encode(y2="least:Q")
    tops = drawn.mark_point(filled=True, size=14, color="#0b57a4")
    chart = altair.layer(bounds, tops).properties(width=760, height=260)
    chart.save(IMAGE, scale_factor=2)


if __name__ == "__main__":
    sys.exit(main())

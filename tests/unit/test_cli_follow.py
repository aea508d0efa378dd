"""`strandline follow`: what it is given, when ticks begin, what a tick does, and how it ends."""

from __future__ import annotations

import io
import json
import re
import signal
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.strandline.impl import StrandlineAdapter
from strandline.cli import follow
from strandline.cli.build import Build, Node
from strandline.cli.console import Terminal
from strandline.cli.follow import Display, Parts, Tick, at_intervals, followed, request_of
from strandline.cli.landed import Request
from strandline.cli.main import cli
from strandline.landing import LandingResult
from strandline.notify import Receiver, Sent
from strandline.stopping import asked

FILES = "--source in --format csv --table raw.orders --schema 'id BIGINT' --option sep=;"
AT = datetime(2026, 1, 5, 6, 0, tzinfo=timezone.utc)
LANDED = LandingResult(1204, 3, 1, 1, 1204)
NOTHING = LandingResult(0, 0, 0, None, None)


@pytest.fixture(autouse=True)
def not_asked() -> Iterator[None]:
    yield
    asked.clear()


def node(name: str, has_written: bool = True) -> Node:
    message = "rewrote 1 partition" if has_written else "nothing new"
    kind = "strandline_aggregation"
    return Node(name, "model", kind, f"p.{name}", "success", 0.5, message, has_written)


def tick(**given: Any) -> Tick:
    usual = {"landed": [], "built": None, "sent": [], "faults": {}, "seconds": 1.94}
    return Tick(AT, **usual | given)


# --- What it is given


def test_a_landing_is_the_options_of_land_in_one_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    request = request_of(FILES)
    assert request == Request(
        table="raw.orders",
        rejected="raw.orders_quarantine",
        source=tmp_path / "in",
        file_format="csv",
        options={"sep": ";"},
        kafka=None,
        topic=None,
        client={},
        from_table=None,
        order_by=(),
        changes=None,
        grows_by=None,
        allow_lost=False,
        ddl="id BIGINT",
        new_checkpoint=False,
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("--source in", "Missing option '--table'."),
        ("--source in --table raw.t", "--source needs --format."),
        ("--from raw.a --table 'raw.t", "No closing quotation"),
        ("--from raw.a --table raw.t --json", "--json goes with `strandline land` alone."),
        ("--from raw.a --table raw.t --target x", "--target goes with `strandline land` alone."),
        (
            "--from raw.a --table raw.t --new-checkpoint",
            "--new-checkpoint goes with `strandline land` alone.",
        ),
        ("--from raw.a --tabel raw.t", "No such option '--tabel'."),
    ],
)
def test_a_landing_that_cannot_be_is_refused_at_once(text: str, why: str) -> None:
    given = ["follow", "--every", "30 seconds", "--land", text]
    result = CliRunner(env={"COLUMNS": "200"}).invoke(cli, given)
    assert result.exit_code == 2
    assert f"Error: --land '{text}': {why}" in result.output


def test_months_have_no_length() -> None:
    result = CliRunner(env={"COLUMNS": "200"}).invoke(cli, ["follow", "--every", "1 month"])
    assert result.exit_code == 2
    assert "Invalid value for '--every': '1 month' is no length of time" in result.output


# --- When ticks begin


@pytest.mark.parametrize(
    ("takes", "begins"),
    [
        pytest.param([1, 1, 1], [0, 10, 20], id="in time"),
        pytest.param([10, 1, 1], [0, 10, 20], id="just in time"),
        pytest.param(
            [25, 1, 1], [0, 25, 35], id="a long one delays the next, and none is caught up"
        ),
        pytest.param([12, 1, 12], [0, 12, 22], id="no shorter wait afterwards"),
    ],
)
def test_when_ticks_begin(takes: list[int], begins: list[int]) -> None:
    clock, seen = SimpleNamespace(now=0.0), []
    stop = SimpleNamespace(is_set=lambda: len(seen) == len(takes), wait=lambda _: None)

    def waits(seconds: float) -> None:
        clock.now += seconds

    for _ in at_intervals(10, waits, clock=lambda: clock.now, stop=stop):
        began = clock.now
        clock.now += takes[len(seen)]
        seen.append(began)
    assert seen == begins


# --- What a tick does


class Plant:
    """A project of which each part answers, or raises the fault that the test has set for it."""

    folder, target, profiles = Path("plant"), None, Path("plant")

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.faults: dict[str, BaseException] = {}
        self.done: list[str] = []
        self.closed = 0
        self.sent = [Sent(Receiver("ops", "STRANDLINE_NOTIFY_URL_OPS", "json://x"), 2, accepted=2)]
        plant = self

        class Waiting:
            def __init__(self, *_: object) -> None: ...

            def send(self, _: Callable[[str], None]) -> list[Sent]:
                plant.does("notify")
                return plant.sent

        def landed(request: Request, *_: object) -> LandingResult:
            self.does(request.table)
            return LANDED

        def close() -> None:
            self.closed += 1

        monkeypatch.setattr(follow, "landed", landed)
        monkeypatch.setattr(follow.notifying, "Waiting", Waiting)
        monkeypatch.setattr("strandline.spark.session.close", close)

    def does(self, part: str) -> None:
        self.done.append(part)
        if fault := self.faults.get(part):
            raise fault

    def run(self, *_: object, **__: object) -> Build:
        self.does("run")
        return Build((node("minutes"), node("days", has_written=False)), 1.0)

    def parts(self) -> Parts:
        requests = [request_of(FILES), request_of("--from raw.a --table raw.b")]
        sending = SimpleNamespace()
        return Parts(self, requests, (), False, sending)  # type: ignore[arg-type]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    return Plant(monkeypatch)


def display(as_json: bool = False) -> tuple[Display, io.StringIO]:
    out = io.StringIO()
    return Display(Terminal(file=out, width=200), as_json=as_json), out


def test_a_tick_lands_runs_and_notifies(plant: Plant) -> None:
    done = plant.parts().tick(display()[0])
    assert plant.done == ["raw.orders", "raw.b", "run", "notify"]
    assert done.shown() == [
        "1,204 rows in raw.orders",
        "1,204 rows in raw.b",
        "3 in raw.orders_quarantine",
        "3 in raw.b_quarantine",
        "1 model written",
        "2 sent to ops",
    ]
    assert not done.faults


def test_what_one_part_cannot_do_keeps_no_other_from_its_work(plant: Plant) -> None:
    plant.faults = {"raw.orders": click.ClickException("disk full"), "run": ValueError("odd")}
    done = plant.parts().tick(display()[0])
    assert plant.done == ["raw.orders", "raw.b", "run", "notify"]
    assert done.faults == {
        "land raw.orders": "disk full",
        "run": "ValueError: odd\n(`strandline --debug …` shows where it happened)",
    }
    assert [request.table for request, _ in done.landed] == ["raw.b"]


def test_what_a_receiver_does_not_accept_is_a_fault_with_its_counts(plant: Plant) -> None:
    sent = plant.sent[0]
    sent.accepted, sent.reasons["answered HTTP 500"] = 1, 1
    done = plant.parts().tick(display()[0])
    assert done.faults["notify"].startswith(
        "Not everything was accepted:\n- ops ($STRANDLINE_NOTIFY_URL_OPS) answered HTTP 500; 1 wait."
    )
    assert done.sent == [sent]


def test_a_wrong_command_ends_it_before_the_first_success_alone(plant: Plant) -> None:
    parts, wrong = plant.parts(), {"run": click.UsageError("--select x names no model.")}
    plant.faults = wrong
    with pytest.raises(click.UsageError, match="names no model"):
        parts.tick(display()[0])
    plant.faults = {}
    parts.tick(display()[0])
    plant.faults = wrong
    assert parts.tick(display()[0]).faults == {"run": "--select x names no model."}


def test_it_stops_after_the_part_in_hand(plant: Plant) -> None:
    parts, does = plant.parts(), plant.does

    def landing_is_in_hand(part: str) -> None:
        does(part)
        asked.set()

    plant.does = landing_is_in_hand  # type: ignore[method-assign]
    done = parts.tick(display()[0])
    assert plant.done == ["raw.orders"]
    assert [request.table for request, _ in done.landed] == ["raw.orders"]
    assert not done.faults


def test_dbt_begins_no_model_in_a_process_that_was_asked_to_stop() -> None:
    asked.set()
    with pytest.raises(DbtRuntimeError, match="not begun: the process was asked to stop"):
        StrandlineAdapter.pre_model_hook(object.__new__(StrandlineAdapter), {})


# --- How it ends


def test_it_gives_up_after_so_many_failures_in_a_row(plant: Plant) -> None:
    shown, out = display()
    parts, ticks = plant.parts(), iter(["bad", "good", "bad", "bad"])
    tick_of = parts.tick

    def one(display: Display) -> Tick:
        is_bad = next(ticks) == "bad"
        plant.faults = {"raw.b": click.ClickException("no broker")} if is_bad else {}
        return tick_of(display)

    parts.tick = one  # type: ignore[method-assign]
    assert followed(parts, 0.001, 2, shown)
    assert out.getvalue().count("✗ land raw.b: no broker") == 2
    assert out.getvalue().count("✗ land raw.b: as in the tick before") == 1


def test_a_driver_that_has_ended_makes_way_for_the_next_tick(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strandline.spark.session.has_ended", lambda: True)
    monkeypatch.setattr("strandline.spark.session.rest", asked.set)
    assert not followed(plant.parts(), 1, None, display()[0])
    assert plant.closed == 1


def test_the_first_signal_asks_and_a_second_interrupt_is_at_once() -> None:
    at_once: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: at_once.append(number))
    try:
        with follow.stopped_by_signals():
            signal.raise_signal(signal.SIGINT)
            assert asked.is_set()
            assert not at_once
            signal.raise_signal(signal.SIGTERM)
            assert not at_once
            signal.raise_signal(signal.SIGINT)
        assert at_once == [signal.SIGINT]
        asked.clear()
        signal.raise_signal(signal.SIGINT)
        assert not asked.is_set()
    finally:
        signal.signal(signal.SIGINT, before)


# --- What it says


def shown(*ticks: Tick, every: float = 30) -> list[str]:
    display_, out = display()
    for each in ticks:
        display_.ended(each, every)
    return out.getvalue().splitlines()


def test_a_line_says_what_has_happened() -> None:
    request = request_of(FILES)
    bad = LandingResult(0, 1, 1, None, None, unreadable={"x.csv": "it is a zip file"})
    assert shown(
        tick(landed=[(request, LANDED)], built=Build((node("m"), node("d")), 1.0)),
        tick(landed=[(request, bad)], faults={"run": "odd"}),
        tick(faults={"run": "odd", "notify": "new"}),
        tick(seconds=41),
    ) == [
        "06:00:00  1.9 s  1,204 rows in raw.orders, 3 in raw.orders_quarantine, 2 models written",
        "06:00:00  1.9 s  1 in raw.orders_quarantine",
        "  In quarantine whole: x.csv: it is a zip file",
        "  ✗ run: odd",
        "06:00:00  1.9 s  nothing new",
        "  ✗ run: as in the tick before",
        "  ✗ notify: new",
        "06:00:00  41.0 s  nothing new; longer than 30 s: the next tick begins at once",
    ]


def test_what_is_left_out_in_each_tick_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.cli.follow.time.monotonic", lambda: 0.0)
    request = request_of(FILES)
    one, two = (LandingResult(0, 0, 0, None, None, links=links) for links in (("a",), ("a", "b")))
    said = shown(*[tick(landed=[(request, each)]) for each in (one, one, two)])
    assert [line.partition(";")[0] for line in said] == [
        "06:00:00  1.9 s  nothing new",
        "  Not followed: a",
        "06:00:00  1.9 s  nothing new",
        "  Not followed: a, b",
    ]


def test_a_fault_beside_a_stop_is_shown(plant: Plant) -> None:
    parts = plant.parts()

    def disk_is_full(_: str) -> None:
        asked.set()
        raise click.ClickException("disk full")

    plant.does = disk_is_full  # type: ignore[method-assign]
    assert parts.tick(display()[0]).faults == {"land raw.orders": "disk full"}


def test_of_ticks_in_which_nothing_happens_a_log_has_a_line_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([0.0, *range(1200, 9000, 1200)])
    monkeypatch.setattr("strandline.cli.follow.time.monotonic", lambda: next(now))
    idle = tick(
        landed=[(request_of(FILES), NOTHING)], built=Build((node("d", has_written=False),), 1.0)
    )
    assert shown(*[idle] * 4) == ["06:00:00  1.9 s  nothing new in 3 ticks"]


def test_for_machines_each_tick_is_an_object_on_a_line() -> None:
    display_, out = display(as_json=True)
    display_.say("Stopping after what is in hand …")
    sent = Sent(Receiver("ops", "STRANDLINE_NOTIFY_URL_OPS", "json://x"), 2, accepted=2)
    display_.ended(
        tick(
            landed=[(request_of(FILES), LANDED)],
            built=Build((node("minutes"),), 1.0),
            sent=[sent],
            faults={"run": "odd\nand more"},
        ),
        30,
    )
    [line] = out.getvalue().splitlines()
    found = json.loads(line)
    assert found["landed"][0]["table"] == "raw.orders"
    assert found["landed"][0]["landed"] == 1204
    assert found | {"landed": None} == {
        "at": "2026-01-05T06:00:00.000+00:00",
        "seconds": 1.94,
        "landed": None,
        "models": [
            {
                "name": "minutes",
                "kind": "model",
                "relation": "p.minutes",
                "status": "success",
                "message": "rewrote 1 partition",
                "seconds": 0.5,
            }
        ],
        "sent": [
            {
                "receiver": "ops",
                "waited": 2,
                "accepted": 2,
                "left": 0,
                "given_up": False,
                "reasons": {},
            }
        ],
        "faults": {"run": "odd\nand more"},
    }


def test_the_notice_of_a_signal_comes_at_once() -> None:
    display_, out = display()
    with display_:
        asked.set()
        for thread in threading.enumerate():
            if thread.name == "strandline-stopping":
                thread.join(5)
    said = re.sub(r"\x1b\S*", "", out.getvalue()).splitlines()
    assert [line for line in said if line] == [
        "Stopping after what is in hand …",
        "Stopped: what was committed stays, and the next start goes on from there.",
    ]

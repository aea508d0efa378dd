"""`strandline follow`: land, run and notify again and again, in one warm process."""

from __future__ import annotations

import json
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone, tzinfo
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from strandline.cli import notify as notifying
from strandline.cli.console import Terminal, styled
from strandline.cli.instants import length
from strandline.cli.landed import Request, found, landed, noted_lines
from strandline.cli.progress import Line
from strandline.cli.run import plain_node
from strandline.cli.terminal import in_one_message, one_line
from strandline.cli.workspace import entered, project_options
from strandline.notify import VARIABLE, Sent, TitleTemplate, Wording
from strandline.spark.extra import check_extra
from strandline.stopping import asked

if TYPE_CHECKING:
    from rich.status import Status

    from strandline.cli.build import Build
    from strandline.cli.notify import Sending
    from strandline.cli.project import Project
    from strandline.landing import LandingResult
    from strandline.spark import Needs

EXAMPLES = """
\b
Examples:
  strandline follow --every "30 seconds" \\
      --land "--source incoming --format csv --table raw.readings --schema-file readings.ddl"
  strandline follow --every PT1M --target connect --select "trades+" --json \\
      --land "--kafka broker:9092 --topic trades --table raw.trades --schema-file trades.ddl"
"""
NOT_IN_LAND = ("as_json", "target", "project_dir", "profiles_dir", "new_checkpoint")
SIGN_SECONDS = 3600  # between two lines of a log in which nothing happens


@click.command(epilog=EXAMPLES)
@click.option(
    "--every",
    type=length,
    required=True,
    metavar="DURATION",
    help="From the begin of one tick to the next, such as '30 seconds' or PT1M.",
)
@click.option(
    "--land",
    "lands",
    multiple=True,
    metavar="OPTIONS",
    help="What to land first, as the options of `strandline land` in one text. Repeatable.",
)
@click.option("--select", multiple=True, help="Models, as dbt selects them. Repeatable.")
@click.option("--test", "with_tests", is_flag=True, help="Test what was run, too.")
@click.option(
    "--give-up",
    type=click.IntRange(min=1),
    metavar="N",
    help="End with 1 after N failed ticks in a row.  [default: go on until stopped]",
)
@click.option("--json", "as_json", is_flag=True, help="One object a line and tick, for machines.")
@notifying.sending_options
@project_options
def follow(
    every: timedelta,
    lands: tuple[str, ...],
    select: tuple[str, ...],
    with_tests: bool,
    outbox: str,
    receiver: tuple[str, ...],
    timeout: float,
    zone: tzinfo,
    title: TitleTemplate | None,
    report_url: str | None,
    together: int | None,
    storm: int | None,
    first_as_one: bool,
    remind: timedelta | None,
    give_up: int | None,
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Land what is new, run the models, and send notifications, every so often, until stopped.

    Spark stays warm between two ticks. A tick that takes longer than --every delays the next one,
    and says so. A tick that fails is shown, and the next one tries again: what one part cannot do
    keeps no other part from its work. Without --land nothing is landed, and without a receiver in
    the environment nothing is sent.

    SIGTERM and Ctrl-C end it after the commit in hand; a second Ctrl-C at once. The project, and
    the files named by --schema-file, are read once: after a change start it again.

    Exit codes: 0 stopped, 1 given up, 2 wrong use.
    """
    requests = [request_of(text) for text in lands]
    sending = None
    if receiver or notifying.is_any_set():
        receivers = notifying.receivers_of(receiver)
        words = Wording(zone, report_url, title)
        sending = notifying.Sending(
            outbox, receivers, None, timeout, words, together, storm, remind, first_as_one
        )

    from strandline.spark.session import hold_as

    hold_as("follow")
    needs: Needs = "session" if requests else "tables" if sending else "dbt"
    with (
        stopped_by_signals(),
        entered(project_dir, profiles_dir, target, "follow.log", needs=needs) as opened,
        Display(Terminal(file=opened[1]), as_json=as_json) as display,
    ):
        if sending is None:
            display.say(f"No receiver is set (${VARIABLE}): nothing is sent.")
        parts = Parts(opened[0], requests, select, with_tests, sending)
        is_given_up = followed(parts, every.total_seconds(), give_up, display)
    if is_given_up:
        raise click.ClickException(f"{give_up} ticks in a row have failed.")


@dataclass
class Tick:
    """What one tick has done; `faults` are of the parts that failed, by the name of the part."""

    at: datetime
    landed: list[tuple[Request, LandingResult]] = field(default_factory=list)
    built: Build | None = None
    sent: list[Sent] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    seconds: float = 0

    def written(self) -> list[str]:
        """The tables to which the run has written."""
        nodes = self.built.stored() if self.built else []
        return [node.name for node in nodes if node.has_written]

    def shown(self) -> list[str]:
        """What has happened, in words; nothing if nothing has."""
        words = [
            f"{result.landed:,} rows in {request.table}"
            for request, result in self.landed
            if result.landed
        ]
        words += [
            f"{result.quarantined:,} in {request.rejected}"
            for request, result in self.landed
            if result.quarantined
        ]
        if written := len(self.written()):
            words.append(f"{written} {'model' if written == 1 else 'models'} written")
        words += [
            f"{sent.accepted:,} sent to {sent.receiver.name}" for sent in self.sent if sent.accepted
        ]
        return words

    def noted(self) -> list[str]:
        """What did not land, and which columns are new, in a line for each."""
        return [line for to, result in self.landed for line in noted_lines(to.table, result)]

    def as_json(self) -> str:
        nodes = self.built.nodes if self.built else ()
        return json.dumps(
            {
                "at": self.at.isoformat(timespec="milliseconds"),
                "seconds": round(self.seconds, 3),
                "landed": [found(request, result) for request, result in self.landed],
                "models": [plain_node(node) for node in nodes],
                "sent": notifying.counts(self.sent),
                "faults": self.faults,
            }
        )


class Display:
    """The lines of ticks: moving while one works on a terminal, and in a log when it has ended."""

    def __init__(self, console: Terminal, *, as_json: bool) -> None:
        self._console, self._as_json = console, as_json
        self._status: Status = console.status("")
        self._idle, self._said_at = 0, time.monotonic()
        self._faults: dict[str, str] = {}
        self._noted: list[str] = []

    def __enter__(self) -> Display:
        if not self._as_json:
            self._status.start()
        # A handler of signals must not print while its thread prints.
        threading.Thread(
            target=self._say_when_asked, name="strandline-stopping", daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()
        if asked.is_set():
            self.say("Stopped: what was committed stays, and the next start goes on from there.")

    def say(self, text: str) -> None:
        if not self._as_json:
            self._console.print(styled(text), soft_wrap=True)

    def working(self, label: str) -> Line:
        """The moving text of a part that works."""
        return StatusLine(self._status, label)

    def waits(self, seconds: float) -> None:
        due = datetime.now(timezone.utc) + timedelta(seconds=seconds)
        self._status.update(styled(f"next at {due:%H:%M:%S} UTC"))

    def ended(self, tick: Tick, every: float) -> None:
        """Prints what a tick has done; of ticks in which nothing happens, one line an hour."""
        if self._as_json:
            self._console.out(tick.as_json(), highlight=False)
            return
        # What a landing leaves out, such as a link, it leaves out in each tick.
        noted = [line for line in tick.noted() if line not in self._noted]
        self._noted = tick.noted()
        words, late = tick.shown(), tick.seconds > every
        if not (words or late or tick.faults or noted):
            self._idle += 1
            if time.monotonic() - self._said_at < SIGN_SECONDS:
                return
            words = [f"nothing new in {self._idle:,} ticks"]
        self._idle, self._said_at = 0, time.monotonic()
        line = f"{tick.at:%H:%M:%S}  {tick.seconds:.1f} s  {', '.join(words) or 'nothing new'}"
        if late:
            line += f"; longer than {every:g} s: the next tick begins at once"
        self.say(line)
        for text in noted:
            self.say(f"  {text}")
        for part, fault in tick.faults.items():
            text = "as in the tick before" if fault == self._faults.get(part) else fault
            self._console.print(styled(f"  ✗ {part}: {text}", "red"), soft_wrap=True)
        self._faults = tick.faults

    def _say_when_asked(self) -> None:
        asked.wait()
        self.say("Stopping after what is in hand …")


class StatusLine(Line):
    """The text of one part of a tick, on the moving line."""

    def __init__(self, status: Status, label: str) -> None:
        super().__init__()
        self._status, self._label = status, label
        self._draw()

    def _draw(self) -> None:
        self._status.update(styled(one_line(f"{self._label}  {self.shown()}")))


class Parts:
    """What a tick does."""

    def __init__(
        self,
        project: Project,
        requests: Sequence[Request],
        select: Sequence[str],
        with_tests: bool,
        sending: Sending | None,
    ) -> None:
        self._project, self._requests = project, requests
        self._select, self._with_tests, self._sending = select, with_tests, sending
        self._has_succeeded = False

    def tick(self, display: Display) -> Tick:
        """Does each part that can be done.

        Raises click.UsageError before the first tick without a fault: then the command is wrong.
        """
        began = time.monotonic()
        tick = Tick(datetime.now(timezone.utc))
        for name, part in self._parts():
            if asked.is_set():
                break
            try:
                part(tick, display)
            except click.UsageError as error:
                if not self._has_succeeded:
                    raise
                tick.faults[name] = error.format_message()
            except Exception as error:  # the next tick tries again, whatever it was
                tick.faults[name] = in_one_message(error)
        if asked.is_set():
            tick.faults.pop("run", None)  # models that were not begun are errors of dbt
        self._has_succeeded |= not tick.faults
        tick.seconds = time.monotonic() - began
        return tick

    def _parts(self) -> Iterator[tuple[str, Callable[[Tick, Display], None]]]:
        for request in self._requests:
            yield f"land {request.table}", partial(self._land, request)
        yield "run", self._run
        if self._sending is not None:
            yield "notify", partial(self._notify, self._sending)

    def _land(self, request: Request, tick: Tick, display: Display) -> None:
        project = self._project
        display.working(f"landing {request.table}")
        result = landed(request, project.folder, project.target, project.profiles)
        tick.landed.append((request, result))

    def _run(self, tick: Tick, display: Display) -> None:
        line = display.working("running")
        tick.built = self._project.run(line, self._select, {}, with_tests=self._with_tests)

    def _notify(self, sending: Sending, tick: Tick, display: Display) -> None:
        line = display.working("notifying")
        tick.sent = notifying.Waiting(self._project, sending).send(line.report)
        if any(each.failed for each in tick.sent):
            tick.faults["notify"] = notifying.failure(tick.sent)


def request_of(text: str) -> Request:
    """The options of `strandline land` in one text, as a request. Raises click.UsageError."""
    check_extra("`strandline follow --land`")
    from strandline.cli.land import land, requested

    try:
        context = land.make_context("land", shlex.split(text))
        given = dict(context.params)
        for name in NOT_IN_LAND:
            source = context.get_parameter_source(name)
            given_here = source is not None and source.name == "COMMANDLINE"
            if given.pop(name) and given_here:
                option = next(each.opts[0] for each in land.params if each.name == name)
                raise click.UsageError(f"{option} goes with `strandline land` alone.")
        request = requested(**given, new_checkpoint=False)
    except (ValueError, click.UsageError) as error:
        why = error.format_message() if isinstance(error, click.UsageError) else str(error)
        raise click.UsageError(f"--land '{text}': {why}") from None
    # Relative to here; a command that has entered its project is elsewhere.
    return replace(request, source=request.source and request.source.absolute())


def followed(parts: Parts, every: float, give_up: int | None, display: Display) -> bool:
    """Ticks until it is asked to stop; whether `give_up` ticks in a row have failed."""
    from strandline.spark.session import close, has_ended, rest

    failed = 0
    for _ in at_intervals(every, display.waits):
        tick = parts.tick(display)
        display.ended(tick, every)
        failed = failed + 1 if tick.faults else 0
        if failed == give_up:
            return True
        if has_ended():
            close()
        rest()
    return False


def at_intervals(
    every: float,
    waits: Callable[[float], None],
    *,
    clock: Callable[[], float] = time.monotonic,
    stop: threading.Event = asked,
) -> Iterator[None]:
    """Begins something now and then every so many seconds; at once, if the last took longer.

    `waits` gets the seconds until the next one.
    """
    due = clock()
    while not stop.is_set():
        yield
        now = clock()
        due = max(due + every, now)
        if due > now:
            waits(due - now)
            stop.wait(due - now)


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """SIGTERM and the first Ctrl-C ask this process to stop; the second Ctrl-C does what it did."""
    interrupt = signal.getsignal(signal.SIGINT)

    def on_signal(number: int, frame: FrameType | None) -> None:
        if number == signal.SIGINT and asked.is_set() and callable(interrupt):
            interrupt(number, frame)
        asked.set()

    handled = [signal.SIGTERM] if interrupt == signal.SIG_IGN else [signal.SIGTERM, signal.SIGINT]
    before = {number: signal.signal(number, on_signal) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

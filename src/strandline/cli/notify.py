"""`strandline notify`: what waits in the outbox, sent to its receivers, and what is shown of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from strandline.cli.console import Terminal, styled
from strandline.cli.instants import length, zone_option
from strandline.cli.workspace import entered, project_options
from strandline.notify import (
    PLAIN,
    VARIABLE,
    Group,
    Message,
    Notification,
    Receiver,
    Sent,
    TemplateError,
    TitleTemplate,
    Wording,
    WrongReceiver,
    due,
    grouped,
    receivers_in,
    send,
)

if TYPE_CHECKING:
    from strandline.cli.project import Project
    from strandline.notify.outbox import DeltaOutbox
    from strandline.notify.reminders import Reminders

EXAMPLES = """
\b
Examples:
  strandline notify --dry-run                     needs no receiver
  export STRANDLINE_NOTIFY_URL=jsons://example.com/hook
  strandline notify
  export STRANDLINE_NOTIFY_URL_OPS=slack://… STRANDLINE_NOTIFY_URL_DESK=mailtos://…
  strandline notify --receiver ops --limit 100 --time-zone America/New_York
  strandline notify --receiver desk --skip        desk is new and wants nothing of the past
  strandline notify --together 20                 up to 20 of one run in a message
  strandline notify --storm 5                     5 of a run, and one of the others
  strandline notify --remind P1D                  also of what was sent a day ago and is still open
  strandline notify --older --dry-run             what the first run found and did not send
"""
NOBODY = "(no receiver is set)"  # no name that a receiver can have
# The settings by which the outbox is the query of what was withheld, and of what is open.
OLDER, OPEN = "strandline_older_notifications", "strandline_open_incidents"
SECONDS = 30.0  # see strandline.notify.channel
NEWEST = 5  # of which a brief dry run shows the titles
# The way out, by what a service has answered.
HINTS = {
    r"HTTP (400|413|422)\b": (
        "HTTP 400, 413 and 422: the service refuses this message. If it is too long for it, put"
        " `overflow=split` (parts) or `overflow=truncate` (its beginning) in the URL, as in"
        " `json://host/path?overflow=split`. Otherwise check the fields that the service wants."
    ),
    r"HTTP (401|403|404|410)\b": (
        "HTTP 401, 403, 404 and 410: the token or the address is wrong, or was withdrawn. Set a new"
        " URL in the variable: what was accepted under its name stays accepted."
    ),
    r"HTTP 429\b": (
        "HTTP 429: too many at once. `--limit N` sends some of them, and `--together N` sends up to"
        " N notifications of a run as one message."
    ),
}


def title_template(text: str) -> TitleTemplate:
    """The type of an option: a template of titles."""
    try:
        return TitleTemplate(text)
    except TemplateError as error:
        raise click.BadParameter(
            f"'{text}' is no template: {error}. Write it in Jinja, such as '{{{{ carrier }}}}'."
        ) from None


def web_address(text: str) -> str:
    """The type of an option: an address of the web, or of a file."""
    if not re.match(r"(https?|file)://[^#\s]+$", text):
        raise click.BadParameter(
            f"'{text}' is no address of a report: write one that begins with https://, http:// or"
            " file://, without `#`."
        )
    return text


def sending_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is sent to whom, in which words: see `Sending`."""
    for option in reversed(
        (
            click.option(
                "--outbox",
                default="notifications",
                show_default=True,
                metavar="NAME",
                help="The model of the notifications, or schema.relation.",
            ),
            click.option(
                "--receiver", multiple=True, metavar="NAME", help="Only this one. Repeatable."
            ),
            click.option(
                "--timeout",
                type=click.FloatRange(min=0, min_open=True),
                default=SECONDS,
                show_default=True,
                metavar="SECONDS",
                help="The longest that one notification may take.",
            ),
            zone_option("The zone in which people read times, such as America/New_York."),
            click.option(
                "--title",
                type=title_template,
                envvar="STRANDLINE_NOTIFY_TITLE",
                metavar="TEMPLATE",
                help="The title in Jinja, such as '{{ carrier }}: {{ value }}'. Also"
                " $STRANDLINE_NOTIFY_TITLE.",
            ),
            click.option(
                "--report-url",
                type=web_address,
                envvar="STRANDLINE_REPORT_URL",
                metavar="URL",
                help="Where the report is: each message has a link to its incident there. Also"
                " $STRANDLINE_REPORT_URL.",
            ),
            click.option(
                "--together",
                type=click.IntRange(min=2),
                metavar="N",
                help="Up to N notifications of one run as one message.",
            ),
            click.option(
                "--storm",
                type=click.IntRange(min=1),
                metavar="N",
                help="Of a run with more notifications, N of the most severe ones, and one message "
                "of the others.",
            ),
            click.option(
                "--first-as-one",
                is_flag=True,
                help="All that waits as one message to a receiver that has accepted nothing yet.",
            ),
            click.option(
                "--remind",
                type=length,
                metavar="DURATION",
                help="Also of open incidents whose newest notification was sent that long ago, "
                "such as P1D.",
            ),
        )
    ):
        command = option(command)
    return command


@click.command(epilog=EXAMPLES)
@sending_options
@click.option("--limit", type=click.IntRange(min=1), help="At most so many to each, oldest first.")
@click.option(
    "--older",
    is_flag=True,
    help="Instead, what the first run found in history and `notify_look_back` withheld.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option("--brief", is_flag=True, help="With --dry-run: titles, of the newest ones only.")
@click.option("--skip", is_flag=True, help="Send nothing; record as accepted what waits.")
@click.option("--json", "as_json", is_flag=True, help="The result, for machines.")
@project_options
def notify(
    outbox: str,
    receiver: tuple[str, ...],
    limit: int | None,
    timeout: float,
    zone: tzinfo,
    title: TitleTemplate | None,
    report_url: str | None,
    together: int | None,
    storm: int | None,
    first_as_one: bool,
    older: bool,
    remind: timedelta | None,
    dry_run: bool,
    brief: bool,
    skip: bool,
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Send what waits in the outbox to its receivers, and record what each of them has accepted.

    A receiver is an Apprise URL in the environment: STRANDLINE_NOTIFY_URL, or
    STRANDLINE_NOTIFY_URL_<NAME> for each of several. It is never shown. What a receiver does not
    accept waits for the next run; the rest are sent. Sent again, it has the same idempotency key.

    Exit codes: 0 all was accepted (also when nothing waited), 1 something was not, 2 wrong use.
    """
    if skip and (dry_run or not receiver):
        raise click.UsageError(
            "--skip needs --receiver, whose notifications are lost for it, and no --dry-run."
        )
    if older and remind is not None:
        raise click.UsageError(
            "--older is of what was never sent, and --remind of what was: give one of them."
        )
    if brief and (not dry_run or as_json):
        raise click.UsageError("--brief shortens what --dry-run shows to people.")

    from strandline.cli.progress import Steps

    words = Wording(zone, report_url, title)
    # A dry run needs no receiver: it shows what waits for anybody.
    receivers = [] if dry_run and not is_any_set() else receivers_of(receiver)
    sending = Sending(outbox, receivers, limit, timeout, words, together, storm, remind,
                      first_as_one)  # fmt: skip
    with entered(project_dir, profiles_dir, target, "notify.log", needs="tables") as opened:
        project, terminal = opened
        steps = Steps(Terminal(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            waits = Waiting(project, sending, older=older, remembers=not (dry_run or skip or older))
        doing = "reading" if dry_run else "skipping" if skip else "sending"
        with steps.step(f"{doing} what waits in {waits.relation}") as line:
            if dry_run:
                read = waits.read([each.name for each in receivers] or [*receiver] or [NOBODY])
            else:
                done = waits.send(line.report, skip=skip)
                line.report("")
    console = Terminal()
    if dry_run and as_json:
        click.echo(json.dumps(would_send(read, sending), indent=2))
        return
    if dry_run:
        print_waiting(console, read, sending, brief)
        return
    if as_json:
        click.echo(json.dumps(counts(done), indent=2))
    else:
        console.print(accepted_table(done, "skipped" if skip else "accepted"))
    if any(sent.failed for sent in done):
        raise click.ClickException(failure(done))


@dataclass(frozen=True)
class Sending:
    """What is sent to whom: see the options of the command."""

    outbox: str
    receivers: Sequence[Receiver]
    limit: int | None = None
    timeout: float = SECONDS
    wording: Wording = PLAIN
    together: int | None = None
    storm: int | None = None
    remind: timedelta | None = None
    first_as_one: bool = False


@dataclass(frozen=True)
class Read:
    """What waits, by receiver, and the receivers that have accepted nothing yet."""

    waiting: dict[str, list[Notification]]
    new: set[str]


class Waiting:
    """What waits in the outbox of a project, for these receivers.

    Args:
        older: what `notify_look_back` withheld, instead.
        remembers: nothing is read if it is known that nothing waits, and this is remembered.

    Raises click.UsageError: there is no such outbox.
    """

    def __init__(
        self, project: Project, sending: Sending, *, older: bool = False, remembers: bool = True
    ) -> None:
        from strandline.cli.nothing_waits import memory_for
        from strandline.literals import micros_of
        from strandline.notify.reminders import Reminders

        self._project, self._sending = project, sending
        self._now = micros_of(datetime.now(timezone.utc))
        self.relation = _relation(project, sending.outbox)
        after = None if sending.remind is None else sending.remind // timedelta(microseconds=1)
        names = [each.name for each in sending.receivers]
        self._memory = memory_for(project, self.relation, names, after) if remembers else None
        self._is_known = self._memory is not None and self._memory.is_known(self._now)
        self._query = _query(project, self.relation, "--older", OLDER) if older else None
        self._reminders = None
        if after is not None and not self._is_known:
            open_ones = _query(project, self.relation, "--remind", OPEN)
            self._reminders = Reminders(after, open_ones, self._now)

    def read(self, names: Sequence[str]) -> Read:
        """What waits for each of these names."""
        with self._box() as box:
            new = box.new(names) if self._sending.first_as_one else set()
            return Read(box.waiting(names), new)

    def send(self, report: Callable[[str], None], *, skip: bool = False) -> list[Sent]:
        """Sends it, or with `skip` records it as accepted; `report` gets the progress."""
        from strandline.cli.nothing_waits import EMPTY
        from strandline.notify.channel import Channel, Skipped

        given, memory = self._sending, self._memory
        channels = [
            Skipped(each) if skip else Channel(each, given.timeout) for each in given.receivers
        ]
        if self._is_known:
            return send(EMPTY, channels)
        with self._box() as box:
            tables = memory.tables(box) if memory else None
            done = send(
                box,
                channels,
                given.limit,
                report,
                wording=given.wording,
                together=given.together,
                storm=given.storm,
                first_as_one=given.first_as_one,
            )
            if memory and tables and not any(sent.waiting for sent in done):
                memory.remember(tables, box.next_reminder, self._now)
        return done

    def _box(self) -> AbstractContextManager[DeltaOutbox]:
        return _opened(self._project, self.relation, self._query, self._reminders)


def is_any_set() -> bool:
    """Whether the environment has a receiver."""
    return any(name.startswith(VARIABLE) for name in os.environ)


def receivers_of(only: Sequence[str]) -> list[Receiver]:
    """Those of the environment. Raises click.UsageError."""
    try:
        return receivers_in(os.environ, only)
    except WrongReceiver as error:
        raise click.UsageError(str(error)) from None


def _relation(project: Project, outbox: str) -> str:
    """The outbox as schema.name: a model or snapshot of the project, or what was given."""
    if "." in outbox:
        return outbox
    relation = project.relations().by_name.get(outbox)
    if relation is None:
        raise click.UsageError(
            f"--outbox {outbox} is no model of {project.folder}: name the model of its"
            " notifications, or a relation as schema.name. See docs/notifications.md."
        )
    return relation


def _query(project: Project, relation: str, option: str, setting: str) -> str:
    """The query that the outbox has with a setting. Compiling it starts Spark."""
    is_one = relation in project.observed().outboxes
    query = project.query_of(relation, {setting: "1"}) if is_one else None
    if query is None:
        raise click.UsageError(
            f"{option} needs a model that calls strandline.anomaly_notifications, and {relation} is"
            f" no such model of {project.folder}: name it with --outbox."
        )
    return query


@contextmanager
def _opened(
    project: Project, relation: str, query: str | None, reminders: Reminders | None
) -> Iterator[DeltaOutbox]:
    from strandline.notify.outbox import DeltaOutbox
    from strandline.spark import connection_for

    with connection_for(project.folder, project.target, project.profiles) as spark:
        yield DeltaOutbox(spark, relation, query, reminders)


def print_waiting(console: Terminal, read: Read, sending: Sending, brief: bool = False) -> None:
    """Each message in full with its receivers, or the newest titles; then the counts."""
    messages = _messages(read, sending)
    if brief:
        # Of each notification, though several may be one message.
        alone = Read(read.waiting, new=set())
        newest = _messages(alone, replace(sending, together=None, storm=None))
        if len(newest) > NEWEST:
            console.print(f"{len(newest) - NEWEST:,} older ones, and:", soft_wrap=True)
        shown = newest[-NEWEST:]
    else:
        shown = messages
    for message, names in shown:
        heading = f"{message.title}  → {', '.join(names)}"
        console.print(styled(heading, "bold"), soft_wrap=True)
        if not brief:
            console.print(message.body, soft_wrap=True)
            console.print()
    for name, rows in read.waiting.items():
        now, sent = len(due(rows, sending.limit)), sum(name in names for _, names in messages)
        counted = f", as {sent:,} message{'' if sent == 1 else 's'}" if sent < now else ""
        console.print(f"{name}: {now:,} of {len(rows):,} that wait would be sent{counted}.")


def would_send(read: Read, sending: Sending) -> list[dict[str, object]]:
    """The same for machines: of each receiver the counts, and its messages in order."""
    shown: list[dict[str, object]] = []
    for name, rows in read.waiting.items():
        messages = [each for each, _ in _messages(Read({name: rows}, read.new), sending)]
        shown.append(
            {
                "receiver": name,
                "waiting": len(rows),
                "would_send": len(due(rows, sending.limit)),
                "messages": [
                    {"title": each.title, "message": each.body, **each.fields} for each in messages
                ],
            }
        )
    return shown


def _messages(read: Read, sending: Sending) -> list[tuple[Message, list[str]]]:
    """Each message with its receivers, in the order of its first notification."""
    to: dict[str, list[str]] = {}
    groups: dict[str, tuple[Group, Message]] = {}
    for name, rows in read.waiting.items():
        for group in grouped(
            due(rows, sending.limit), sending.together, sending.wording, storm=sending.storm,
            as_one=name in read.new,
        ):  # fmt: skip
            message = group.message(sending.wording)
            to.setdefault(message.key, []).append(name)
            groups[message.key] = (group, message)
    ordered = sorted(groups.values(), key=lambda each: each[0].place)
    return [(message, to[message.key]) for _, message in ordered]


def accepted_table(done: list[Sent], accepted: str) -> Table:
    """One line for each receiver, with counts and reasons."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("receiver", no_wrap=True)
    for name in ("waited", accepted, "left"):
        table.add_column(name, justify="right")
    table.add_column("")
    for sent in done:
        counts = (f"{count:,}" for count in (sent.waiting, sent.accepted, sent.left))
        reasons = styled(_reasons(sent), "red") if sent.failed else ""
        table.add_row(sent.receiver.name, *counts, reasons)
    return table


def counts(done: list[Sent]) -> list[dict[str, object]]:
    """The same for machines. The reasons never have the URL of a receiver in them."""
    return [
        {
            "receiver": sent.receiver.name,
            "waited": sent.waiting,
            "accepted": sent.accepted,
            "left": sent.left,
            "given_up": sent.given_up,
            "reasons": dict(sent.reasons),
        }
        for sent in done
    ]


def failure(done: list[Sent]) -> str:
    """The error message: each receiver that did not accept, the reasons, and what to do."""
    lines = [
        f"- {sent.receiver.name} (${sent.receiver.variable}) {_reasons(sent)}; {sent.left:,} wait"
        + (", and it was left for the next run." if sent.given_up else ".")
        for sent in done
        if sent.failed
    ]
    answers = " ".join(reason for sent in done for reason in sent.reasons)
    hints = [hint for pattern, hint in HINTS.items() if re.search(pattern, answers)]
    return (
        "Not everything was accepted:\n"
        + "\n".join([*lines, *hints])
        + "\nPut it right, or wait until the receiver is back, and run `strandline notify` again:"
        " what waits is sent then, with the same idempotency keys."
    )


def _reasons(sent: Sent) -> str:
    """`answered HTTP 500 (3 times), refused the connection`."""
    return ", ".join(
        reason if times == 1 else f"{reason} ({times:,} times)"
        for reason, times in sent.reasons.most_common()
    )

"""Hostile texts on the command line and in what it prints: no terminal obeys them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime, timezone
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner, Result
from tests.hostile import HALVES, TEXTS, obeyed

from strandline.cli import status, terminal
from strandline.cli.build import Build, BuildFailedError, Node
from strandline.cli.console import Terminal
from strandline.cli.init import _next
from strandline.cli.instants import time_zone, utc_of
from strandline.cli.landed import landed_lines
from strandline.cli.main import LazyGroup, cli
from strandline.cli.notify import Read, Sending, accepted_table, print_waiting
from strandline.cli.observed import ConsolidationStatus, EngineStatus, TableStatus
from strandline.cli.progress import Steps
from strandline.cli.purge import files_report
from strandline.cli.run import _written
from strandline.cli.tables import Unusable
from strandline.errors import StrandlineError, WrongUse
from strandline.landing import LandingResult, check_request
from strandline.landing.formats import OPTIONS, parse_format
from strandline.notify import Notification, Receiver, Sent
from strandline.retention import Compaction
from strandline.starter.columns import sample_of
from strandline.starter.csv_text import PLAIN

ALL = {**TEXTS, **HALVES}
AT = datetime(2013, 2, 8, tzinfo=timezone.utc)


def strandline(*arguments: str) -> Result:
    """A command on a terminal: click leaves the colours in."""
    return CliRunner().invoke(cli, arguments, color=True)


def printed(draw: Callable[[Terminal], None]) -> str:
    out = StringIO()
    draw(Terminal(file=out, width=20_000, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_a_text_is_plain_and_can_be_written(text: str) -> None:
    shown = terminal.plain(text)
    assert obeyed(shown) == []
    assert shown.encode().decode() == shown
    assert "\n" not in terminal.one_line(text)
    assert shown == text or obeyed(text)
    # Rich sees neither markup nor names of emoji in it, and no spaces are lost but at the end.
    assert printed(lambda console: console.print(text, soft_wrap=True)).rstrip() == (
        shown.expandtabs().rstrip()
    )


def of_texts(kind: type, text: str, /, **given: Any) -> Any:
    """An object of a dataclass of which each text is this one."""
    values = {name.name: text for name in fields(kind)}
    return kind(**{**values, **given})


NUMBERS = dict.fromkeys(
    ("groups", "rows", "metric_count", "last_arrival", "garbage_size", "rows_kept", "bytes_held",
     "active", "outdated", "ignored"), 7,
)  # fmt: skip


def with_numbers(kind: type, text: str, /, **given: Any) -> Any:
    known = {name.name: NUMBERS[name.name] for name in fields(kind) if name.name in NUMBERS}
    return of_texts(kind, text, **known, **given)


def test_status(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").touch()
    found = [
        each
        for text in ALL.values()
        for each in (
            with_numbers(TableStatus, text, written_at=AT),
            with_numbers(EngineStatus, text, metrics=[text], consumed_at=AT),
            with_numbers(ConsolidationStatus, text, watermark=AT, severities={text: 7}),
        )
    ]
    project = SimpleNamespace(stored=["a.b"])
    monkeypatch.setattr("strandline.cli.project.Project.relations", lambda _: project)
    rejected = [Unusable(each, 1, each) for each in ALL.values()]
    monkeypatch.setattr(status, "_read", lambda *_: (found, rejected))
    chosen = [part for text in ALL.values() for part in ("--select", text)]
    for arguments in ([], chosen, ["--json"], ["--select", "\x1b[31mnone"]):
        result = strandline("status", "--project-dir", str(tmp_path), *arguments)
        assert result.exit_code == (2 if arguments[-1:] == ["\x1b[31mnone"] else 0), result.output
        assert obeyed(result.output) == []


def test_a_run_its_progress_and_its_failure() -> None:
    nodes = tuple(of_texts(Node, text, seconds=1.0) for text in ALL.values())
    tests = tuple(of_texts(Node, text, kind="test", seconds=1.0) for text in ALL.values())
    shown = printed(lambda console: console.print(_written(Build((*nodes, *tests), 1.0))))
    assert obeyed(shown) == []
    assert "[/red]" in shown

    out = StringIO()
    for is_terminal in (True, False):
        steps = Steps(Terminal(file=out, force_terminal=is_terminal, color_system=None), of=1)
        for text in ALL.values():
            with steps.step(text) as line:
                line.report(text)
                line.started(text, text, 1)
    assert obeyed(moves_taken_out(out.getvalue())) == []


def moves_taken_out(text: str) -> str:
    """Without what rich itself writes to draw a line again."""
    for own in ("\x1b[?25l", "\x1b[?25h", "\x1b[1A", "\x1b[2K", "\r"):
        text = text.replace(own, "")
    return text


def test_notify_and_purge() -> None:
    for text in ALL.values():
        sent = Sent(Receiver(text, text, text), 1, reasons=Counter({text: 2}))
        row = Notification(
            key=text, kind=text, notified_at=AT, starts_at=AT, ends_at=AT, severity=text,
            labels=text, unit=text, anomaly_id=text, incident_id=text, current=1.0,
            keys={text: text, "detector": text},
        )  # fmt: skip
        joined = Compaction(text, 1, 50, 100, None)
        for draw in (
            lambda console, sent=sent: console.print(accepted_table([sent], "accepted")),
            lambda console, row=row, text=text: print_waiting(
                console, Read({text: [row]}, set()), Sending("notifications", [])
            ),
            lambda console, joined=joined: console.print(files_report([joined], [])),
        ):
            assert obeyed(printed(draw)) == []


def test_landed_files_and_links(capsys: pytest.CaptureFixture[str]) -> None:
    names = list(ALL.values())
    result = LandingResult(
        1, 1, 1, 1, 1, unreadable=dict.fromkeys(names, "\x1b[2J"), links=tuple(names)
    )
    lines = landed_lines("a.b", "a.c", result)
    # Each file has one line, whatever its name.
    assert len(lines) == 3 + len(names)
    for line in lines:
        terminal.say(line)
    out = capsys.readouterr().out
    assert obeyed(out) == []
    assert len(out.splitlines()) == len(lines)


@pytest.mark.parametrize(
    "kind",
    [StrandlineError, BuildFailedError, ValueError, click.ClickException, click.UsageError,
     click.BadParameter, click.NoSuchOption],
)  # fmt: skip
def test_errors(kind: Callable[[str], Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ALL.values():

        @click.command("land")
        def land(text: str = text) -> None:
            raise kind(text)

        monkeypatch.setattr(LazyGroup, "get_command", lambda *_, land=land: land)
        result = strandline("land")
        assert result.exit_code in (1, 2)
        assert obeyed(result.output) == []


@pytest.mark.parametrize(
    "arguments", [(), ("land",), ("notify", "--limit"), ("report", "--time-zone")]
)
def test_wrong_use(arguments: tuple[str, ...]) -> None:
    for text in ALL.values():
        if "\x00" in text:  # no argument of a process has it
            continue
        result = strandline(*arguments, f"--{text}" if not arguments else text)
        assert result.exit_code == 2
        assert obeyed(result.output) == []


def test_a_traceback_of_debug() -> None:
    code = (
        "from strandline.cli import main; import click\n"
        "@click.command('land')\n"
        "def land(): raise ValueError('\\x1b[31m \\u202e \\ud800')\n"
        "main.LazyGroup.get_command = lambda *_: land\n"
        "main.main(['--debug', 'land'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == "ValueError: \\x1b[31m \\u202e \\ud800"


@pytest.mark.parametrize("place", ["table", "quarantine"])
def test_a_table_is_named_plainly_or_refused(place: str, tmp_path: Path) -> None:
    for text in [*ALL.values(), "raw.orders\n", "raw.`orders`"]:
        names = [f"{text}.orders", f"raw.{text}"] if PLAIN.fullmatch(text) is None else []
        for name in (text or " ", *names):
            given = {"table": "raw.orders", place: name}
            with pytest.raises(WrongUse):
                check_request(tmp_path, file_format="csv", **given)


@pytest.mark.parametrize(
    ("kind", "key"), [(kind, key) for kind in OPTIONS for key in OPTIONS[kind]]
)
def test_an_option_is_kept_as_it_is_or_refused(kind: str, key: str) -> None:
    for text in ALL.values():
        faults: list[str] = []
        made = parse_format(kind, {key: text}, faults)
        assert (made is None) == bool(faults)
        if made is not None and text and key != "header":
            assert getattr(made, key) == text
        assert parse_format(kind, {text: "1"}, []) is None
        assert parse_format(text, {}, []) is None


def test_instants_and_zones() -> None:
    for text in ALL.values():
        assert utc_of(text) is None
        with pytest.raises(click.BadParameter):
            time_zone(text)


@pytest.mark.parametrize("option", ["--name", "--events", "--ts", "--keys", "--value"])
def test_the_answers_of_init(option: str, tmp_path: Path) -> None:
    csv = tmp_path / "readings.csv"
    csv.write_text("machine,read_at,temperature\na,2026-01-05T06:00:00Z,1.5\n")
    folder = tmp_path / "plant"
    folder.mkdir()
    for text in ALL.values():
        if not text.strip() or PLAIN.fullmatch(text) or "\x00" in text:
            continue
        result = strandline(
            "init", "--yes", "--csv", str(csv), "--project-dir", str(folder), option, text
        )
        assert result.exit_code in (1, 2), text
        assert obeyed(result.output) == []
    assert list(folder.iterdir()) == []


def test_the_header_of_a_file_of_init(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS.values()):
        csv = tmp_path / f"{number}.csv"
        quoted = text.replace('"', '""')
        csv.write_text(f'"{quoted}",read_at\na,2026-01-05T06:00:00Z\n', newline="")
        folder = tmp_path / f"project_{number}"
        folder.mkdir()
        result = strandline(
            "init", "--yes", "--csv", str(csv), "--project-dir", str(folder), "--events", "read"
        )
        assert obeyed(result.output) == []
        looks_like_a_row = text.strip() and not text.strip("0123456789-: ")
        if looks_like_a_row or any(character in text for character in "\x00\n\r"):
            assert result.exit_code == 1, text
            continue
        assert result.exit_code == 0, text
        columns = [each.name for each in sample_of(csv).columns]
        assert all(PLAIN.fullmatch(name) for name in columns)
        sources = (folder / "models/read/_sources.yml").read_text()
        assert not re.search("{[{%#]", sources.replace("{{ ", ""))
        [source] = yaml.safe_load(sources)["sources"]
        assert [each["name"] for each in source["tables"][0]["columns"]] == [
            *columns, "arrival", "landed_from"
        ]  # fmt: skip


def test_the_command_that_init_shows_copies_the_file_and_does_nothing_else() -> None:
    for text in TEXTS.values():
        shown = _next(Path("plant"), Path(f"/data/{text}.csv"), "incoming/readings")
        line = shown[shown.index("cp ") : shown.index(" incoming/readings/\n  ./run.sh")]
        assert shlex.split(line) == ["cp", str(Path(f"/data/{text}.csv"))]


def test_json_of_a_landing_is_ascii() -> None:
    assert obeyed(json.dumps(list(ALL.values()))) == []

"""`strandline notify` without Spark: what is shown, exit codes, wrong use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from tests.engine.notify.receiver import (
    DAY,
    TOKEN,
    HttpReceiver,
    MemoryOutbox,
    notification,
    notifications,
)

from strandline.cli import notify
from strandline.cli.main import cli
from strandline.notify import PLAIN, Receiver, grouped
from strandline.notify.channel import Channel
from strandline.notify.send import Acceptance


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project with one model, `notifications`, whose rows are in `outbox`."""
    (tmp_path / "dbt_project.yml").touch()
    recorded = SimpleNamespace(
        folder=str(tmp_path), outbox=MemoryOutbox(notifications(3)), relation=None
    )
    recorded.macros = ["macro.strandline.anomaly_notifications"]
    node = SimpleNamespace(
        name="notifications",
        resource_type="model",
        relation_name="`plant`.`notifications`",
        config=SimpleNamespace(materialized="view"),
        depends_on=SimpleNamespace(macros=recorded.macros),
    )

    class Runner:
        def __init__(self, callbacks: list) -> None: ...

        def invoke(self, _: list[str]) -> SimpleNamespace:
            return SimpleNamespace(result=SimpleNamespace(nodes={"n": node}), exception=None)

    @contextmanager
    def opened(
        _: object, relation: str, query: object, reminders: object
    ) -> Iterator[MemoryOutbox]:
        recorded.relation, recorded.query, recorded.reminders = relation, query, reminders
        yield recorded.outbox

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    monkeypatch.setattr(notify, "_opened", opened)
    return recorded


def strandline(plant: SimpleNamespace, *arguments: str, **receivers: HttpReceiver | str) -> Result:
    """The command with these receivers: `OPS=…` is STRANDLINE_NOTIFY_URL_OPS."""
    urls = {
        f"STRANDLINE_NOTIFY_URL_{name}": each if isinstance(each, str) else each.url()
        for name, each in receivers.items()
    }
    command = ("notify", "--project-dir", plant.folder, *arguments)
    result = CliRunner(env={"COLUMNS": "100", **urls}).invoke(cli, command)
    output = result.output + repr(result.exception)
    log = Path(plant.folder, "logs", "notify.log")
    if log.exists():
        output += log.read_text(errors="replace")
    assert TOKEN not in output
    assert "/hook/" not in output
    return result


def lines(result: Result) -> list[str]:
    return [line.rstrip() for line in result.output.splitlines() if line.strip()]


def test_what_was_accepted_is_shown_on_one_screen(plant, receiver, other):
    result = strandline(plant, OPS=receiver, DESK=other)
    assert result.exit_code == 0, result.output
    assert lines(result)[-3:] == [
        "receiver  waited  accepted  left",
        "desk           3         3     0",
        "ops            3         3     0",
    ]
    assert plant.relation == "plant.notifications"
    assert receiver.keys() == other.keys() == ["k0001", "k0002", "k0003"]
    assert lines(strandline(plant, OPS=receiver))[-1] == "ops            0         0     0"


def test_a_dead_receiver_is_reported_and_the_rest_go_on(plant, receiver, other):
    plant.outbox = MemoryOutbox(notifications(9))
    receiver.stop()
    other.meets("accept", "500")
    result = strandline(plant, OPS=receiver, DESK=other)
    assert result.exit_code == 1
    start = lines(result).index("Error: Not everything was accepted:")
    assert lines(result)[start - 2 :] == [
        "desk           9         5     4  answered HTTP 500 (4 times)",
        "ops            9         0     9  refused the connection (4 times)",
        "Error: Not everything was accepted:",
        "- desk ($STRANDLINE_NOTIFY_URL_DESK) answered HTTP 500 (4 times); 4 wait.",
        "- ops ($STRANDLINE_NOTIFY_URL_OPS) refused the connection (4 times); 9 wait, and it was left for the next run.",
        "Put it right, or wait until the receiver is back, and run `strandline notify` again: what waits is sent then, with the same idempotency keys.",
    ]


def test_the_same_for_machines(plant, receiver, other):
    other.stop()
    result = strandline(plant, "--json", OPS=receiver, DESK=other)
    assert result.exit_code == 1
    shown = result.stdout[: result.stdout.rindex("]") + 1]
    assert json.loads(shown) == [
        {"receiver": "desk", "waited": 3, "accepted": 0, "left": 3, "given_up": False, "reasons": {"refused the connection": 3}},
        {"receiver": "ops", "waited": 3, "accepted": 3, "left": 0, "given_up": False, "reasons": {}},
    ]  # fmt: skip
    assert "Error: Not everything was accepted:" in result.stderr


def test_a_receiver_that_hangs_is_waited_for_as_long_as_is_said(plant, receiver):
    receiver.meets("trickle")
    result = strandline(plant, "--timeout", "0.2", "--limit", "1", OPS=receiver)
    assert result.exit_code == 1
    assert "(did not" not in result.output
    assert "$STRANDLINE_NOTIFY_URL_OPS) did not answer within 0.2 s; 3 wait." in result.output


def test_a_dry_run_shows_all_and_sends_nothing(plant, receiver, other):
    plant.outbox.note([])
    first = strandline(plant, "--limit", "1", OPS=receiver)
    assert first.exit_code == 0, first.output
    result = strandline(plant, "--dry-run", "--limit", "1", OPS=receiver, DESK=other)
    assert result.exit_code == 0, result.output
    printed = lines(result)
    assert [line for line in printed if "→" in line] == [
        "[high] UA: 12, expected 48 (mean, 8 Feb UTC)  → desk",
        "[high] UA: 12, expected 48 (mean, 8 Feb UTC)  → ops",
    ]
    assert "Value: 12, expected 48 (-75 %)" in printed
    assert printed[-2:] == [
        "desk: 1 of 3 that wait would be sent.",
        "ops: 1 of 2 that wait would be sent.",
    ]
    assert (len(receiver.deliveries), len(other.deliveries)) == (1, 0)


def test_a_dry_run_needs_no_receiver(plant):
    result = strandline(plant, "--dry-run", "--limit", "2")
    assert result.exit_code == 0, result.output
    printed = lines(result)
    assert [line for line in printed if "→" in line] == [
        "[high] UA: 12, expected 48 (mean, 8 Feb UTC)  → (no receiver is set)"
    ] * 2
    assert printed[-1] == "(no receiver is set): 2 of 3 that wait would be sent."

    plant.outbox.note([Acceptance("k0001", "ops", DAY)])
    named = strandline(plant, "--dry-run", "--receiver", "ops")
    assert lines(named)[-1] == "ops: 2 of 2 that wait would be sent."


def test_times_are_shown_in_the_zone_that_is_given(plant, receiver):
    zone = ("--time-zone", "America/New_York")
    shown = strandline(plant, "--dry-run", "--limit", "1", *zone)
    title = "[high] UA: 12, expected 48 (mean, 7 Feb 19:00 to 8 Feb 19:00 EST)"
    assert f"{title}  → (no receiver is set)" in lines(shown)
    assert "From 2013-02-07 19:00:00 to 2013-02-08 19:00:00 EST" in lines(shown)

    assert strandline(plant, "--limit", "1", *zone, OPS=receiver).exit_code == 0
    assert receiver.deliveries[0].body["title"] == title


def test_a_title_of_its_own_and_a_link_to_the_report(plant, receiver, monkeypatch):
    own = ("--limit", "1", "--title", "{{ carrier }} {{ value }}")
    monkeypatch.setenv("STRANDLINE_REPORT_URL", "https://example.com/r.html")
    assert strandline(plant, *own, OPS=receiver).exit_code == 0
    body = receiver.deliveries[0].body
    assert (body["title"], body["link"]) == ("UA 12", "https://example.com/r.html#incident-i1")


def test_one_of_several_receivers(plant, receiver):
    dead = "json://127.0.0.1:1/x"
    result = strandline(plant, "--receiver", "ops", OPS=receiver, DESK=dead)
    assert result.exit_code == 0, result.output
    assert len(receiver.deliveries) == 3


def test_a_new_receiver_may_skip_the_past(plant, receiver, other):
    result = strandline(plant, "--receiver", "desk", "--skip", OPS=receiver, DESK=other)
    assert result.exit_code == 0, result.output
    assert lines(result) == ["receiver  waited  skipped  left", "desk           3        3     0"]
    assert len(plant.outbox.noted("desk")) == 3
    plant.outbox.rows += notifications(4)[3:]
    assert strandline(plant, OPS=receiver, DESK=other).exit_code == 0
    assert (len(receiver.deliveries), other.keys()) == (4, ["k0004"])


WRONG = [
    (("--skip",), {"OPS": "json://x"}, "--skip needs --receiver"),
    (("--skip", "--receiver", "ops", "--dry-run"), {"OPS": "json://x"}, "--skip needs --receiver"),
    ((), {}, "No receiver: set $STRANDLINE_NOTIFY_URL to an Apprise URL"),
    ((), {"OPS": TOKEN}, "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use."),
    (("--receiver", "opps"), {"OPS": "json://x"}, "--receiver opps is none of the environment's: ops."),
    (("--outbox", "alerts"), {"OPS": "json://x"}, "--outbox alerts is no model of {folder}: name the model of its"),
    (("--limit", "0"), {"OPS": "json://x"}, "0 is not in the range x>=1"),
    (("--time-zone", "Amerika/New_York"), {"OPS": "json://x"}, "'Amerika/New_York' is no time zone: write a name such as America/New_York or UTC; did you mean America/New_York?"),
    (("--time-zone", "../etc"), {"OPS": "json://x"}, "'../etc' is no time zone"),
    (("--dry-run",), {"OPS": TOKEN}, "$STRANDLINE_NOTIFY_URL_OPS holds no URL that Apprise can use."),
    (("--remind", "P1M"), {"OPS": "json://x"}, "'P1M' is no length of time; write whole seconds, more than none, such as '12 hours', P1D or PT12H (months and years have no fixed length)."),
    (("--remind", "PT0S"), {"OPS": "json://x"}, "'PT0S' is no length of time;"),
    *[
        (("--remind", text), {"OPS": "json://x"}, f"'{text}' is no length of time;")
        for text in ("1 dya", "1500 ms", "1 month", "0 days", "P1.5D", "9000000000000000000 s", "")
    ],
    (("--remind", "P1D", "--older"), {"OPS": "json://x"}, "--older is of what was never sent, and --remind of what was: give one of them."),
    (("--title", "{{ carrier"), {"OPS": "json://x"}, "'{{ carrier' is no template: unexpected end of template"),
    (("--report-url", "example.com"), {"OPS": "json://x"}, "'example.com' is no address of a report: write one that begins with https://, http:// or file://, without `#`."),
    (("--report-url", "https://example.com/#now"), {"OPS": "json://x"}, "is no address of a report"),
    (("--timeout", "0"), {"OPS": "json://x"}, "0.0 is not in the range x>0"),
    (("--project-dir", "/"), {"OPS": "json://x"}, "/ holds no dbt_project.yml: name one with --project-dir."),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "urls", "said"), WRONG)
def test_wrong_use_is_refused_before_spark_starts(plant, arguments, urls, said):
    result = strandline(plant, *arguments, **urls)
    assert result.exit_code == 2, result.output
    assert said.replace("{folder}", str(plant.folder)) in " ".join(result.output.split())
    assert plant.relation is None


def test_a_relation_needs_no_model(plant, receiver):
    assert strandline(plant, "--outbox", "other.alerts", OPS=receiver).exit_code == 0
    assert plant.relation == "other.alerts"


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("400", "HTTP 400, 413 and 422: the service refuses this message. If it is too long for it, put `overflow=split` (parts) or `overflow=truncate` (its beginning) in the URL, as in `json://host/path?overflow=split`."),
        ("413", "`overflow=truncate` (its beginning)"),
        ("404", "HTTP 401, 403, 404 and 410: the token or the address is wrong, or was withdrawn. Set a new URL in the variable: what was accepted under its name stays accepted."),
        ("429", "HTTP 429: too many at once. `--limit N` sends some of them, and `--together N` sends up to N notifications of a run as one message."),
    ],
)  # fmt: skip
def test_a_refusal_names_the_way_out(plant, receiver, answer, hint):
    receiver.meets(answer)
    result = strandline(plant, OPS=receiver)
    assert result.exit_code == 1
    assert hint in result.output
    assert result.output.count("HTTP 429: too many") == (answer == "429")


def test_a_dry_run_for_machines(plant, receiver):
    result = strandline(plant, "--json", "--dry-run", "--limit", "2", OPS=receiver)
    assert result.exit_code == 0, result.output
    [shown] = json.loads(result.stdout)
    assert (shown["receiver"], shown["waiting"], shown["would_send"]) == ("ops", 3, 2)
    assert [each["idempotency_key"] for each in shown["messages"]] == ["k0001", "k0002"]
    assert shown["messages"][0]["title"] == "[high] UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert shown["messages"][0]["message"].endswith("Notification: k0001")
    assert (receiver.deliveries, plant.outbox.batches) == ([], [])

    nobody = json.loads(strandline(plant, "--json", "--dry-run").stdout)
    assert [each["receiver"] for each in nobody] == ["(no receiver is set)"]


def test_several_of_one_run_in_one_message(plant, receiver):
    at = DAY + timedelta(days=2)
    rows = [notification(number, notified_at=at) for number in range(1, 6)]
    rows += [notification(6, notified_at=at, kind="completed"), notification(7)]
    plant.outbox = MemoryOutbox(rows)
    shown = strandline(plant, "--dry-run", "--together", "4")
    assert [line for line in lines(shown) if "→" in line] == [
        "4 notifications: 4 new (8 Feb UTC)  → (no receiver is set)",
        "2 notifications: 1 new, 1 over (8 Feb UTC)  → (no receiver is set)",
        "[high] UA: 12, expected 48 (mean, 8 Feb UTC)  → (no receiver is set)",
    ]
    assert (
        lines(shown)[-1] == "(no receiver is set): 7 of 7 that wait would be sent, as 3 messages."
    )

    receiver.meets("accept", "500", "accept")
    result = strandline(plant, "--together", "4", OPS=receiver)
    assert result.exit_code == 1
    assert "ops            7         5     2  answered HTTP 500" in result.output
    assert plant.outbox.noted("ops") == ["k0001", "k0002", "k0003", "k0004", "k0007"]
    first, second, alone = receiver.deliveries
    assert first.body["kind"] == "together"
    assert [each["idempotency_key"] for each in json.loads(first.body["notifications"])] == [
        "k0001", "k0002", "k0003", "k0004",
    ]  # fmt: skip
    assert (
        first.body["message"].split("\n")[:2]
        == ["[high] UA: 12, expected 48 (mean, 8 Feb UTC)"] * 2
    )
    assert alone.key == "k0007"

    receiver.meets("accept")
    assert strandline(plant, "--together", "4", OPS=receiver).exit_code == 0
    again = receiver.deliveries[3]
    assert (again.key, again.body) == (second.key, second.body)
    assert plant.outbox.noted("ops")[5:] == ["k0005", "k0006"]


def test_no_more_are_in_one_message_than_the_service_takes():
    at = DAY + timedelta(days=2)
    rows = [notification(number, notified_at=at) for number in range(1, 101)]
    discord = Channel(Receiver("d", "V", f"discord://{'1' * 18}/{'a' * 68}"))
    groups = grouped(rows, 100, takes=discord.takes)
    assert [row for group in groups for row in group.rows] == rows
    assert 2 < len(groups) < 10
    assert all(discord.takes(group.message(PLAIN)) for group in groups)


def test_a_storm_is_some_messages_and_one_of_the_others(plant, receiver):
    at = DAY + timedelta(days=2)
    severities = ["low", "critical", None, "high", "low", "medium", "low"]
    rows = [
        notification(number, notified_at=at, severity=severity)
        for number, severity in enumerate(severities, 1)
    ]
    rows += [notification(8, notified_at=at, severity="critical", kind="completed")]
    rows += [notification(9), notification(10)]
    plant.outbox = MemoryOutbox(rows)
    shown = strandline(plant, "--dry-run", "--storm", "3")
    assert [line.partition(":")[0] for line in lines(shown) if "→" in line] == [
        "[critical] UA", "[high] UA", "[medium] UA", "And 5 others", "[high] UA", "[high] UA",
    ]  # fmt: skip
    result = strandline(plant, "--storm", "3", OPS=receiver)
    assert "ops           10        10     0" in result.output
    titles = [each.body["title"] for each in receiver.deliveries]
    assert titles[3] == "And 5 others: 4 new, 1 over (8 Feb UTC)"
    assert len(titles) == 6
    assert sorted(plant.outbox.noted("ops")) == sorted(row.key for row in rows)


def test_a_new_receiver_gets_what_waits_as_one_message(plant, receiver):
    shown = strandline(plant, "--dry-run", "--brief", "--first-as-one", "--storm", "1")
    assert "(no receiver is set): 3 of 3 that wait would be sent, as 1 message." in shown.output
    assert [line for line in lines(shown) if "→" in line] == [
        "[high] UA: 12, expected 48 (mean, 8 Feb UTC)  → (no receiver is set)"
    ] * 3
    receiver.meets("refuse")
    assert strandline(plant, "--first-as-one", OPS=receiver).exit_code == 1
    receiver.meets("accept")
    assert strandline(plant, "--first-as-one", OPS=receiver).exit_code == 0
    refused, first = receiver.deliveries
    assert (refused.key, first.body["title"]) == (first.key, "3 notifications: 3 new (8 Feb UTC)")
    assert plant.outbox.noted("ops") == ["k0001", "k0002", "k0003"]

    plant.outbox.rows += [notification(4), notification(5)]
    assert strandline(plant, "--first-as-one", OPS=receiver).exit_code == 0
    assert [each.key for each in receiver.deliveries[2:]] == ["k0004", "k0005"]


@pytest.mark.parametrize(("count", "messages"), [(3, 3), (4, 4), (5, 4)])
def test_a_message_of_the_others_is_of_two_or_more(count, messages):
    at = DAY + timedelta(days=2)
    rows = [notification(number, notified_at=at) for number in range(count)]
    assert len(grouped(rows, None, storm=3)) == messages


QUERIES = [
    ("--older", "strandline_older_notifications"),
    ("--remind=P1DT12H", "strandline_open_incidents"),
    ("--remind=1 day 12 hours", "strandline_open_incidents"),
]


@pytest.mark.parametrize(("option", "setting"), QUERIES)
def test_older_and_open_ones_are_those_of_the_compiled_outbox(
    plant, receiver, monkeypatch, option, setting
):
    calls = []

    def query_of(_: object, relation: str, variables: dict) -> str | None:
        calls.append((relation, variables))
        return "select some"

    monkeypatch.setattr("strandline.cli.project.Project.query_of", query_of)
    assert strandline(plant, OPS=receiver).exit_code == 0
    assert (plant.query, plant.reminders, calls) == (None, None, [])
    assert strandline(plant, option, OPS=receiver).exit_code == 0
    assert calls == [("plant.notifications", {setting: "1"})]
    if option == "--older":
        assert (plant.query, plant.reminders) == ("select some", None)
    else:
        assert (plant.query, plant.reminders.query) == (None, "select some")
        assert plant.reminders.after == 36 * 3_600_000_000
        age = datetime.now(timezone.utc).timestamp() - plant.reminders.now / 1e6
        assert 0 <= age < 60

    said = (
        f"{option[:8].rstrip('=')} needs a model that calls strandline.anomaly_notifications, and"
    )
    other = strandline(plant, option, "--outbox", "a.view", OPS=receiver)
    assert other.exit_code == 2
    assert f"{said} a.view is no such model of {plant.folder}: name it with" in " ".join(
        other.output.split()
    )
    plant.macros.clear()  # a model of the user's own
    assert said in strandline(plant, option, OPS=receiver).output
    assert len(calls) == 1


def test_nothing_waits_looks_the_same_without_spark(plant, receiver, monkeypatch):
    calls = []

    def memory_for(_: object, relation: str, names: list, remind: int | None) -> SimpleNamespace:
        calls.append((relation, names, remind))
        return SimpleNamespace(is_known=lambda _: plant.is_known, tables=lambda _: None)

    def query_of(*_: object) -> str:
        return "select some"

    monkeypatch.setattr("strandline.cli.nothing_waits.memory_for", memory_for)
    monkeypatch.setattr("strandline.cli.project.Project.query_of", query_of)
    plant.is_known, plant.outbox = False, MemoryOutbox([])
    for more in ((), ("--json",), ("--remind", "PT1S")):
        plant.is_known, plant.relation = False, None
        usual = strandline(plant, *more, OPS=receiver)
        assert plant.relation == "plant.notifications"
        plant.is_known, plant.relation = True, None
        known = strandline(plant, *more, OPS=receiver)
        assert plant.relation is None
        assert known.exit_code == usual.exit_code == 0
        assert without_times(known) == without_times(usual)
    assert calls[0] == ("plant.notifications", ["ops"], None)
    assert calls[-1] == ("plant.notifications", ["ops"], 1_000_000)

    # What shows or skips or reads something else reads the tables.
    calls.clear()
    for more in (("--dry-run",), ("--skip", "--receiver", "ops"), ("--older",)):
        plant.relation = None
        assert strandline(plant, *more, OPS=receiver).exit_code == 0
        assert (plant.relation, calls) == ("plant.notifications", [])


def without_times(result: Result) -> str:
    return re.sub(r"\d+\.\d+ s", "", result.output)


def test_a_brief_dry_run_shows_the_newest_titles(plant):
    plant.outbox = MemoryOutbox(
        [notification(number, keys={"carrier": f"N{number}"}) for number in range(1, 10)]
    )
    result = strandline(plant, "--dry-run", "--brief")
    assert result.exit_code == 0, result.output
    assert lines(result)[-7:] == [
        "4 older ones, and:",
        *(
            f"[high] N{n}: 12, expected 48 (8 Feb UTC)  → (no receiver is set)"
            for n in range(5, 10)
        ),
        "(no receiver is set): 9 of 9 that wait would be sent.",
    ]
    wrong = strandline(plant, "--brief")
    assert (
        wrong.exit_code,
        "--brief shortens what --dry-run shows to people." in wrong.output,
    ) == (2, True)

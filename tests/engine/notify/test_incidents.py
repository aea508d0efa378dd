"""Services that keep incidents: one name for all messages of an incident, its severity, its end."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.engine.notify.receiver import HttpReceiver, MemoryOutbox, notification

from strandline.notify import Receiver, Wording, WrongReceiver, receivers_in, send
from strandline.notify.channel import Channel
from strandline.notify.incidents import rank, standard


def sent(url: str, *rows, **given):
    channel = Channel(Receiver("ops", "STRANDLINE_NOTIFY_URL_OPS", url))
    [done] = send(MemoryOutbox(rows), [channel], **given)
    return done


STORY = (
    notification(1, key="a", incident_id="i1", severity="high"),
    notification(2, key="b", incident_id="i1", severity="critical", kind="raised"),
    notification(3, key="c", incident_id="i2", severity="P1"),
    notification(4, key="d", incident_id="i1", severity="high", kind="completed"),
    notification(5, key="e", incident_id="i2", severity="P1", kind="outdated"),
)


@pytest.fixture
def pagerduty(receiver: HttpReceiver, monkeypatch: pytest.MonkeyPatch) -> HttpReceiver:
    """PagerDuty's address is that of the receiver, which answers 202 as PagerDuty does."""
    from apprise.plugins import pagerduty

    url = f"http://127.0.0.1:{receiver.port}/v2/enqueue"
    monkeypatch.setitem(pagerduty.PAGERDUTY_API_LOOKUP, "us", url)
    monkeypatch.setattr(pagerduty.NotifyPagerDuty, "request_rate_per_sec", 0)
    receiver.meets("202")
    return receiver


PAGERDUTY = "pagerduty://routing@token/flights/departures"


def test_an_incident_of_pagerduty_opens_rises_and_is_resolved(pagerduty: HttpReceiver):
    assert sent(PAGERDUTY, *STORY).accepted == 5
    events = [each.body for each in pagerduty.deliveries]
    assert [
        (each["event_action"], each["dedup_key"], each.get("payload", {}).get("severity"))
        for each in events
    ] == [
        ("trigger", "i1", "error"),
        ("trigger", "i1", "critical"),
        ("trigger", "i2", "warning"),
        ("resolve", "i1", None),
        ("resolve", "i2", None),
    ]
    shown = events[0]["payload"]
    assert shown["summary"].startswith("[high] UA: 12, expected 48 (mean, 8 Feb UTC)")
    assert (shown["source"], shown["component"]) == ("flights", "departures")
    assert shown["custom_details"]["current_value"] == "12.0"
    assert shown["custom_details"]["keys"] == '{"detector": "mean", "carrier": "UA"}'
    assert "unit" not in shown["custom_details"]


def test_what_the_url_of_pagerduty_sets_stays(pagerduty: HttpReceiver):
    sent(f"{PAGERDUTY}?severity=info&dedup=all&+team=ops", *STORY[:2])
    for each in pagerduty.deliveries:
        assert (each.body["dedup_key"], each.body["payload"]["severity"]) == ("all", "info")
        assert each.body["payload"]["custom_details"]["team"] == "ops"


def test_an_outbox_without_incidents_has_one_for_each_notification(pagerduty: HttpReceiver):
    sent(PAGERDUTY, notification(1, incident_id=None), notification(2, incident_id=None))
    assert [each.body["dedup_key"] for each in pagerduty.deliveries] == ["k0001", "k0002"]


def test_a_service_with_incidents_has_each_of_them_in_a_message_of_its_own(pagerduty: HttpReceiver):
    at = STORY[0].notified_at
    rows = [notification(number, notified_at=at) for number in (1, 2, 3)]
    assert sent(PAGERDUTY, *rows, together=10).accepted == 3
    assert [each.body["dedup_key"] for each in pagerduty.deliveries] == ["i1", "i2", "i3"]


@pytest.mark.parametrize("given", [{"storm": 2}, {"first_as_one": True}])
def test_a_service_with_incidents_gets_no_message_of_several(pagerduty: HttpReceiver, given):
    at = STORY[0].notified_at
    rows = [notification(number, notified_at=at) for number in range(1, 7)]
    assert sent(PAGERDUTY, *rows, **given).accepted == len(pagerduty.deliveries) == 6


@pytest.mark.parametrize(
    ("severity", "place"),
    [("critical", 6), (" HIGH", 5), ("debug", 1), ("P1", 0), (None, 0), ("7.5", 7.5), ("nan", 0)],
)
def test_the_place_of_a_severity(severity: str | None, place: float):
    assert rank(severity) == place


@pytest.mark.parametrize(
    ("mood", "reason"), [("400", "answered HTTP 400"), ("429", "answered HTTP 429")]
)
def test_pagerduty_refuses(pagerduty: HttpReceiver, mood: str, reason: str):
    pagerduty.meets(mood)
    assert list(sent(PAGERDUTY, STORY[0]).reasons) == [reason]


def test_goalert_opens_and_closes(receiver: HttpReceiver, monkeypatch: pytest.MonkeyPatch):
    from apprise.plugins.goalert import NotifyGoAlert

    monkeypatch.setattr(NotifyGoAlert, "request_rate_per_sec", 0)
    token = "0eb50b67-1e9a-4a6b-8a07-2d3b0c9d11ab"  # noqa: S105
    assert sent(f"goalert://127.0.0.1:{receiver.port}/{token}", *STORY).accepted == 5
    bodies = [each.body for each in receiver.deliveries]
    assert [(each.get("action"), each["dedup"]) for each in bodies] == [
        (None, "i1"),
        (None, "i1"),
        (None, "i2"),
        ("close", "i1"),
        ("close", "i2"),
    ]


def test_opsgenie_has_the_incident_as_its_alias(
    receiver: HttpReceiver, monkeypatch: pytest.MonkeyPatch
):
    from apprise.plugins import opsgenie

    monkeypatch.setitem(
        opsgenie.OPSGENIE_API_LOOKUP, "us", receiver.url().replace("json:", "http:")
    )
    monkeypatch.setattr(opsgenie.NotifyOpsgenie, "request_rate_per_sec", 0)
    sent("opsgenie://key", *STORY[:3])
    assert [each.body["alias"] for each in receiver.deliveries] == ["i1", "i1", "i2"]


@pytest.mark.parametrize(
    ("severity", "word"),
    [
        ("debug", "info"), (" Notice ", "info"), ("low", "info"), ("medium", "warning"),
        ("MAJOR", "error"), ("fatal", "critical"), ("P1", "warning"), ("3", "warning"),
        ("", "warning"),
    ],
)  # fmt: skip
def test_severities_in_the_words_of_services(severity: str, word: str):
    assert standard(severity) == word


class Alertmanager(ThreadingHTTPServer):
    """As much of Alertmanager's API as is used: alerts by their labels, and which of them fire."""

    daemon_threads = True

    def __init__(self) -> None:
        self.alerts: dict[frozenset, dict] = {}
        self.status = 200
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), AlertmanagerHandler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"alertmanager://127.0.0.1:{self.server_port}"

    def firing(self) -> list[dict]:
        now = datetime.now(timezone.utc)
        ends = {
            labels: datetime.fromisoformat(each["endsAt"]) for labels, each in self.alerts.items()
        }
        return [each for labels, each in self.alerts.items() if ends[labels] > now]


class AlertmanagerHandler(BaseHTTPRequestHandler):
    server: Alertmanager

    def do_GET(self) -> None:
        self.note("GET")
        [wanted] = parse_qs(urlsplit(self.path).query)["filter"]
        found = [
            each
            for each in self.server.firing()
            if f"incident={json.dumps(each['labels']['incident'])}" == wanted
        ]
        self.answer(json.dumps(found))

    def do_POST(self) -> None:
        self.note("POST")
        alerts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.status == 200:
            for alert in alerts:
                assert all(alert["labels"].values())  # Alertmanager answers 400
                self.server.alerts[frozenset(alert["labels"].items())] = alert
        self.answer("")

    def note(self, method: str) -> None:
        self.server.requests.append((method, self.path.partition("?")[0], dict(self.headers)))

    def answer(self, text: str) -> None:
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def alertmanager() -> Iterator[Alertmanager]:
    server = Alertmanager()
    yield server
    server.shutdown()
    server.server_close()


def test_an_alert_fires_rises_and_ends(alertmanager: Alertmanager):
    fired = []
    for row in STORY:
        assert sent(alertmanager.url, row).accepted == 1
        labels = [each["labels"] for each in alertmanager.firing()]
        fired.append(sorted((each["incident"], each["severity"]) for each in labels))
    assert fired == [
        [("i1", "high")],
        [("i1", "critical")],
        [("i1", "critical"), ("i2", "P1")],
        [("i2", "P1")],
        [],
    ]


def test_an_alert_has_the_keys_as_labels_and_the_rest_as_annotations(alertmanager: Alertmanager):
    row = notification(
        1, keys={"detector": "mean", "carrier": "UA", "2nd gate": "12", "note": None}
    )
    sent(alertmanager.url, row, wording=Wording(report="https://example.com/r.html"))
    [alert] = alertmanager.firing()
    assert alert["generatorURL"] == "https://example.com/r.html#incident-i1"
    assert alert["labels"] == {
        "alertname": "mean", "incident": "i1", "severity": "high", "detector": "mean",
        "carrier": "UA", "nd_gate": "12",
    }  # fmt: skip
    shown = alert["annotations"]
    assert shown["summary"] == "[high] UA, 2nd gate 12: 12, expected 48 (mean, 8 Feb UTC)"
    assert "Value: 12, expected 48 (-75 %)" in shown["description"]
    assert (shown["current_value"], shown["kind"], shown["labels"]) == ("12.0", "new", "snow, holiday")  # fmt: skip
    assert alert["startsAt"] == "2013-02-08T00:00:00Z"


def test_an_alert_fires_for_a_day_or_as_long_as_the_url_says(alertmanager: Alertmanager):
    for query, lasts in (("", timedelta(days=1)), ("?for=PT2H", timedelta(hours=2))):
        sent(alertmanager.url + query, STORY[0])
        [alert] = alertmanager.firing()
        left = datetime.fromisoformat(alert["endsAt"]) - datetime.now(timezone.utc)
        assert abs(left - lasts) < timedelta(minutes=1)


def test_a_reminder_lets_an_alert_fire_on(alertmanager: Alertmanager):
    sent(f"{alertmanager.url}?for=PT1S", STORY[0])
    sent(alertmanager.url, notification(2, key="r", incident_id="i1", kind="reminder"))
    assert [each["annotations"]["kind"] for each in alertmanager.firing()] == ["reminder"]


def test_alertmanager_behind_a_path_with_a_user_and_a_header(alertmanager: Alertmanager):
    url = alertmanager.url.replace("//", "//anna:secret@") + "/am/?+X-Scope=team"
    assert sent(url, STORY[0]).accepted == 1
    [(method, path, headers)] = alertmanager.requests
    assert (method, path, headers["X-Scope"]) == ("POST", "/am/api/v2/alerts", "team")
    assert headers["Authorization"].startswith("Basic ")


def test_alertmanager_refuses(alertmanager: Alertmanager):
    alertmanager.status = 503
    assert list(sent(alertmanager.url, STORY[0]).reasons) == ["answered HTTP 503"]
    assert list(sent(alertmanager.url, STORY[3]).reasons) == ["answered HTTP 503"]


def test_alertmanager_is_not_there(alertmanager: Alertmanager):
    alertmanager.shutdown()
    alertmanager.server_close()
    assert list(sent(alertmanager.url, STORY[0]).reasons) == ["refused the connection"]


def test_a_duration_that_is_none_is_no_url():
    variables = {"STRANDLINE_NOTIFY_URL": "alertmanager://here:9093?for=soon"}
    with pytest.raises(WrongReceiver, match=r"An Alertmanager is, say, .*`for` is an ISO 8601"):
        receivers_in(variables)

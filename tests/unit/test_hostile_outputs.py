"""Hostile texts in the report, in messages and in what `detect` makes of a definition."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

import pytest
from tests.hostile import HALVES, TEXTS, obeyed
from tests.unit.test_report_page import EMPTY, Parts

from dbt.adapters.strandline.handle import _bound, literal
from strandline.detection.check import DetectionError, check
from strandline.detection.definition import define
from strandline.detection.sql import quoted, sql_of
from strandline.literals import name_sql, text_sql
from strandline.notify import Notification, WrongReceiver, message_of, receivers_in
from strandline.notify.message import TITLE_LENGTH
from strandline.report.page import page_of
from strandline.report.values import key_sql

AT = datetime(2013, 2, 8, tzinfo=timezone.utc)
TYPES = {"sym": "string", "temp": "double", "arrival": "bigint", "ts": "timestamp"}


def test_the_report_has_every_text_as_a_text_and_no_other_element() -> None:
    texts = list(TEXTS.values())
    each = [{"name": text, text: text, "key": {text: text}} for text in texts]
    head = dict.fromkeys(("project", "target", "read_at"), "\n".join(texts))
    report = EMPTY | head | {"series": each, "anomalies": each, "engines": each, "rejected": each}
    page, usual = page_of(report), page_of(EMPTY)
    parts, usual_parts = Parts(page), Parts(usual)
    assert json.loads(parts.scripts[0][1]) == report
    assert [kind for kind, _ in parts.scripts] == [kind for kind, _ in usual_parts.scripts]
    assert parts.scripts[1:] == usual_parts.scripts[1:]
    assert (parts.addresses, parts.policy) == (usual_parts.addresses, usual_parts.policy)
    for tag in ("<script", "</script", "<img", "<!--", "<b>"):
        assert page.count(tag) == usual.count(tag)


def message_with(text: str) -> Any:
    return message_of(
        Notification(
            key=text, kind=text, notified_at=AT, starts_at=AT, ends_at=AT, current=1.0, baseline=2.0,
            **dict.fromkeys((
                "incident_id", "anomaly_id", "unit", "severity", "labels", "contributions"
            ), text),
            keys={text: text, "detector": text},
        )
    )  # fmt: skip


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_message_has_its_own_lines_and_machines_get_the_text(text: str) -> None:
    message, usual = message_with(text), message_with("x")
    assert obeyed(message.title + message.body) == []
    assert "\n" not in message.title
    assert len(message.title) <= TITLE_LENGTH
    assert len(message.body.splitlines()) <= len(usual.body.splitlines())
    assert not re.search(r"<[!@]|(?<!\w)@\w", message.title + message.body)
    assert json.loads(message.fields["keys"]) == {text: text, "detector": text}
    assert message.key == message.fields["severity"] == text


def test_receivers_are_named_plainly_or_refused() -> None:
    for text in [*TEXTS.values(), *HALVES.values()]:
        with pytest.raises(WrongReceiver):
            receivers_in({f"STRANDLINE_NOTIFY_URL_{text}": f"x{text}"})
        with pytest.raises(WrongReceiver):
            receivers_in({"STRANDLINE_NOTIFY_URL": "json://localhost"}, [text])


def constant_of(sql: str) -> str:
    """The text of a constant of `text_sql`."""
    found = re.fullmatch(r"cast\(X'([0-9a-f]*)' as string\)", sql)
    return bytes.fromhex(found[1]).decode() if found else sql[1:-1]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_constant_is_the_text(text: str) -> None:
    for sql in (text_sql(text), literal(text)):
        assert constant_of(sql) == text
        assert re.fullmatch(r"'[^'\\$]*'|cast\(X'[0-9a-f]*' as string\)", sql)
    assert _bound("values (%s, '100 %')", [text]) == f"values ({literal(text)}, '100 %')"
    assert re.fullmatch(r"`([^`]|``)*`", name_sql(text), re.DOTALL)
    assert key_sql([text]).startswith(f"to_json(named_struct({text_sql(text)}, string(")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_detect(text: str) -> None:
    """A text in quotes is a constant; a column of this name is a name; nothing else is read."""
    written = text.replace("\\", "\\\\").replace("'", "\\'")
    if 0 < len(written) < 9_000:
        [metric] = check("e", [f"sym = '{written}'"], TYPES).metrics
        sql = sql_of(metric.node)
        assert constant_of(sql.removeprefix("(`sym` = ").removesuffix(")")) == text
    types = {**TYPES, text: "double"}
    with suppress(DetectionError):
        [metric] = check("e", [f"{name_sql(text)} > 1"], types).metrics
        assert sql_of(metric.node) == f"({quoted(text)} > 1)"
    with pytest.raises(DetectionError) as refused:
        check("e", [text], TYPES)
    assert obeyed(str(refused.value)) == []


def definition(**given: Any) -> Any:
    usual: dict[str, Any] = {
        "name": "engine1", "ts": "ts", "keys": ["sym"], "metrics": ["temp > 1"], "texts": {},
        "window_size": None, "step": None, "round_time": True, "precision": "ms",
        "garbage_size": 2000, "arrival": "arrival",
    }  # fmt: skip
    return define(TYPES, **{**usual, **given})


@pytest.mark.parametrize("argument", ["name", "ts", "keys", "window_size", "precision", "arrival"])
def test_an_argument_of_detect_is_a_name_or_refused(argument: str) -> None:
    for text in [*TEXTS.values(), *HALVES.values(), "engine1\n"]:
        if argument == "name" and text in ("null", "None"):
            continue
        metrics = ["avg(temp) > 1"] if argument == "window_size" else ["temp > 1"]
        with pytest.raises(DetectionError) as refused:
            definition(**{argument: [text] if argument == "keys" else text, "metrics": metrics})
        assert obeyed(str(refused.value)) == []


@pytest.mark.parametrize("argument", ["detectors", "anomaly_description", "severities"])
def test_a_text_of_detect_is_kept_or_refused(argument: str) -> None:
    field = {"anomaly_description": "descriptions"}.get(argument, argument)
    for text in [*TEXTS.values(), *HALVES.values()]:
        if text in HALVES.values() or (argument == "detectors" and not text.strip()):
            with pytest.raises(DetectionError) as refused:
                definition(texts={argument: [text]})
            assert obeyed(str(refused.value)) == []
        else:
            made = definition(texts={argument: [text]})
            assert getattr(made.rules.texts, field) == (text,)
            assert json.loads(made.meaning())["metrics"] == ["temp > 1"]

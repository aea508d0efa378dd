"""What `strandline run --explain` counts, and how it says why a model ran."""

from __future__ import annotations

from typing import Any

import pytest

from strandline.cli.run import said_of
from strandline.explained import READ, WRITE, Explained, change_of, phase_of

BEFORE: dict[str, Any] = {
    "package": "p1", "text": "t1", "settings": "s1", "own": "c7",
    "tables": {"raw.trades": "c3"}, "views": {"shop.staged": "v1"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"tables": {"raw.trades": "c4"}}, "raw.trades has new commits"),
        ({"tables": {"raw.trades": "c3", "raw.quotes": "c1"}}, "raw.quotes has new commits"),
        ({"views": {"shop.staged": "v2"}}, "the view shop.staged has changed"),
        ({"text": "t2"}, "its SQL has changed"),
        ({"settings": "s2"}, "its configuration, or a setting of the run, has changed"),
        ({"package": "p2"}, "another version of Strandline"),
        ({"own": "c8"}, "another process has written its table"),
        ({"text": "t2", "tables": {"raw.trades": "c4"}}, "its SQL has changed; raw.trades has new commits"),
        ({}, "none of its last runs has read the same"),
    ],
)  # fmt: skip
def test_why_a_model_runs(changed: dict[str, Any], why: str) -> None:
    assert change_of(BEFORE, {**BEFORE, **changed}) == why


def test_without_a_run_before() -> None:
    assert change_of(None, BEFORE) == "no run of it is remembered"
    # The file was written by another version, or is damaged.
    assert change_of({}, BEFORE).startswith("another version of Strandline; its SQL has changed")


@pytest.mark.parametrize(
    ("statement", "phase"),
    [
        ('/* {"app": "dbt"} */\n  show tables', "look up"),
        ("DESCRIBE detail shop.sums", "look up"),
        ("set spark.sql.ansi.enabled = true", "look up"),
        ("select 1", "read"),
        ("with a as (select 1) /* twice */ select * from a", "read"),
        ("insert into shop.sums select 1", "write"),
        ("", "write"),
    ],
)
def test_the_phase_of_a_statement(statement: str, phase: str) -> None:
    assert phase_of(statement) == phase


def test_an_account_adds_up() -> None:
    jobs = iter([10, 12, 20, 21])
    explained = Explained()
    with explained.on():
        for phase in (READ, WRITE):
            with explained.of("model.shop.sums").spent(phase, lambda: next(jobs)):
                pass
    account = explained.of("model.shop.sums")
    assert account.jobs == 3
    assert account.seconds.keys() == {"look up", "read", "compute", "write"}
    assert not explained.is_on
    with explained.on():
        assert explained.of("model.shop.sums").jobs == 0


@pytest.mark.parametrize(
    ("why", "message", "said"),
    [
        ("raw.trades has new commits", "added rows", ["because raw.trades has new commits", "added rows"]),
        ("nothing has changed", "unchanged: nothing at all", ["unchanged: nothing has changed"]),
        ("a has new commits; b has new commits", "added rows", ["because a has new commits", "and b has new commits", "added rows"]),
        ("", "unchanged", ["unchanged"]),
        ("", "nothing new", ["nothing new"]),
    ],
)  # fmt: skip
def test_what_is_said_of_a_model(why: str, message: str, said: list[str]) -> None:
    assert said_of(why, message) == said

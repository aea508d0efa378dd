"""A crash between two commits: from one of them on, nothing of the run reaches Spark any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.strandline.handle import SessionCursor

COMMITS = r"(insert into|merge into|create or replace table|alter table)\s+`?{schema}\b"


class Killed(DbtDatabaseError):
    MESSAGE = "killed by the test"


class Crash:
    def __init__(self) -> None:
        self.commits, self.happened = 0, False


@contextmanager
def killing(schema: str, commit: int, *, before: bool) -> Iterator[Crash]:
    """Kills what dbt does at its n-th commit (a write into `schema`), before or after it."""
    crash = Crash()
    execute = SessionCursor.execute
    form = re.compile(COMMITS.format(schema=schema))

    def crashing(cursor: SessionCursor, sql: str, *args: Any) -> None:
        if crash.happened:
            raise Killed(Killed.MESSAGE)
        is_commit = form.search(plain(sql)[:200])
        if is_commit and before and crash.commits + 1 == commit:
            crash.happened = True
            raise Killed(Killed.MESSAGE)
        execute(cursor, sql, *args)
        if is_commit:
            crash.commits += 1
        if is_commit and crash.commits == commit:
            crash.happened = True
            raise Killed(Killed.MESSAGE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionCursor, "execute", crashing)
        yield crash


def plain(sql: str) -> str:
    """A statement without the comment that dbt puts before it."""
    return re.sub(r"/\*.*?\*/", "", sql, flags=re.DOTALL).strip()


@contextmanager
def meanwhile(table: str, happens: Callable[[], object]) -> Iterator[None]:
    """Lets something happen when a run has worked out what to write into a table, before it writes."""
    form = re.compile(rf"insert into\s+`?{table}\b")
    with before(form, lambda _sql: happens()):
        yield


@contextmanager
def twice_at_once(spark: Any, schema: str) -> Iterator[None]:
    """A second run from the same state, a little faster: each write into `schema` is made twice."""
    form = re.compile(rf"(insert into|alter table)\s+`?{schema}\b")
    execute = SessionCursor.execute
    with before(form, lambda sql: execute(SessionCursor(spark.newSession()), sql)):
        yield


@contextmanager
def before(form: re.Pattern, act: Callable[[str], object]) -> Iterator[None]:
    """Acts before each statement of this form."""
    execute = SessionCursor.execute

    def acting(cursor: SessionCursor, sql: str, *args: Any) -> None:
        if form.search(plain(sql)[:200]):
            act(sql)
        execute(cursor, sql, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionCursor, "execute", acting)
        yield

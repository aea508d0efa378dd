"""Death between two commits: from one of them on, nothing of the run reaches Spark any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.strandline.handle import SessionCursor

COMMITS = r"(insert into|merge into|create or replace table|alter table)\s+`?{schema}\b"


class Killed(DbtDatabaseError):
    MESSAGE = "killed by the test"


class Death:
    def __init__(self) -> None:
        self.commits, self.happened = 0, False


@contextmanager
def killing(schema: str, commit: int, *, before: bool) -> Iterator[Death]:
    """Kills what dbt does at its n-th commit (a write into `schema`), before or after it."""
    death = Death()
    execute = SessionCursor.execute
    form = re.compile(COMMITS.format(schema=schema))

    def dying(cursor: SessionCursor, sql: str, *args: Any) -> None:
        if death.happened:
            raise Killed(Killed.MESSAGE)
        is_commit = form.search(_plain(sql)[:200])
        if is_commit:
            death.commits += 1
            if before and death.commits == commit:
                death.happened = True
                raise Killed(Killed.MESSAGE)
        execute(cursor, sql, *args)
        if is_commit and death.commits == commit:
            death.happened = True
            raise Killed(Killed.MESSAGE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionCursor, "execute", dying)
        yield death


def _plain(sql: str) -> str:
    """A statement without the comment that dbt puts before it."""
    return re.sub(r"/\*.*?\*/", "", sql, flags=re.DOTALL).strip()


class Twin:
    def __init__(self) -> None:
        self.commits = 0


@contextmanager
def twice_at_once(spark: Any, schema: str) -> Iterator[Twin]:
    """A second run from the same state: each write into `schema` is made by another session too."""
    twin = Twin()
    execute = SessionCursor.execute
    form = re.compile(rf"(insert into|alter table)\s+`?{schema}\b")
    sessions: dict[int, SessionCursor] = {}

    def both(cursor: SessionCursor, sql: str, *args: Any) -> None:
        plain = _plain(sql)
        if form.search(plain[:200]) or re.match(r"(re)?set spark\.databricks\.delta\.write", plain):
            twin.commits += bool(form.search(plain[:200]))
            other = sessions.setdefault(id(cursor._session), SessionCursor(spark.newSession()))
            execute(other, sql, *args)
        execute(cursor, sql, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionCursor, "execute", both)
        yield twin

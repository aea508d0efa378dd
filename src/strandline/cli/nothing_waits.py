"""That nothing waits in an outbox, remembered: the next `strandline notify` need not start Spark.

It is valid for certain commits of the tables that it depends on, so their logs are compared. A
file in the home has it. Whatever is not known for certain is not remembered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import strandline
from strandline.delta_log import folder_of, newest_commit
from strandline.literals import name_sql, text_sql
from strandline.spark.metastore import NOTHING_WAITS

if TYPE_CHECKING:
    from strandline.cli.project import Project
    from strandline.connection import Connection
    from strandline.notify import Notification
    from strandline.notify.outbox import DeltaOutbox
    from strandline.notify.send import Acceptance
    from strandline.spark.settings import Credentials

# Each set of receivers and each `--remind` has an entry; the newest ones are kept.
MOST = 50
Tables = list[list[Any]]  # of each its location, and the version and id of its newest commit


class NothingWaits:
    """What is remembered of one outbox, some receivers and one length of `--remind`."""

    def __init__(
        self, home: Path, relation: str, receivers: Iterable[str], remind: int | None
    ) -> None:
        self._home = home
        self._file = home / NOTHING_WAITS
        self._key = json.dumps([strandline.__version__, relation, sorted(receivers), remind])

    def is_known(self, now: int) -> bool:
        """Whether nothing waits at this time, in microseconds since 1970."""
        from dbt.adapters.strandline.kept_file import read_kept

        try:
            known = read_kept(self._file)[self._key]
            tables, due = known["tables"], known["due"]
            return bool(tables) and (due is None or now < due) and all(map(self._is_same, tables))
        except (AttributeError, KeyError, TypeError, ValueError):
            return False

    def tables(self, outbox: DeltaOutbox) -> Tables | None:
        """The tables that decide what waits, as they are now; None if some are not known.

        They are known if the outbox is a view over nothing but Delta tables of the home. Its own
        text is that of the model, for a run that creates a view removes the file.
        """
        from dbt.adapters.strandline.unchanged.upstream import Relations, in_catalog
        from dbt.adapters.strandline.unchanged.view_text import changes_by_itself, tables_of

        relations = Relations(_finder(outbox.spark), lambda _: None)
        view = relations.upstream_of([outbox.relation])
        if view.unknown or view.views.keys() != {in_catalog(outbox.relation)}:
            return None
        others = [outbox.accepted] if outbox.has_accepted() else []
        if outbox.open_query is not None:
            read = tables_of(outbox.open_query)
            if read is None or changes_by_itself(outbox.open_query):
                return None
            others = [*others, *read]
        more = relations.upstream_of(others)
        if more.unknown or more.views:
            return None
        tables: Tables = [
            [location, commit.version, commit.id]
            for location, commit in (view.commits | more.commits).values()
        ]
        return tables if tables and all(self._is_here(each[0]) for each in tables) else None

    def remember(self, tables: Tables, due: int | None, now: int) -> None:
        """That nothing waits while the tables are these, until a reminder is due."""
        from dbt.adapters.strandline.kept_file import read_kept, write_kept

        known = read_kept(self._file) | {self._key: {"tables": tables, "due": due, "at": now}}
        newest = sorted(known, key=lambda key: _time_of(known[key]))[-MOST:]
        write_kept(self._file, {key: known[key] for key in newest})

    def _is_same(self, table: Sequence[Any]) -> bool:
        location, version, commit_id = table
        commit = newest_commit(location) if self._is_here(location) else None
        return commit is not None and (commit.version, commit.id) == (version, commit_id)

    def _is_here(self, location: str) -> bool:
        """Whether a table is in the warehouse of the home: dropped, its folder goes with it."""
        return folder_of(location).is_relative_to(self._home / "warehouse")


def _time_of(entry: Any) -> int:
    at = entry.get("at") if isinstance(entry, dict) else None
    return at if isinstance(at, int) else 0


class _Empty:
    """The outbox of which is known that nothing waits."""

    next_reminder = None

    def waiting(self, receivers: Sequence[str]) -> dict[str, list[Notification]]:
        return {name: [] for name in receivers}

    def new(self, _: Sequence[str], /) -> set[str]:
        return set()

    def note(self, accepted: Sequence[Acceptance]) -> None:
        raise AssertionError(accepted)


EMPTY = _Empty()


def memory_for(
    project: Project, relation: str, receivers: Iterable[str], remind: int | None
) -> NothingWaits | None:
    """None where others than dbt's runs on the home may make the outbox."""
    from dbt_common.exceptions import DbtBaseException

    from strandline.spark import StrandlineSparkError, credentials_for

    if relation not in project.observed().outboxes:
        return None
    with suppress(DbtBaseException, StrandlineSparkError):
        credentials = credentials_for(project.folder, project.target, project.profiles)
        if _is_of_home(credentials):
            return NothingWaits(Path(credentials.home), relation, receivers, remind)
    return None


def _is_of_home(credentials: Credentials) -> bool:
    from strandline.spark.home import METASTORES

    if credentials.method == "connect":
        return not credentials.remote
    own = credentials.server_side_parameters
    return credentials.method == "session" and not any(key.endswith(METASTORES) for key in own)


def _finder(spark: Connection) -> Any:
    """Looks up what Spark says of a table or view, as dbt's cache has it."""

    def find(schema: str, name: str) -> Any:
        shown = spark.sql(
            f"show table extended in {name_sql(schema)} like {text_sql(name)}"
        ).collect()
        for row in shown:
            if row["tableName"].lower() == name:
                text = row["information"]
                return SimpleNamespace(information=text, is_view="\nView Text: " in text)
        return None

    return find

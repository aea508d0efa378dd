"""What a model reads, down to its Delta tables: their newest commits, and the views between."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.strandline.unchanged.view_text import CATALOG, changes_by_itself, tables_of
from strandline.delta_log import Commit, changed_metadata, commit_of, location_in, newest_commit

DEEPEST = 20  # views over views
MOST_COMMITS = 50  # that are looked through for a change of columns
# The note of a view is hexadecimal: Spark hides properties that look like a secret.
_NOTE = re.compile(r"strandline\.view=([0-9a-f]+)")
_TEXT = re.compile(r"^View Text: (.*?)^View (?:Original Text|Schema|Catalog)", re.M | re.S)


@dataclass
class Upstream:
    """The tables under some relations.

    Attributes:
        commits: the location and the newest commit of each table, by its name.
        views: the text of each view, by its name.
        unknown: why something is not known; empty if all is.
    """

    commits: dict[str, tuple[str, Commit]] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    unknown: str = ""


class Relations:
    """Looks up relations by the information that dbt's cache has of them.

    Args:
        find: the relation of a schema and a name, or None.
        describe: the location of a table that the cache does not know yet.
    """

    def __init__(
        self,
        find: Callable[[str, str], Any],
        describe: Callable[[str], str | None],
    ) -> None:
        self._find, self._describe = find, describe
        self._locations: dict[str, str] = {}
        self._views: dict[str, str] = {}

    def note_view(self, name: str, text: str) -> None:
        """Remembers the text of a view of this run: the cache has that of the start."""
        self._views[name] = text.strip()

    def upstream_of(self, names: Iterable[str]) -> Upstream:
        """All tables and views that these relations read, themselves included."""
        found = Upstream()
        for name in names:
            self._add(name, found, 0)
        return found

    def state_of(self, name: str) -> str | None:
        """What the columns of a relation follow from: its text and the commits of its tables.

        None if that is not known, or if a view is none of this run: the cache may be behind it.
        """
        name = in_catalog(name)
        schema, _, identifier = name.rpartition(".")
        if not schema or "." in schema or self._find(schema, identifier) is None:
            return None
        upstream = self.upstream_of([name])
        if upstream.unknown or not upstream.views.keys() <= self._views.keys():
            return None
        return digest(repr([name, sorted(upstream.commits.items()), upstream.views]))

    def commit_of_table(self, name: str) -> tuple[str, Commit] | None:
        """The location and the newest commit of a table."""
        name = in_catalog(name)
        return self._commit(name, self._find(*name.rsplit(".", 1)))

    def _commit(self, name: str, relation: Any) -> tuple[str, Commit] | None:
        location = self._location(name, relation)
        commit = newest_commit(location) if location else None
        return (location, commit) if location and commit else None

    def view_note(self, text: str, settings: str) -> str | None:
        """What a view is made from: its text, and the tables whose columns it has.

        None if these are not known.
        """
        tables = tables_of(text)
        upstream = self.upstream_of(tables or ())
        if tables is None or upstream.unknown:
            return None
        made = digest(repr([text.strip(), settings, sorted(upstream.views.items())]))
        versions = {name: (it.version, it.id) for name, (_, it) in upstream.commits.items()}
        return json.dumps([made, versions]).encode().hex()

    def is_same_view(self, relation: Any, note: str) -> bool:
        """Whether a view was made from what a note says, over the same columns."""
        shown = _NOTE.search(relation.information or "")
        if shown is None:
            return False
        try:
            before, now = (json.loads(bytes.fromhex(each)) for each in (shown[1], note))
        except ValueError:
            return False
        return (
            before[0] == now[0]
            and before[1].keys() == now[1].keys()
            and all(self._has_same_columns(name, *before[1][name]) for name in now[1])
        )

    def _has_same_columns(self, name: str, version: int, commit_id: str) -> bool:
        found = self.commit_of_table(name)
        if found is None:
            return False
        location, newest = found
        noted = commit_of(location, version)
        return (
            noted is not None
            and noted.id == commit_id
            and newest.version - version <= MOST_COMMITS
            and not changed_metadata(location, version, newest.version)
        )

    def _add(self, name: str, found: Upstream, depth: int) -> None:
        name = in_catalog(name)
        if name in found.commits or name in found.views or found.unknown:
            return
        schema, _, identifier = name.rpartition(".")
        if not schema or "." in schema:
            found.unknown = f"{name} is not schema.name in {CATALOG}"
            return
        relation = self._find(schema, identifier)
        text = self._view_text(name, relation)
        if text is None:
            commit = self._commit(name, relation)
            if commit is None:
                found.unknown = f"{name} is no Delta table whose log can be read here"
            else:
                found.commits[name] = commit
            return
        tables = tables_of(text)
        if tables is None or changes_by_itself(text) or depth == DEEPEST:
            found.unknown = f"what the view {name} reads is not known from its text"
            return
        found.views[name] = text
        for table in tables:
            self._add(table, found, depth + 1)

    def _view_text(self, name: str, relation: Any) -> str | None:
        if name in self._views:
            return self._views[name]
        if relation is None or not relation.is_view:
            return None
        text = _TEXT.search(relation.information or "")
        return text[1].strip() if text else ""

    def _location(self, name: str, relation: Any) -> str | None:
        if name not in self._locations:
            location = location_in(getattr(relation, "information", None)) or self._describe(name)
            if location is None:  # it is not there yet; this run may make it
                return None
            self._locations[name] = location
        return self._locations[name]


def in_catalog(name: str) -> str:
    """The name in the session's own catalog, schema.name; in another one it keeps the catalog."""
    return name.replace("`", "").lower().removeprefix(f"{CATALOG}.")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

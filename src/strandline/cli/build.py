"""What a dbt run did, as data: its nodes, their outcome, and the error of one that failed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from strandline.errors import StrandlineError

# What dbt builds without storing rows; every other materialization makes a table.
NOT_STORED = ("view", "ephemeral", "test", "unit", "")

UNCHANGED = "unchanged"  # the message of a test that is not read again


class BuildFailedError(StrandlineError):
    """A dbt run that did not succeed: which node, why, and where the whole log is."""


class Watcher(Protocol):
    """Gets the progress of a build; called from dbt's threads."""

    def started(self, node_id: str, label: str, total: int) -> None: ...
    def finished(self, node_id: str) -> None: ...


# What dbt calls tests, and what has failed.
TESTS = ("test", "unit_test")
FAILED = ("error", "fail", "runtime error")


@dataclass(frozen=True)
class Node:
    """One node of a build with its outcome.

    Attributes:
        has_written: false for a table that stays as it was.
        unique_id: dbt's.
        Others: as dbt has them.
    """

    name: str
    kind: str
    stored_as: str
    relation: str
    status: str
    seconds: float
    message: str
    has_written: bool = True
    unique_id: str = ""

    @property
    def is_stored(self) -> bool:
        return self.stored_as not in NOT_STORED

    @property
    def is_test(self) -> bool:
        return self.kind in TESTS

    @property
    def failed(self) -> bool:
        return self.status in FAILED


@dataclass(frozen=True)
class Build:
    nodes: tuple[Node, ...]
    seconds: float

    def stored(self) -> list[Node]:
        """The nodes that are tables, in the order in which they were built."""
        return [node for node in self.nodes if node.kind != "seed" and node.is_stored]

    def tests(self) -> int:
        return sum(node.is_test for node in self.nodes)

    def unchanged_tests(self) -> int:
        """The tests that were not read again, since they have passed on the same tables."""
        return sum(node.kind == "test" and node.message == UNCHANGED for node in self.nodes)


def plain(relation: str) -> str:
    """`flights`.`days` and spark_catalog.flights.days are both written flights.days here."""
    parts = relation.replace("`", "").split(".")
    return ".".join(parts[-2:])


def node_of(result: Any) -> Node:
    node = result.node
    kind = str(node.resource_type)
    message = result.message
    if kind == "test" and not message:
        message = result.adapter_response.get("_message")
    return Node(
        name=node.name,
        kind=kind,
        stored_as="" if "test" in kind else str(getattr(node.config, "materialized", "")),
        relation=plain(getattr(node, "relation_name", None) or ""),
        status=str(result.status),
        seconds=float(result.execution_time),
        message=str(message or ""),
        # The materializations of the package say 0; dbt-spark says nothing.
        has_written=result.adapter_response.get("rows_affected") != 0,
        unique_id=str(node.unique_id),
    )


def message_of(failures: list[Node], logs: Path) -> str:
    first = failures[0]
    more = f"\n({len(failures) - 1} more failed)" if len(failures) > 1 else ""
    return f"{first.kind} {first.name} failed:\n{first.message.strip()}{more}\n{log_line(logs)}"


def log_line(logs: Path) -> str:
    return f"The whole log: {logs / 'dbt.log'}"

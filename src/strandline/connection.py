"""How commands read and write tables: a Spark session, or a connection of dbt's own adapter.

A query of a command returns numbers, booleans and texts alone: what else there is, each adapter
gives in its own way. Lists and structs are JSON, instants microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Protocol

from strandline.literals import name_sql, text_sql

_PLAIN = re.compile(r"\w+", re.ASCII)


class Frame(Protocol):
    """The part of a DataFrame that commands use."""

    @property
    def columns(self) -> list[str]: ...
    @property
    def dtypes(self) -> list[tuple[str, str]]: ...
    def collect(self) -> list[Any]: ...


class Catalog(Protocol):
    """The part of Spark's catalog that commands use."""

    def databaseExists(self, dbName: str) -> bool: ...
    def tableExists(self, tableName: str) -> bool: ...


class Connection(Protocol):
    """The part of a SparkSession that commands use; `AdapterConnection` has it, too."""

    @property
    def catalog(self) -> Catalog: ...
    def sql(self, sqlQuery: str) -> Frame: ...
    def table(self, tableName: str) -> Frame: ...


class Executor(Protocol):
    """The part of dbt's adapter that runs a statement."""

    def execute(self, sql: str, auto_begin: bool = False, fetch: bool = False) -> Any: ...


class Row(tuple[Any, ...]):
    """A row by place and by name, as Spark has it; the case of a name does not matter."""

    _names: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str], values: Sequence[Any]) -> Row:
        row = cls(values)
        row._names = tuple(names)
        return row

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            lower = [name.lower() for name in self._names]
            return super().__getitem__(lower.index(key.lower()))
        return super().__getitem__(key)

    def asDict(self) -> dict[str, Any]:
        return dict(zip(self._names, self, strict=True))


class AdapterConnection:
    """A connection of dbt's own adapter with the interface of a SparkSession: see `Connection`."""

    def __init__(self, adapter: Executor) -> None:
        self._adapter = adapter
        self.catalog = AdapterCatalog(self)

    def sql(self, sqlQuery: str) -> AdapterFrame:
        """A query, which runs when it is read; another statement runs now."""
        frame = AdapterFrame(self, sqlQuery)
        if not frame.is_query:
            frame.collect()
        return frame

    def table(self, tableName: str) -> AdapterFrame:
        return self.sql(f"select * from {tableName}")

    def rows(self, statement: str) -> list[Row]:
        _, table = self._adapter.execute(statement, fetch=True)
        return [Row.of(table.column_names, [*map(_plain, row.values())]) for row in table.rows]


class AdapterFrame:
    """What a statement gives."""

    def __init__(self, connection: AdapterConnection, statement: str) -> None:
        self._connection, self._statement = connection, statement
        self._rows: list[Row] | None = None
        self._dtypes: list[tuple[str, str]] | None = None

    @property
    def is_query(self) -> bool:
        return self._statement.lstrip(" \n(").lower().startswith(("select", "with"))

    @property
    def columns(self) -> list[str]:
        return [name for name, _ in self.dtypes]

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        """The columns of a query with their types, without running it."""
        if self._dtypes is None:
            described = self._connection.rows(f"describe query {self._statement.strip()}")
            self._dtypes = [(str(row[0]), str(row[1])) for row in described]
        return self._dtypes

    def collect(self) -> list[Row]:
        if self._rows is None:
            self._rows = self._connection.rows(self._statement)
        return self._rows


class AdapterCatalog:
    """Which schemas and tables there are, by statements that every Spark knows."""

    def __init__(self, connection: AdapterConnection) -> None:
        self._connection = connection

    def databaseExists(self, dbName: str) -> bool:
        schema = _parts(dbName)[-1]
        found = self._connection.rows(f"show schemas{_like(schema)}")
        return any(str(row[0]).strip("`").lower() == schema.lower() for row in found)

    def tableExists(self, tableName: str) -> bool:
        *schemas, table = _parts(tableName)
        if not schemas or not self.databaseExists(schemas[-1]):
            return False
        found = self._connection.rows(f"show tables in {name_sql(schemas[-1])}{_like(table)}")
        return any(str(row["tableName"]).lower() == table.lower() for row in found)


def _plain(value: Any) -> Any:
    """A number with a fraction is a Decimal in dbt's tables."""
    return float(value) if isinstance(value, Decimal) else value


def properties_of(spark: Connection, table: str) -> dict[str, str]:
    """All properties of a table."""
    rows = spark.sql(f"show tblproperties {table}").collect()
    return {row["key"]: row["value"] for row in rows}


def types_of(connection: Connection, query: str) -> dict[str, str]:
    """The columns of a query or table with their types in Spark's DDL."""
    return dict(connection.sql(query).dtypes)


def _parts(name: str) -> list[str]:
    """schema.table, each with or without backticks."""
    found = re.findall(r"`((?:[^`]|``)*)`|([^.`]+)", name)
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in found]


def _like(name: str) -> str:
    """A pattern that this name fits; none where it would be another name's pattern."""
    return f" like {text_sql(name)}" if _PLAIN.fullmatch(name) else ""

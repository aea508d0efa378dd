"""What a command lands, as data, and what has landed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.terminal import one_line

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.landing import LandingResult

NAMES_SHOWN = 5


@dataclass(frozen=True)
class Request:
    """What to land: one source, and the table.

    Attributes:
        ddl: the schema; None lands all columns of a table, and the text of a message.
        rejected: the table of the faulty rows.
        Others: the options of the command.
    """

    table: str
    rejected: str
    source: Path | None
    file_format: str | None
    options: Mapping[str, str]
    kafka: str | None
    topic: str | None
    client: Mapping[str, str]
    from_table: str | None
    order_by: tuple[str, ...]
    changes: str | None
    grows_by: str | None
    allow_lost: bool
    ddl: str | None
    new_checkpoint: bool


def landed(
    request: Request, project_dir: str | Path, target: str | None, profiles_dir: str | Path | None
) -> LandingResult:
    """Land what is new, by a session of its own.

    Raises click.UsageError for a wrong request, click.ClickException when it failed.
    """
    # Spark is loaded only now: --help and wrong use answer at once.
    from dbt_common.exceptions import DbtBaseException

    from strandline.landing import LandingError, WrongUse, check_request
    from strandline.spark import (
        StrandlineSparkError,
        close_session,
        credentials_for,
        home_for,
        open_session,
    )

    try:
        if request.source and request.file_format:
            check_request(
                request.source,
                request.table,
                request.file_format,
                quarantine=request.rejected,
                options=request.options,
            )
        credentials = credentials_for(project_dir, target, profiles_dir)
        folder = home_for(credentials, project_dir) / "landing" / request.table.lower()
        spark = open_session(credentials)
        try:
            return _landed_by(spark, request, folder, credentials.lock_timeout)
        finally:
            close_session(spark)
    except WrongUse as error:
        raise click.UsageError(str(error)) from error
    except (LandingError, StrandlineSparkError, DbtBaseException) as error:
        raise click.ClickException(str(error)) from error


def _landed_by(
    spark: SparkSession, request: Request, folder: Path, lock_timeout: float
) -> LandingResult:
    from strandline.landing import land as land_files
    from strandline.landing import land_kafka, land_table

    if request.source and request.file_format:
        return land_files(
            spark,
            request.source,
            request.table,
            str(request.ddl),
            request.file_format,
            folder,
            quarantine=request.rejected,
            options=request.options,
            new_checkpoint=request.new_checkpoint,
            lock_timeout=lock_timeout,
        )
    if request.from_table:
        return land_table(
            spark,
            request.from_table,
            request.table,
            folder,
            schema=request.ddl,
            quarantine=request.rejected,
            order_by=request.order_by,
            changes=request.changes or "refuse",
            grows_by=request.grows_by,
            allow_lost=request.allow_lost,
            new_checkpoint=request.new_checkpoint,
            lock_timeout=lock_timeout,
        )
    return land_kafka(
        spark,
        str(request.kafka),
        str(request.topic),
        request.table,
        folder,
        schema=request.ddl,
        quarantine=request.rejected,
        options=request.options,
        client=request.client,
        allow_lost=request.allow_lost,
        new_checkpoint=request.new_checkpoint,
        lock_timeout=lock_timeout,
    )


def found(request: Request, result: LandingResult) -> dict[str, object]:
    """The result for machines."""
    return {"table": request.table, "quarantine": request.rejected, **asdict(result)}


def landed_lines(table: str, quarantine: str, result: LandingResult) -> list[str]:
    """The result in one line, where the reasons are, and what was not landed."""
    arrivals = ""
    if result.landed:
        arrivals = f" (arrival {result.arrival_from:,} to {result.arrival_to:,})"
    lines = [
        f"{result.landed:,} rows landed in {table}{arrivals}, "
        f"{result.quarantined:,} quarantined, {result.batches} batches"
    ]
    if result.quarantined:
        lines.append(f"The reasons: select reason, landed_from, line, raw from {quarantine}")
    return lines + noted_lines(table, result)


def noted_lines(table: str, result: LandingResult) -> list[str]:
    """A line for each change of the table's columns, and for everything that was not landed."""
    lines = []
    if result.added:
        lines.append(f"New columns of {table}: {_named(result.added)}; null in its earlier rows")
    lines += [
        f"In quarantine whole: {one_line(name)}: {one_line(why)}"
        for name, why in result.unreadable.items()
    ]
    if result.denied:
        lines.append(
            f"Not readable: {_named(result.denied)}; give this user the permission to read, and "
            "the next landing reads them"
        )
    if result.changed:
        lines.append(
            f"Changed after it was landed: {_named(result.changed)}; new rows there were not read, "
            "land them under a new name"
        )
    if result.ignored:
        lines.append(f"Left out, since the schema lacks them: {_named(result.ignored)}")
    lines += [
        f"Lost: {count:,} messages of {one_line(name)}, which Kafka had deleted before they landed"
        for name, count in result.lost.items()
    ]
    if result.links:
        lines.append(
            f"Not followed: {_named(result.links)}; links, special files and names that "
            "are not UTF-8 are not read: copy what they lead to into the folder, or rename them"
        )
    return lines


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(map(one_line, names[:NAMES_SHOWN]))
    more = len(names) - NAMES_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown

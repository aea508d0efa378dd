"""One landing: complete what was begun, then read what is new and append it, batch by batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import types as T

from strandline.errors import refuse
from strandline.landing.batch import Read, Tables, Written, cause_of, failed
from strandline.landing.landings import Batch, Landings, PartsGone
from strandline.landing.source import Plan, Source
from strandline.landing.tables import (
    ADDED,
    QUARANTINE,
    add_columns,
    create_table,
    last_arrivals,
    new_columns,
    note_quarantine,
    stored,
    table_faults,
)
from strandline.landing.unfinished import forgotten, unfinished
from strandline.stopping import asked


@dataclass(frozen=True)
class LandingResult:
    """What one call has done; rows that an earlier, killed call had committed are not in it.

    Attributes:
        landed: rows appended to the events table.
        quarantined: rows appended to the quarantine; both together are the rows of the source, and
            one for each file that cannot be read.
        batches: batches that were completed.
        arrival_from: the first arrival number given, None when nothing landed.
        arrival_to: the last one, None when nothing landed.
        unreadable: files that went to quarantine whole, by name, with the reason.
        links: links and special files below the source folder, which are never followed.
        changed: files that changed after they were landed; they were not read again.
        denied: files and folders that this user may not read; the next call tries them again.
        ignored: columns of the files that the schema lacks and `unknown=ignore` leaves out.
        lost: messages that Kafka had deleted before they could land, by partition.
        added: columns that the table did not have; they are null in its earlier rows.
    """

    landed: int
    quarantined: int
    batches: int
    arrival_from: int | None
    arrival_to: int | None
    unreadable: Mapping[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    lost: Mapping[str, int] = field(default_factory=dict)
    added: tuple[str, ...] = ()


def run_landing(
    spark: SparkSession, landings: Landings, source: Source, folder: Path, *, new_checkpoint: bool
) -> LandingResult:
    """Land what is new in a source.

    Args:
        folder: where the last landing has left word that it was done.
        new_checkpoint: land although the table has rows and nothing is known of what has landed.

    Raises:
        LandingError: the tables or the source do not fit (nothing is consumed), or a batch failed:
            what was done stays, and the next call goes on from there.
    """
    table, quarantine = landings.tables
    done = folder / "done"
    plan = None
    events = T.StructType([*stored(source.schema), *ADDED])
    new, faults = new_columns(spark, table, events)
    faults.extend(table_faults(spark, quarantine, QUARANTINE))
    if (
        not faults
        and not new
        and landings.exists
        and _is_done(done, landings)
        and spark.catalog.tableExists(table)
    ):
        plan = source.plan(landings, [])
        if not plan.has_new and not plan.faults:
            return _result(_Done(), plan, new)
    last, given = landings.last(), last_arrivals(spark, table, quarantine)
    if any(given) and not landings.exists and not new_checkpoint:
        faults.append(
            f"table {table} or {quarantine} has rows, but {landings.name}, which knows what has "
            "landed, is missing: what is in the table would land a second time; bring it back, "
            "land to a new table, or say new_checkpoint (--new-checkpoint) if the events are others"
        )
    open_ones, lost = unfinished(spark, landings, last, given)
    faults.extend(lost)
    other, lost = forgotten(spark, landings, last, given)
    faults.extend(lost)
    if other:
        open_ones.append(source.restored(landings, other))
    if plan is None or open_ones:
        plan = source.plan(landings, open_ones)
    faults.extend(plan.faults)
    refuse("land", faults)

    create_table(spark, table, events)
    if new:
        add_columns(spark, table, events, new)
    create_table(spark, quarantine, QUARANTINE)
    landings.create()
    note_quarantine(spark, table, quarantine)
    done.unlink(missing_ok=True)
    try:
        found = _batches(landings, source, plan, last, given)
    except (PySparkException, Py4JError) as error:
        raise failed(cause_of(error)) from error
    done.write_text(landings.transaction, encoding="utf-8")
    return _result(found, plan, new)


def _is_done(done: Path, landings: Landings) -> bool:
    """Whether the last landing from this folder has ended; its batches need not be looked for."""
    try:
        return done.read_text(encoding="utf-8") == landings.transaction
    except FileNotFoundError:
        return False


def _result(done: _Done, plan: Plan, new: T.StructType) -> LandingResult:
    return LandingResult(
        *_counted(done.written),
        unreadable=done.unreadable,
        links=plan.links,
        changed=plan.changed,
        denied=plan.denied,
        ignored=tuple(done.ignored),
        lost=plan.lost,
        added=tuple(new.names),
    )


@dataclass(frozen=True)
class _Done:
    """What the batches have written, and what they have left out."""

    written: list[Written] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, None] = field(default_factory=dict)

    def add(self, written: Written, read: Read) -> None:
        self.written.append(written)
        self.unreadable.update(read.unreadable)
        self.ignored.update(dict.fromkeys(read.ignored))


def _batches(
    landings: Landings,
    source: Source,
    plan: Plan,
    last: Batch | None,
    given: tuple[int, int],
) -> _Done:
    done, tables = _Done(), Tables(landings, source.schema)
    for each in plan.to_complete:
        if each.is_restored and not each.missing:
            landings.write(each.batch)
            continue
        with source.read_again(each) as read:
            done.add(tables.complete(each, read), read)
    if not plan.has_new:
        return done
    if any(each.is_restored for each in plan.to_complete):
        last = landings.last()
    # A user may have deleted what was written down, to land it again. Its number would be one that
    # Delta leaves out, and tables that have read its arrivals do not read them a second time.
    written_down = landings.arrivals_written()
    is_again = last is not None and last.number in plan.again
    number = max({last.number if last else -1, *written_down}) + (0 if is_again else 1)
    before = [given, *(arrivals for each, arrivals in written_down.items() if each < number)]
    if last is not None:
        before.append(landings.arrivals_before(number) if is_again else last.arrivals)
    arrivals = max(event for event, _ in before), max(fault for _, fault in before)
    try:
        for read in source.read_new():
            with read:
                written = tables.write(number, arrivals, read, is_again=is_again)
                done.add(written, read)
            number, arrivals, is_again = number + 1, written.arrivals, False
            if asked.is_set():
                break
    except PartsGone as error:
        # The next landing asks for them, too.
        landings.write(Batch(number, error.parts_after(arrivals)), is_again=is_again)
        raise
    return done


def _counted(written: list[Written]) -> tuple[int, int, int, int | None, int | None]:
    """Rows landed and quarantined, batches, the first and the last arrival number."""
    landed = [each for each in written if each.rows[0]]
    return (
        sum(each.rows[0] for each in written),
        sum(each.rows[1] for each in written),
        len(written),
        landed[0].arrivals[0] - landed[0].rows[0] + 1 if landed else None,
        landed[-1].arrivals[0] if landed else None,
    )

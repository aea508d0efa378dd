"""What a landing finds before it reads anything: which files are new, and which have changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.changes import changed_after, changed_halfway, gone_files, states_of
from strandline.landing.checkpoint import Discovered, discovered_files, last_batch
from strandline.landing.files import (
    RENAME,
    Listing,
    check_files,
    list_files,
    new_files,
    refused,
)
from strandline.landing.formats import FileFormat
from strandline.landing.progress import Progress, progress_of
from strandline.landing.record import FileState
from strandline.landing.stream import colon_faults


@dataclass(frozen=True)
class Plan:
    """The files of a landing.

    Attributes:
        listing: what the folder holds.
        has_work: there are new files, or a batch of a killed run is to be completed.
        before: the files that will be read, as they were before they were checked.
        unreadable: those that go to quarantine whole, by name, with the cause.
        links: links and special files, by name.
        denied: files and folders that this user may not read, by name.
        changed: files that changed after they were landed, by name.
        faults: what stops the landing until it is corrected.
    """

    listing: Listing
    has_work: bool
    before: Mapping[Path, FileState]
    unreadable: Mapping[str, str]
    links: tuple[str, ...]
    denied: tuple[str, ...]
    changed: tuple[str, ...]
    faults: list[str]


def plan_landing(
    spark: SparkSession,
    tables: tuple[str, str],
    source: Path,
    checkpoint: Path,
    schema: T.StructType,
    fmt: FileFormat,
) -> Plan:
    """List the folder and check its files against the checkpoint and the schema.

    Args:
        tables: those of the events and of the faulty rows.
    """
    listing = _listing(source, fmt)
    discovered = discovered_files(checkpoint)
    progress = Progress()
    if discovered.planned:
        progress = progress_of(spark, tables, checkpoint, last_batch(checkpoint) + 1)
    rest = _to_read(discovered, progress)
    new = new_files(listing.files, rest)
    before = states_of({*new, *rest.planned})
    checked = check_files(new, source, schema, fmt)
    # If no new file fits, the schema or an option is likely to be wrong: nothing is consumed. A
    # file that Spark has planned already is in a batch with others.
    is_odd_one = bool(checked.fitting or rest.planned)
    unfit = {name: "; ".join([*each, RENAME]) for name, each in checked.unfit.items()}
    changed = changed_after(listing.files, rest.landed)
    return Plan(
        listing=listing,
        has_work=bool(new or discovered.planned),
        before=before,
        unreadable={**checked.unreadable, **(unfit if is_odd_one else {})},
        links=_names(listing.links, source),
        denied=_names((path for path in listing.denied if path not in rest.landed), source),
        changed=_names(changed, source),
        faults=[
            *gone_files(rest.planned),
            *changed_halfway(rest.planned, progress),
            *colon_faults(source, listing),
            *checked.faults,
            *([] if is_odd_one else refused(checked.unfit)),
        ],
    )


def _to_read(discovered: Discovered, progress: Progress) -> Discovered:
    """Of the files that Spark has found, those whose rows are already in the tables are landed."""
    if progress.record is None or not progress.is_done:
        return discovered
    read = progress.record.files
    return Discovered({**discovered.landed, **read}, discovered.planned - read.keys())


def _names(paths: Iterable[Path], source: Path) -> tuple[str, ...]:
    return tuple(str(path.relative_to(source)) for path in paths)


def _listing(source: Path, fmt: FileFormat) -> Listing:
    try:
        return list_files(source, fmt)
    except OSError as error:
        raise LandingError(
            f"land: folder {error.filename}: {error.strerror}; make it readable, or name another"
        ) from error

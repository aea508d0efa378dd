"""The home folder: private to its owner, and at the place where its tables were made."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.metastore import (
    known_tables,
    match_tables,
    remove_uncreated,
    remove_unfinished,
)
from strandline.spark.warehouse import has_tables_since, tables_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What Strandline keeps in a home. Everything else there is the user's.
OURS = (
    "client.lock",
    "landing",
    "location",
    "lock",
    "logs",
    "metastore",
    "server.json",
    "warehouse",
)
# Settings by which the metastore is another one than the home's.
METASTORES = ("javax.jdo.option.ConnectionURL", "hive.metastore.uris")
_OTHERS = 0o077  # every right of the group and of all others
# Derby reads what comes before a colon as a kind of storage; a semicolon ends the name.
_IMPOSSIBLE = {":": "a colon", ";": "a semicolon", "\n": "a line break", "\r": "a line break"}


def make_private(home: Path) -> None:
    """Creates `home`, and removes the rights of all other accounts to it.

    Raises StrandlineSparkError for a path that Spark cannot use, a home or a part of it that
    belongs to another account, and a file system that does not keep the rights.
    """
    faults = [
        f"it has {name}, which the embedded metastore does not support"
        for sign, name in _IMPOSSIBLE.items()
        if sign in str(home)
    ]
    if not faults:
        faults = _made(home) or [
            fault for path in (home, *(home / name for name in OURS)) for fault in _closed(path)
        ]
    if faults:
        raise StrandlineSparkError(
            f"home {str(home)!r} cannot be used: {'; '.join(faults)}. Name another folder with"
            " `home` in profiles.yml (in Strandline's own profile: $STRANDLINE_HOME)."
        )


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    handle, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # its mode is 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def check_location(home: Path, own: Mapping[str, str]) -> bool:
    """Whether the tables of `home` are known to have been made here; new ones will be.

    False if nothing says where they were made, or if some are newer than what says so: then the
    metastore must be read, by `check_metastore`. Raises StrandlineSparkError if `home` was moved
    or copied. Removes what is left of a metastore whose creation was interrupted.

    own: the settings of the profile, which may name another metastore than that of the home.
    """
    record = home / "location"
    metastore = home / "metastore"
    is_elsewhere = any(key.endswith(METASTORES) for key in own)
    if not is_elsewhere:
        remove_unfinished(metastore)
    if not metastore.exists():
        if not is_elsewhere and tables_in(home):  # a new metastore does not know them
            record.unlink(missing_ok=True)
            return False
        write_private(record, str(home))
        return True
    try:
        made_at = record.read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    _refuse_moved(home, Path(made_at))
    return is_elsewhere or not has_tables_since(home, record.stat().st_mtime_ns)


def check_metastore(session: SparkSession, home: Path) -> None:
    """Compares the metastore's own warehouse with `home`, and records that they agree.

    Tables that are there and that the metastore does not know are registered; those whose folder
    is gone are dropped; what is left of a creation that was interrupted is removed.
    """
    stored = _path(unquote(session.catalog.getDatabase("default").locationUri))
    chosen = _path(session.conf.get("spark.sql.warehouse.dir") or "")
    if stored != chosen:
        _refuse_moved(home, Path(stored).parent)
    known = known_tables(session)
    if (home / "location").exists():  # else the metastore may be new, and know no table
        remove_uncreated(home, known)
    match_tables(session, home, known)
    write_private(home / "location", str(home))


def _path(uri: str) -> str:
    """A path of this machine without `file:`; another URI as it is."""
    return re.sub(r"^file:/+", "/", uri)


def _made(home: Path) -> list[str]:
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        home.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        return [f"{home} cannot be made: {error.strerror}"]
    return []


def _closed(path: Path) -> list[str]:
    """Removes others' rights to a path, if it exists; returns what prevents it."""
    try:
        found = path.stat()
        owners = {path.lstat().st_uid, found.st_uid} - {os.geteuid()}
    except FileNotFoundError:
        return []
    if owners:
        return [
            f"{path} belongs to the account with id {owners.pop()}, this run has"
            f" {os.geteuid()}; only the owner may use it, whose data and rights it holds"
        ]
    if not found.st_mode & _OTHERS:
        return []
    path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)
    if path.stat().st_mode & _OTHERS:
        return [f"others may open {path}, and its file system does not let that be changed"]
    return []


def _refuse_moved(home: Path, made_at: Path) -> None:
    if made_at == home:
        return
    start_again = f"Remove {home} (`make clean` in a clone of Strandline), and land and build again"
    if made_at.exists():
        what, remedy = "copy", f"{start_again}; the original stays as it is."
    else:
        what, remedy = (
            "moved folder",
            f"Move it back to {made_at}. {start_again.replace('Remove', 'Or remove', 1)}: landed"
            " rows, feedback and what was notified are in it and will be gone.",
        )
    raise StrandlineSparkError(
        f"home {home} is a {what}: its tables were made at {made_at}, and their metastore knows"
        f" them by that place. A run from here would read and write there. {remedy}"
    )

"""Keep the terminal for people: what Spark, Hive, Ivy and dbt print goes to a log file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def everything_to(log: Path) -> Iterator[TextIO]:
    """Send what this process and its children write to `log`; yield the terminal itself.

    The JVM writes to the file descriptors 1 and 2 and knows nothing of `sys.stdout`, so the
    descriptors are what is turned; at the end they point to the terminal again.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    out, err = os.dup(1), os.dup(2)
    terminal = os.fdopen(os.dup(out), "w", encoding="utf-8", errors="replace")
    with log.open("ab") as sink:
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
    try:
        yield terminal
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(out, 1)
        os.dup2(err, 2)
        terminal.close()
        os.close(out)
        os.close(err)

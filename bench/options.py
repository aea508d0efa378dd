"""The options that benchmarks share, and the folder in which they work."""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click


class Heap(click.ParamType):
    """A size as Java and Spark both read it."""

    name = "size"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[1-9][0-9]*[mg]", value):
            self.fail(f"{value!r} is not a size such as 800m or 6g.", param, ctx)
        return value


def memory_option(default: str) -> Callable[[Any], Any]:
    """`--memory`: all of it is taken at once."""
    return click.option(
        "--memory", type=Heap(), default=default, show_default=True, help="Heap of the driver."
    )


def warm_up_option(rows: str) -> Callable[[Any], Any]:
    """`--warm-up-on`: a round on all rows is dear where they are many."""
    return click.option(
        "--warm-up-on", "warm_up_on", type=click.IntRange(10_000),
        help=f"Warm the engines up on so many {rows}, not on all.",
    )  # fmt: skip


def measuring(rows: str) -> Callable[[Any], Any]:
    """How often is measured, with how many new rows, and where: `rows` are what the source has."""
    options = (
        click.option("--rounds", type=click.IntRange(1), default=3, help="Rounds that count."),
        click.option(
            "--new", type=click.IntRange(1), default=10_000,
            help=f"{rows.capitalize()} of an increment.",
        ),
        click.option(
            "--repeat", type=click.IntRange(0), default=5, help="Increments that count; 0: none."
        ),
        memory_option("6g"),
        click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path)),
        click.option(
            "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
            help=f"Where {rows} and tables lie; kept, and its {rows} used again."
            " Else it is removed.",
        ),
    )  # fmt: skip

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@contextmanager
def workplace(home: Path | None = None) -> Iterator[Path]:
    """The folder in which a benchmark works, and a quiet py4j; Spark is closed at the end.

    Without a `home` the folder is temporary.
    """
    from strandline.spark import close

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    folder = (home or Path(tempfile.mkdtemp(prefix="strandline-bench-"))).resolve()
    try:
        yield folder
    finally:
        close()
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)

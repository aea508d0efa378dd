"""How a command enters a dbt project: its options, its folder, and a terminal kept for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from strandline.cli.project import Project

if TYPE_CHECKING:
    from strandline.spark import Needs


def project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which a command finds its project."""
    for option in (
        click.option("--profiles-dir", help="Folder of profiles.yml."),
        click.option(
            "--project-dir",
            type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
            default=".",
            help="The dbt project (default: here).",
        ),
        click.option("--target", help="Target of the profile."),
    ):
        command = option(command)
    return command


@contextmanager
def entered(
    folder: Path,
    profiles_dir: str | None,
    target: str | None,
    log: str,
    *,
    needs: Needs = "session",
) -> Iterator[tuple[Project, TextIO]]:
    """The project and the terminal, while everything else that is printed goes to logs/<log>.

    `needs`: the command opens a `session` of its own, for which the target must be of `type:
    strandline`; or it reads `tables` by any adapter of Spark; or `dbt` alone runs, and only what it
    cannot start is refused.

    Raises click.UsageError when the folder holds no project, click.ClickException when dbt cannot
    read it, StrandlineSparkError when its target is of another type.
    """
    if not (folder / "dbt_project.yml").is_file():
        raise click.UsageError(f"{folder} holds no dbt_project.yml: name one with --project-dir.")
    from dbt_common.exceptions import DbtBaseException

    from strandline.spark import check_profile, profiles_dir_for

    check_profile(folder, target, profiles_dir, needs=needs)
    profiles, before = profiles_dir_for(folder, profiles_dir), Path.cwd()
    os.chdir(folder)  # dbt resolves the relative paths of its profile here
    try:
        with everything_to(folder / "logs" / log) as terminal:
            yield Project(folder, profiles, target, folder / "logs"), terminal
    except DbtBaseException as error:
        raise click.ClickException(str(error)) from error
    finally:
        os.chdir(before)


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

"""`strandline prepare`: what a machine needs once: Delta's jars, and Spark's classes stored."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import click

from strandline.cli.terminal import say

EXAMPLES = """
\b
Examples:
  strandline prepare                once on a machine, or in the build of a container
  strandline prepare --again        replaces what is there
"""
LAST_LINES = 12


@click.command(epilog=EXAMPLES)
@click.option("--again", is_flag=True, help="Store the classes again.")
def prepare(again: bool) -> None:
    """Fetch Delta's jars, and store Spark's classes for quicker starts.

    The jars are fetched once and checked against their checksums. Then a small project is built in
    a temporary folder, and the classes that Spark has loaded for it are stored in a file of some
    250 MB. Each later start of Spark in `local` or by `strandline serve` maps that file instead of
    loading the classes again. It is of one version of Java, Spark and Delta: after an upgrade it
    is ignored until `strandline prepare` is called again. Nothing of a project is read or written.

    Exit codes: 0 prepared, 1 failed, 2 wrong use.
    """
    from strandline.spark.archive import archive_path
    from strandline.spark.jars import delta_jars

    delta_jars()
    archive = archive_path()
    say(f"Delta's jars are in {archive.parent}.")
    if archive.is_file() and not again:
        say(f"Spark's classes are in {archive}.")
        return
    say("Building a small project, a minute or two …")
    new = archive.with_suffix(".new")  # beside it: never half a file under the final name
    new.unlink(missing_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix="strandline-prepare-") as project:
            done = subprocess.run(
                [sys.executable, "-m", "strandline.starter.training", project, str(new)],
                capture_output=True,
                text=True,
            )
        if done.returncode or not new.is_file():
            said = (done.stdout + done.stderr).strip().splitlines()[-LAST_LINES:]
            raise click.ClickException(
                "The classes could not be stored; runs start without them.\n" + "\n".join(said)
            )
        new.chmod(0o400)
        new.replace(archive)
    finally:
        new.unlink(missing_ok=True)
    say(f"Spark's classes are in {archive} ({archive.stat().st_size / 1e6:.0f} MB).")

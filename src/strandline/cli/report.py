"""`strandline report`: one HTML file with series, anomalies, alerts, windows and engines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.cli.instants import zone_option
from strandline.cli.terminal import say
from strandline.cli.workspace import entered, project_options

if TYPE_CHECKING:
    from datetime import tzinfo

EXAMPLES = """
\b
Examples:
  strandline report
  strandline report --output report.html --time-zone America/New_York
  strandline report --open
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, resolve_path=True, path_type=Path),
    help="The file. Default: target/strandline_report.html in the project. It is replaced.",
)
@zone_option("The zone of anomalies and alerts; an aggregation has its own.")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
@project_options
def report(
    output: Path | None,
    zone: tzinfo,
    opens: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Write one HTML file that shows what the tables of a project hold.

    Each aggregation as a series by duration, with its anomalies; time weights with their gaps; the
    lists of anomalies and of alerts; states; what is in the windows; engines of detection; late
    and quarantined rows with their reasons. The file loads nothing from elsewhere. Of each table
    the newest rows are shown, so that it stays below five megabytes. Nothing is written to tables.

    Exit codes: 0 written, 1 failed or nothing is built yet, 2 wrong use.
    """
    from strandline.cli.console import Terminal
    from strandline.cli.progress import Steps
    from strandline.cli.report_contents import FILE, write_report
    from strandline.spark import connection_for

    file = output or project_dir / FILE
    with entered(project_dir, profiles_dir, target, "report.log", needs="tables") as opened:
        project, terminal = opened
        steps = Steps(Terminal(file=terminal), of=1)
        with steps.step("reading the tables") as line:
            with connection_for(project.folder, project.target, project.profiles) as spark:
                size = write_report(project, spark, str(zone), file, line.report)
            line.report("")
    say(f"{file} ({size / 1e6:.1f} MB)")
    if opens:
        click.launch(file.as_uri())

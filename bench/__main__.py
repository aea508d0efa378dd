"""`python -m bench`: see --help."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
from bench.plan import Step, chosen, names
from bench.project import ROOT
from rich.console import Console
from rich.table import Table

RESULTS, PAGE = ROOT / "bench" / "results.json", ROOT / "docs" / "performance.md"
QUICK_RESULTS = ROOT / "target" / "bench" / "quick.json"
file = click.Path(dir_okay=False, path_type=Path)
console = Console(highlight=False)


@click.command()
@click.option(
    "--quick", is_flag=True,
    help="Small sizes, in 10 to 15 minutes. No goal is judged, and nothing is written to "
    "bench/results.json or the page unless they are named.",
)  # fmt: skip
@click.option("--growth", is_flag=True, help="How costs grow, in some 40 minutes, instead.")
@click.option("--only", multiple=True, type=click.Choice(names()), help="This one. Repeatable.")
@click.option("--plan", "plan_only", is_flag=True, help="Show what would run, and for how long.")
@click.option("--render", is_flag=True, help="Run nothing: fill the page from the results.")
@click.option("--results", type=file, help="Default: bench/results.json.")
@click.option("--page", type=file, help="Default: docs/performance.md; its plots lie beside it.")
def main(
    quick: bool, growth: bool, only: tuple[str, ...], plan_only: bool, render: bool,
    results: Path | None, page: Path | None,
) -> None:  # fmt: skip
    """Every benchmark beside its peers, one after the other, each in a process of its own.

    The results are merged into those of earlier runs. The generated parts of the page and its
    plots are written anew. A benchmark that fails leaves its earlier results; the exit code is 1.
    """
    if quick and growth:
        raise click.UsageError("--growth has no --quick form.")
    steps = chosen(quick, growth, only)
    if plan_only:
        return show_plan(steps)
    from bench import page as pages
    from bench.results import Result, load, merged, save
    from bench.run import run_all

    results = results or (QUICK_RESULTS if quick else RESULTS)
    results.parent.mkdir(parents=True, exist_ok=True)

    def keep(found: list[Result]) -> None:
        save(results, merged(load(results), found))

    failed = [] if render else run_all(steps, quick, console, keep)
    found = load(results)
    if page or not quick:
        pages.write(page or PAGE, found)
    show_goals(found)
    console.print(f"The results: {results}")
    if failed:
        console.print("\n".join(failed), style="red")
        raise SystemExit(1)
    return None


def show_plan(steps: list[Step]) -> None:
    """The steps and their minutes."""
    table = Table("benchmark", "arguments", box=None)
    table.add_column("minutes", justify="right")
    for step in steps:
        table.add_row(step.name, shlex.join(step.args), f"{step.minutes:g}")
    table.add_row("[bold]all", "", f"[bold]{sum(step.minutes for step in steps):g}")
    console.print(table)


def show_goals(results: list) -> None:
    """Each figure that has a goal."""
    from bench.goals import outcomes

    words = {True: "[green]held", False: "[red]missed", None: "not judged"}
    table = Table("figure", "ours", "goal", "value", "", box=None)
    for one in results:
        for goal in outcomes(one):
            table.add_row(
                f"{one.benchmark}: {one.what}", f"{one.ours.median:.2f}", goal.text,
                f"{goal.value:.2f}", words[goal.held],
            )  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main()

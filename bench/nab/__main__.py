"""Detectors judged on labelled series of the Numenta Anomaly Benchmark.

    python -m bench.nab --data NAB          # some minutes; NAB has windows.json and data/
    python -m bench.nab --data NAB --page docs/labelled.md     # fills the page, too

Every detector has one setting for all series: nothing is tuned to one of them. Its bounds are at
one deviation, so the distance of a value from what was usual, in deviations, is its score; one
threshold for all series is what the benchmark chooses.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np
import pandas as pd
from bench.nab.pictures import chosen, draw, told
from bench.nab.scoring import Doubles, Judge, Labelled
from bench.page import circumstances, filled, table_of
from bench.project import DbtProject, workplace
from bench.results import RESULTS, Occasion, Result, Runs, load, merged, occasion, save
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

console = Console()
STEP = "5min"
CALL = "ref('{}'), keys=['file'], ts='ts', value='value', granularity='PT5M'"
# The five minutes, and beside them the mean of the hour that ends with each of them.
HOURS = """
select file, ts, arrival, avg(value) over (
    partition by file order by ts range between interval 55 minutes preceding and current row
) as value
from {{ ref('series') }}
"""
# Each detector as a user would call it, with bounds at one deviation.
DETECTORS = {
    "mean and deviation, 22 days": (
        "mean_variance_detector", "lookback='P22D', deviations=1, min_values=50"),
    "mean and deviation, 14 days": (
        "mean_variance_detector", "lookback='P14D', deviations=1, min_values=50"),
    "mean and deviation of the hour's mean, 14 days": (
        "mean_variance_detector", "lookback='P14D', deviations=1, min_values=50", "hours"),
    "mean and deviation of the hour of day, 14 days": (
        "mean_variance_detector",
        "lookback='P14D', seasonality='P1D', deviations=1, min_values=4"),
    "median, 1 day": ("median_detector", "lookback='P1D', deviations=1, min_values=50"),
    "median of the time of day, 14 days": (
        "median_detector", "lookback='P14D', seasonality='P1D', deviations=1"),
    "median, 1 hour": ("median_detector", "lookback='PT1H', deviations=1"),
    "seasonal, days": ("seasonal_detector", "seasonality='P1D'"),
    "seasonal, days, learned slowly": (
        "seasonal_detector", "seasonality='P1D', alpha=0.02, beta=0, gamma=0.1"),
}  # fmt: skip
# An incident is told once: a row counts that is further off than all of these rows before it.
QUIET = (0, 100, 200, 400)
PAIRS = 5  # of two detectors together, on the page
FARTHEST = 1e6  # of equal values any other is infinitely many deviations away


@click.command(context_settings={"show_default": True})
@click.option(
    "--data", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with windows.json and data/<group>/<file>.csv.",
)  # fmt: skip
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--page", "page_file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A page whose table is filled; its pictures are in images/ beside it, and the results in "
    "docs/performance/results.json.",
)  # fmt: skip
@click.option(
    "--scores", type=click.Path(dir_okay=False, path_type=Path),
    help="A pickle of them; if it is there, nothing is detected again.",
)  # fmt: skip
@click.option("--memory", default="6g")
def main(
    data: Path, json_file: Path | None, page_file: Path | None, scores: Path | None, memory: str
) -> None:  # fmt: skip
    """The score of each detector, and of those that two of them find."""
    on, series = occasion(), read(data)
    judge = Judge(series)
    if scores is not None and scores.exists():
        found = pd.read_pickle(scores)  # noqa: S301 # our own
    else:
        with workplace() as folder:
            found = _found(folder, memory, series)
        found |= together(found)
    if scores is not None:
        pd.to_pickle(found, scores)
    verdicts = {name: Verdict.of(judge, name, one) for name, one in found.items()}
    best_first = sorted(verdicts.values(), key=lambda each: -each.score)
    show(best_first, judge)
    results = [_result(each, judge, on) for each in best_first]
    if json_file is not None:
        save(json_file, results)
    if page_file is not None:
        save(RESULTS, merged(load(RESULTS), results))
        fill(page_file, best_first, judge, found, results)


def read(data: Path) -> list[Labelled]:
    """Every labelled series of a folder."""
    windows = json.loads((data / "windows.json").read_text())
    return [_labelled(data, name, given) for name, given in sorted(windows.items())]


def _labelled(data: Path, name: str, given: list[list[str]]) -> Labelled:
    rows = pd.read_csv(data / "data" / name, parse_dates=["timestamp"])
    times = rows["timestamp"]
    windows = [
        (int(times.searchsorted(pd.Timestamp(first))),
         int(times.searchsorted(pd.Timestamp(last), side="right")) - 1)
        for first, last in given
    ]  # fmt: skip
    return Labelled(name, list(times), rows["value"].to_numpy(float), windows)


def buckets(series: list[Labelled]) -> pd.DataFrame:
    """One row for five minutes of a series, as an aggregation has it; `arrival` counts them."""
    frames = [
        pd.DataFrame({"file": one.name, "ts": one.times, "value": one.values}) for one in series
    ]
    rows = pd.concat(frames)
    rows["ts"] = rows["ts"].dt.floor(STEP)
    done = rows.groupby(["file", "ts"], as_index=False)["value"].mean()
    done["arrival"] = np.arange(len(done))
    return done


def _found(folder: Path, memory: str, series: list[Labelled]) -> dict[str, dict[str, Doubles]]:
    """Of each detector and series, how many deviations each row is away; 0 is within the bounds."""
    files = {
        "models/series.sql": "select * from {{ source('feed', 'rows') }}",
        "models/hours.sql": HOURS,
    }
    models = {}
    for place, (name, (macro, more, *source)) in enumerate(DETECTORS.items()):
        models[name], call = f"found_{place}", CALL.format(*source or ["series"])
        if macro == "seasonal_detector":
            files[f"models/expected_{place}.sql"] = (
                f"{{{{ strandline.seasonal_table({call}, arrival='arrival', {more}) }}}}"
            )
            body = (
                f"strandline.seasonal_detector(ref('expected_{place}'), keys=['file'],"
                " ts='agg_timestamp', value='value', granularity='PT5M', deviations=1)"
            )
        else:
            body = f"strandline.{macro}({call}, {more})"
        files[f"models/{models[name]}.sql"] = (
            f"{{{{ config(materialized='table', file_format='delta') }}}}{{{{ {body} }}}}"
        )
    project = DbtProject(folder / "project", folder / "home", "nab", memory, "rows", files)
    project.deps()
    spark = project.session()
    spark.sql("create schema if not exists nab")
    frame = spark.createDataFrame(buckets(series))
    frame.coalesce(1).write.format("delta").mode("overwrite").saveAsTable("nab.rows")
    took = project.select("*", len(files))
    console.print(f"{len(files)} models in {took.wall:.0f} s")
    return {name: _distances(spark, model, series) for name, model in models.items()}


def _distances(spark: SparkSession, model: str, series: list[Labelled]) -> dict[str, Doubles]:
    rows = spark.sql(
        "select file, starts_at, abs(current_value - baseline_value)"
        f" / nullif(upper_bound - baseline_value, 0D) as away from nab.{model}"
    ).toPandas()
    away = rows.set_index(["file", "starts_at"])["away"].fillna(FARTHEST).clip(upper=FARTHEST)
    found = {}
    for one in series:
        own = away.loc[one.name] if one.name in away.index.levels[0] else pd.Series(dtype=float)
        times = pd.DatetimeIndex(one.times).floor(STEP)
        found[one.name] = own.reindex(times).fillna(0).to_numpy(float)
    return found


def together(found: Mapping[str, dict[str, Doubles]]) -> dict[str, dict[str, Doubles]]:
    """Of each two detectors, how far a row is away by the one that has it nearer."""
    names, both = list(found), {}
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            both[f"{one} + {other}"] = {
                name: np.minimum(found[one][name], found[other][name]) for name in found[one]
            }
    return both


@dataclass(frozen=True)
class Verdict:
    """How good a detector is at its best.

    Attributes:
        score: of the benchmark, from 0 to 100.
        threshold: the one of all series, in deviations.
        rows: for how many an incident is told once.
        seen: how many windows it finds.
        false: how many detections are in no window.
    """

    name: str
    score: float
    threshold: float
    rows: int
    seen: int
    false: int

    @classmethod
    def of(cls, judge: Judge, name: str, found: Mapping[str, Doubles]) -> Verdict:
        score, threshold, rows = max(
            (*judge.best({name: told(one, rows) for name, one in found.items()}), rows)
            for rows in QUIET
        )
        points = [judge.points(file, told(one, rows), threshold) for file, one in found.items()]
        seen, false = sum(len(each) for _, each, _ in points), sum(each for *_, each in points)
        return cls(name, score, threshold, rows, seen, false)


HEAD = ("detector", "score", "threshold", "quiet rows", "windows found", "false")


def lines(verdicts: Sequence[Verdict], judge: Judge) -> list[tuple[str, ...]]:
    windows = sum(len(one.windows) for one in judge.series.values())
    return [
        (each.name, f"{each.score:.1f}", f"{each.threshold:.2f}", f"{each.rows}",
         f"{each.seen} of {windows}", f"{each.false}")
        for each in verdicts
    ]  # fmt: skip


def show(verdicts: Sequence[Verdict], judge: Judge) -> None:
    table = Table(*HEAD)
    for line in lines(verdicts, judge):
        table.add_row(*line)
    console.print(table)


def _result(verdict: Verdict, judge: Judge, on: Occasion) -> Result:
    note = f"threshold {verdict.threshold:.2f}, quiet for {verdict.rows} rows"
    what = f"{verdict.name}, {len(judge.series)} series"
    runs = Runs.of([verdict.score])
    return Result("nab", verdict.name, what, runs, on, unit="points", note=note)


def fill(
    page: Path, verdicts: Sequence[Verdict], judge: Judge,
    found: Mapping[str, dict[str, Doubles]], results: Sequence[Result],
) -> None:  # fmt: skip
    """The table of the page, and the pictures of the best detector that is one alone."""
    alone = [each for each in verdicts if each.name in DETECTORS]
    shown = [*alone, *[each for each in verdicts if each not in alone][:PAIRS]]
    table = table_of(HEAD, lines(sorted(shown, key=lambda each: -each.score), judge), "lrrrrr")
    page.write_text(filled(page.read_text(), {"nab": f"{table}\n\n{circumstances(results)}"}))
    best = alone[0]
    kinds = chosen(judge, found[best.name], best.threshold, best.rows)
    for kind, names in kinds.items():
        file = page.with_name("images") / f"labelled_{kind}.png"
        draw(file, judge, found[best.name], names, best.threshold, best.rows)


if __name__ == "__main__":
    main()

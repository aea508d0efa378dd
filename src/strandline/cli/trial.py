"""`strandline trial`: the incidents that a detector would have raised in the past."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from strandline.cli.console import Terminal, styled
from strandline.cli.instants import instant, length, zone_option
from strandline.cli.workspace import entered, project_options
from strandline.errors import nearest_name
from strandline.literals import name_sql, text_sql
from strandline.report.evaluations import keys_of

if TYPE_CHECKING:
    from strandline.cli.project import Project
    from strandline.connection import Connection

EXAMPLES = """
\b
Examples:
  strandline trial few_flights
  strandline trial few_flights --since 2013-06-01 --merge-gap PT3H
  strandline trial few_flights --picture few_flights.svg
  strandline trial few_flights --json | jq .incidents
"""
WEEKS_SHOWN, KEYS_SHOWN, KEYS_DRAWN, BAR = 30, 10, 6, 40
OTHERS = "others"


@dataclass(frozen=True)
class Trial:
    """What was found in the past.

    Attributes:
        model: the detector.
        detections: how many rows it has.
        weeks: the incidents that began in each week, by its Monday; without weeks that have none.
        keys: the incidents of each series.
        cells: the incidents by week and series.
    """

    model: str
    detections: int
    weeks: dict[date, int]
    keys: Counter[str]
    cells: dict[tuple[date, str], int] = field(repr=False)

    @property
    def incidents(self) -> int:
        return sum(self.weeks.values())

    def every_week(self) -> list[tuple[date, int]]:
        """From the first week with an incident to the last, those between without any included."""
        if not self.weeks:
            return []
        first, last = min(self.weeks), max(self.weeks)
        days = range(0, (last - first).days + 1, 7)
        mondays = (first + timedelta(days=each) for each in days)
        return [(monday, self.weeks.get(monday, 0)) for monday in mondays]

    def as_json(self) -> dict[str, Any]:
        return {
            "model": self.model, "detections": self.detections, "incidents": self.incidents,
            "weeks": {f"{monday}": count for monday, count in self.every_week()},
            "keys": dict(self.keys.most_common()),
        }  # fmt: skip


@click.command(epilog=EXAMPLES)
@click.argument("model", metavar="MODEL")
@click.option("--since", type=instant, metavar="INSTANT", help="Only incidents from then on.")
@click.option(
    "--merge-gap", type=length, default="PT1S", show_default=True, metavar="DURATION",
    help="Detections of a series that are no further apart are one incident, as with "
    "`merge_max_gap` of anomalies.",
)  # fmt: skip
@zone_option("The zone whose weeks are counted.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="An SVG file of the incidents by week and series. It is replaced.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The figures, for machines.")
@project_options
def trial(
    model: str,
    since: datetime | None,
    merge_gap: timedelta,
    zone: tzinfo,
    picture: Path | None,
    as_json: bool,
    target: str | None,
    project_dir: Path,
    profiles_dir: str | None,
) -> None:
    """Show how many incidents the detector MODEL would have raised in the past.

    The file of the model is compiled as it is now, and evaluated over all buckets that its source
    has. A model that is a table is read as it was built. Detections of a series that follow each
    other are one incident. Nothing is written, and nothing is sent: change the settings in the
    file, and try again. The models that it reads must be built.

    Exit codes: 0 shown, 1 failed, 2 wrong use.
    """
    from strandline.cli.progress import Steps
    from strandline.spark import connection_for

    file = picture.resolve() if picture else None
    with entered(project_dir, profiles_dir, target, "trial.log", needs="tables") as opened:
        project, terminal = opened
        steps = Steps(Terminal(file=terminal, quiet=as_json), of=2)
        with steps.step("reading the project"):
            query = _query(project, model)
        with (
            steps.step("evaluating the detector"),
            connection_for(project.folder, project.target, project.profiles) as spark,
        ):
            try:
                keys = _keys(spark, model, query)
                rows = spark.sql(counted(query, keys, since, merge_gap, str(zone))).collect()
            except click.ClickException:
                raise
            except Exception as error:
                raise click.ClickException(_not_evaluated(model, error)) from error
    found = trial_of(model, rows)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        console = Terminal()
        for part in shown(found):
            console.print()
            console.print(part)
    if file is not None:
        file.write_text(drawn(found), encoding="utf-8")


def _query(project: Project, model: str) -> str:
    relations = project.relations()
    if model not in relations.by_name:
        near = nearest_name(model, relations.by_name)
        raise click.UsageError(
            f"MODEL is '{model}', and the project has no model of this name"
            + (f"; did you mean '{near}'?" if near else ".")
        )
    relation = relations.by_name[model]
    if relation in relations.stored:
        return f"select * from {relation}"
    query = project.query_of(relation, {})
    assert query is not None  # it is a model of the project
    return query


def _not_evaluated(model: str, error: Exception) -> str:
    from strandline.spark.errors import message_of

    return (
        f"{model} cannot be evaluated: {message_of(error)}\nIf it reads models that are not built"
        f" yet, build them: strandline run --select +{model}"
    )


def _keys(spark: Connection, model: str, query: str) -> list[str]:
    """The columns that identify a series of a detector."""
    columns = spark.sql(f"select * from (\n{query}\n) where false").columns
    if not {"detector", "starts_at", "ends_at"} <= set(columns):
        raise click.UsageError(
            f"MODEL is '{model}', which is no detector: it has no columns detector, starts_at and"
            " ends_at. Take a model of a detector (docs/detectors.md), or of detect."
        )
    return keys_of(columns)


def counted(
    query: str, keys: Sequence[str], since: datetime | None, merge_gap: timedelta, zone: str
) -> str:
    """By week and series the incidents that begin, and the detections, as a query."""
    series = (
        f"to_json(struct({', '.join(map(name_sql, keys))}), map('ignoreNullFields', 'false'))"
        if keys
        else "''"
    )
    gap = merge_gap // timedelta(microseconds=1)
    condition = f"\n    where starts_at >= timestamp'{since.isoformat()}Z'" if since else ""
    return f"""
with __found as (
{query}
),

__ranges as (
    select {series} as series, unix_micros(starts_at) as first, unix_micros(ends_at) as last
    from __found{condition}
),

__incidents as (
    select
        *,
        coalesce(first > max(last) over (partition by series order by first, last
            rows between unbounded preceding and 1 preceding) + {gap}L, true) as is_first
    from __ranges
)

select
    date_format(date_trunc('week', from_utc_timestamp(timestamp_micros(first), {text_sql(zone)})),
        'yyyy-MM-dd') as week,
    series,
    count_if(is_first) as incidents,
    count(*) as detections
from __incidents
group by 1, 2
"""


def trial_of(model: str, rows: Iterable[Any]) -> Trial:
    """From rows of week, series, incidents and detections."""
    weeks: Counter[date] = Counter()
    keys: Counter[str] = Counter()
    cells: dict[tuple[date, str], int] = {}
    detections = 0
    for week, series, incidents, count in rows:
        monday, name = date.fromisoformat(week), series_name(series)
        detections += count
        if incidents:
            weeks[monday] += incidents
            keys[name] += incidents
            cells[monday, name] = incidents
    return Trial(model, detections, dict(weeks), keys, cells)


def series_name(series: str) -> str:
    """The values of the keys, as a person writes them."""
    values = json.loads(series).values() if series else ()
    return ", ".join("null" if each is None else str(each) for each in values)


def shown(found: Trial) -> list[Table | Text]:
    """The figures on one screen."""
    weeks = found.every_week()
    if not weeks:
        return [Text(f"{found.model}: no incident.")]
    rate = found.incidents / len(weeks)
    head = (
        f"{found.model}: {_many(found.incidents, 'incident')} of"
        f" {_many(found.detections, 'detection')} in {_many(len(weeks), 'week')},"
        f" {rate:.1f} a week"
    )
    parts: list[Table | Text] = [styled(head, "bold"), _by_week(weeks)]
    return [*parts, _by_key(found)] if len(found.keys) > 1 else parts


def _by_week(weeks: Sequence[tuple[date, int]]) -> Table:
    most = max(count for _, count in weeks)
    table = _table("week", "incidents")
    earlier = weeks[:-WEEKS_SHOWN]
    if earlier:
        total = sum(count for _, count in earlier)
        table.add_row(f"{len(earlier)} weeks before", f"{total:,}", "")
    for monday, count in weeks[-WEEKS_SHOWN:]:
        table.add_row(f"{monday}", f"{count:,}", styled("█" * -(-BAR * count // most), "cyan"))
    return table


def _by_key(found: Trial) -> Table:
    table = _table("series", "incidents")
    ranked = found.keys.most_common()
    for name, count in ranked[:KEYS_SHOWN]:
        table.add_row(name, f"{count:,}", "")
    others = ranked[KEYS_SHOWN:]
    if others:
        total = sum(count for _, count in others)
        table.add_row(f"and {_many(len(others), 'other')}", f"{total:,}", "")
    return table


def _table(first: str, second: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(first, no_wrap=True)
    table.add_column(second, justify="right")
    table.add_column("")
    return table


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def drawn(found: Trial) -> str:
    """The incidents by week, as SVG; the series with most of them in colours of their own."""
    import altair
    import vl_convert

    named = [name for name, _ in found.keys.most_common(KEYS_DRAWN)]
    cells: Counter[tuple[date, str]] = Counter()
    for (monday, name), count in found.cells.items():
        cells[monday, name if name in named else OTHERS] += count
    values = [
        {
            "week": f"{monday}", "until": f"{monday + timedelta(days=7)}", "series": name,
            "incidents": count,
        }
        for (monday, name), count in sorted(cells.items())
    ]  # fmt: skip
    is_several = len(found.keys) > 1
    color = altair.Color("series:N", sort=[*named, OTHERS])
    chart = (
        altair.Chart(altair.InlineData(values=values))
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=altair.X("week:T", title=None, scale=altair.Scale(type="utc")),
            x2="until:T",
            y=altair.Y(
                "incidents:Q",
                title="incidents a week",
                stack="zero",
                axis=altair.Axis(tickMinStep=1),
            ),
            **({"color": color} if is_several else {}),
        )
        .properties(title=f"{found.model}: {_many(found.incidents, 'incident')}", width=720)
    )
    return str(vl_convert.vegalite_to_svg(chart.to_dict()))

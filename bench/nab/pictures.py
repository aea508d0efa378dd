"""The series in which a detector is right, and those in which it is wrong, as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from bench.nab.scoring import Doubles, Judge, Labelled, first_of_incident

EACH = 3  # of both kinds
PIXELS = 900  # of the time axis; each shows the least and the greatest of its values
LINE, WINDOW, RIGHT, WRONG = "#57606a", "#bf8700", "#1a7f37", "#cf222e"


def chosen(
    judge: Judge, found: Mapping[str, Doubles], threshold: float, rows: int
) -> dict[str, list[str]]:
    """The names of the series with the most and the fewest points for a window, by these kinds."""
    share = {}
    for name, one in found.items():
        windows = len(judge.series[name].windows)
        points, _, _ = judge.points(name, told(one, rows), threshold)
        if windows:
            share[name] = points / windows
    ordered = sorted(share, key=lambda name: (share[name], name))
    return {"right": ordered[: -EACH - 1 : -1], "wrong": ordered[:EACH]}


def told(found: Doubles, rows: int) -> Doubles:
    """With one row for each incident, if incidents are told once."""
    return first_of_incident(found, rows) if rows else found


def draw(
    file: Path, judge: Judge, found: Mapping[str, Doubles], names: list[str],
    threshold: float, rows: int,
) -> None:  # fmt: skip
    """A picture of some series below each other, as PNG."""
    import altair as alt
    import vl_convert

    charts = [_chart(judge, judge.series[name], told(found[name], rows), threshold)
              for name in names]  # fmt: skip
    whole = alt.vconcat(*charts).configure_view(stroke=None).configure(background="white")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(vl_convert.vegalite_to_png(whole.to_dict(), scale=1.5))


def _chart(judge: Judge, series: Labelled, found: Doubles, threshold: float) -> Any:
    import altair as alt

    points, seen, false = judge.points(series.name, found, threshold)
    title = (
        f"{series.name}: {len(seen)} of {len(series.windows)} windows, {false} false, "
        f"{points:.2f} points"
    )
    windows = alt.Data(values=[
        {"from": _text(series.times[first]), "to": _text(series.times[last])}
        for first, last in series.windows
    ])  # fmt: skip
    time = alt.X("at:T", title=None, axis=alt.Axis(format="%-d %b", tickCount=12))
    shown = alt.Chart(alt.Data(values=_thinned(series))).mark_line(color=LINE, strokeWidth=1)
    shaded = alt.Chart(windows).mark_rect(color=WINDOW, opacity=0.25)
    detected = alt.Chart(alt.Data(values=_detected(series, found, threshold))).mark_point(
        filled=True, size=45, opacity=1
    )
    colour = alt.Color("is_right:N", legend=None, scale=alt.Scale(
        domain=[True, False], range=[RIGHT, WRONG]))  # fmt: skip
    return (
        shaded.encode(x="from:T", x2="to:T")
        + shown.encode(x=time, y=alt.Y("value:Q", title=None))
        + detected.encode(x=time, y="value:Q", color=colour)
    ).properties(width=PIXELS, height=110, title=alt.Title(title, anchor="start", fontSize=12))


def _detected(series: Labelled, found: Doubles, threshold: float) -> list[dict[str, Any]]:
    rows = [int(row) for row in np.flatnonzero(found >= threshold) if row >= series.probation]
    return [
        {
            "at": _text(series.times[row]), "value": float(series.values[row]),
            "is_right": any(first <= row <= last for first, last in series.windows),
        }
        for row in rows
    ]  # fmt: skip


def _thinned(series: Labelled) -> list[dict[str, Any]]:
    """The least and the greatest value of each pixel, in order."""
    frame = pd.DataFrame({"at": series.times, "value": series.values})
    pixel = np.arange(len(frame)) * PIXELS // len(frame)
    groups = frame.groupby(pixel)["value"]
    rows = sorted({*groups.idxmin(), *groups.idxmax()})
    return [
        {"at": _text(at), "value": float(value)}
        for at, value in frame.loc[rows].itertuples(index=False)
    ]


def _text(at: pd.Timestamp) -> str:
    return at.isoformat()

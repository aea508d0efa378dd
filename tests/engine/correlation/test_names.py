"""Aliases, ids and selected columns of a correlation may have any name that is not reserved."""

from __future__ import annotations

from typing import Any

import pytest

# Words that generated SQL has used, and Spark's own.
ALIASES = [
    "stream", "streams", "place", "cycle", "life", "fires", "present", "delta", "arrived", "each",
    "fired", "stays", "correlated", "selected", "phase", "id", "order", "select", "from", "left",
    "on", "null", "case", "timestamp", "interval", "new", "dead",
]  # fmt: skip
ODD = ["item qty", "größe", "a.b", "select", "b`c", "Cycle", "place", "stream", "life"]


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


@pytest.mark.soak
def test_aliases_are_any_plain_names(windows: Any) -> None:
    """Of a letter each; the pattern is all of them, and each shows its row."""
    windows.events("stream string, id bigint, n bigint")
    events = "source=source('feed', 'events'), ts='ts', store='last 5 seconds', "
    of = {alias: f"w{number % 3}" for number, alias in enumerate(ALIASES)}
    models = {f"w{number}": events + f"where=\"stream = '{number}'\"" for number in range(3)}
    streams = ", ".join(f"'{a}': {{'window': ref('{w}'), 'on': 'id'}}" for a, w in of.items())
    select = {f"n_{alias}": f"{alias}.n" for alias in ALIASES if alias != "null"}
    select |= {"n_null": "`null`.n", "n": "n_stream + n_streams + n_place"}
    call = f"streams={{{streams}}}, when=['{' and '.join(ALIASES)}'], select={select}"
    windows.models(**models, fired=f"{{{{ strandline.correlation_table({call}, where='n > 0') }}}}")
    windows.land([(1, 0, "0", 7, 10), (1, 0, "1", 7, 20), (1, 0, "2", 7, 30), (2, 9, "z", 0, 0)])
    windows.run()
    [row] = windows.spark.sql("select * from windowed.fired where row_kind = 'row'").collect()
    assert {alias: row[f"n_{alias}"] for alias in ALIASES} == {
        alias: 10 * (int(window[1]) + 1) for alias, window in of.items()
    }
    assert row.n == 60


@pytest.mark.soak
def test_columns_have_any_name(windows: Any) -> None:
    """Odd names as the id, as columns that are read, and as names of `select`."""
    windows.events("kind string, id bigint")
    columns = ", ".join(f"id + {number} as {_quoted(name)}" for number, name in enumerate(ODD))
    models = {
        "odd": "{{ config(materialized='view') }} select arrival, ts, kind, "
        f"{columns} from {{{{ source('feed', 'events') }}}}",
        "one": "source=ref('odd'), ts='ts', store='last 5 seconds', where=\"kind = 'a'\"",
        "two": "source=ref('odd'), ts='ts', store='last 5 seconds', where=\"kind = 'b'\"",
    }
    ids = ["item qty", "größe"]
    for number, name in enumerate(ids):
        streams = ", ".join(
            f"'{w}': {{'window': ref('{w}'), 'on': '{name}'}}" for w in ("one", "two")
        )
        select = {each: f"one.{_quoted(each)}" for each in ODD}
        select |= {f"two {each}": f"two . {_quoted(each)}" for each in ODD}
        select["sum"] = f"{_quoted(ODD[0])} + {_quoted(f'two {ODD[1]}')}"
        call = f"streams={{{streams}}}, when=['one and two'], select={select}, where='sum > 0'"
        models[f"fired_{number}"] = f"{{{{ strandline.correlation_table({call}) }}}}"
    windows.models(**models)
    windows.land([(1, 0, "a", 7), (2, 1, "b", 7), (3, 9, "z", 0)])
    windows.run()
    for number, name in enumerate(ids):
        table = f"windowed.fired_{number} where row_kind = 'row'"
        shown = ", ".join(_quoted(each) for each in [*ODD, *(f"two {each}" for each in ODD)])
        [row] = windows.spark.sql(f"select {shown}, sum, correlation_id from {table}").collect()
        values = [7 + place for place, _ in enumerate(ODD)]
        assert tuple(row) == (*values, *values, 7 + 8, 7 + ODD.index(name))

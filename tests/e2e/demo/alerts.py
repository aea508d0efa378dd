"""The tables of the demo's alerts as lines of text, and what all flights together say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jinja2
import pandas as pd
from tests.conftest import ROOT, drop_schema
from tests.engine.notify.receiver import HttpReceiver
from tests.unit.jinja_macros import macros

from strandline.notify import Wording, send
from strandline.notify.channel import Channel
from strandline.notify.outbox import DeltaOutbox
from strandline_demo.flights import flight_events

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from pyspark.sql import SparkSession
    from tests.e2e.demo.conftest import Demonstrated

# Days and quarters of an hour in New York, parents with a plus: 8 Feb 00:00+
SPOT = (
    "date_format(from_utc_timestamp(starts_at, 'America/New_York'), 'd MMM HH:mm')"
    " || if(is_parent, '+', '')"
)


@dataclass(frozen=True)
class Table:
    """A table of the demo, as a macro is given one."""

    folder: str
    identifier: str

    def __str__(self) -> str:
        return f"delta.`{self.folder}`"


@dataclass(frozen=True)
class Expression:
    """A query in the place of a table."""

    sql: str

    def __str__(self) -> str:
        return self.sql


class Alerts:
    """What the demo knows of its alerts, as lines of text."""

    def __init__(self, spark: SparkSession, demo: Demonstrated) -> None:
        self.spark = spark
        self.anomalies, self.history, self.feedback = (
            Table(str(demo.clone.log_of(f"strandline.{name}").parent), name)
            for name in ("flight_anomalies", "anomaly_history", "anomaly_feedback")
        )

    def notified(self, where: str) -> list[str]:
        """Run, what, of what to what, and what it is now."""
        query = macros().anomaly_notifications(self.anomalies)
        return self._lines(query, where, ["string(notified_at)", SPOT, "current_value", "baseline_value", "status"])  # fmt: skip

    def titles(self, zone: tzinfo) -> list[str]:
        """What people read: the demo's own outbox, sent to a receiver."""
        model = (ROOT / "models" / "nyc" / "alerts" / "notifications.sql").read_text()
        query = jinja2.Template(model).render(strandline=macros(), ref=lambda _: self.anomalies)
        receiver = HttpReceiver()
        self.spark.sql("create schema alerts_sent")
        try:
            self.spark.sql(f"create view alerts_sent.notifications as {query}")
            outbox = DeltaOutbox(self.spark, "alerts_sent.notifications")
            [sent] = send(outbox, [Channel(receiver.named())], wording=Wording(zone))
        finally:
            receiver.stop()
            drop_schema(self.spark, "alerts_sent")
        assert not sent.failed
        return [delivery.body["title"] for delivery in receiver.deliveries]

    def stored(self, where: str) -> list[str]:
        return self._lines(f"select * from {self.anomalies}", where, self._version)

    def as_of(self, at: str, where: str) -> list[str]:
        return self._lines(macros().anomalies_as_of(at, self.history), where, self._version)

    def active(self, where: str, anomalies: object = None) -> list[str]:
        """Each with its notes, in their order."""
        query = macros().anomalies_active(
            anomalies or self.anomalies, feedback=self.feedback, order_by="noted_at"
        )
        notes = "concat_ws(', ', transform(feedback, each -> each.noted_by))"
        return self._lines(query, where, [SPOT, "current_value", "status", notes])

    _version = (SPOT, "generation", "current_value", "status")

    def _lines(self, query: str, where: str, columns: Iterable[str]) -> list[str]:
        rows = self.spark.sql(f"select {', '.join(columns)} from ({query}) where {where}").collect()
        cells = [[f"{it:g}" if isinstance(it, float) else str(it) for it in row] for row in rows]
        return sorted(" ".join(each).strip() for each in cells)


def expected() -> tuple[dict, dict]:
    """By carrier and day, and by airport and quarter of an hour: straight from the source."""
    first, after = pd.Timestamp("2013-01-01"), pd.Timestamp("2013-03-01")
    events = flight_events(first.date(), after.date())
    events["carrier"] = events["carrier"].astype(str)
    departed = events[events["event"] == "departed"]
    day = departed["event_at"].dt.tz_convert("America/New_York").dt.tz_localize(None).dt.normalize()
    counts = departed.groupby(["carrier", day]).size().unstack(0, fill_value=0)
    counts = counts.reindex(pd.date_range(first, after, inclusive="left"), fill_value=0)
    usual = counts.shift(7)
    is_fall = (counts < usual * 0.7) & (usual >= 20)
    days = {
        (carrier, str(at.date())): int(counts.loc[at, carrier])
        for at, row in is_fall.iterrows()
        for carrier in row.index[row]
    }
    scheduled = events[events["event"] == "scheduled"]
    waiting = scheduled[~scheduled["flight_id"].isin(departed["flight_id"])]
    quarter = waiting["scheduled_at"].dt.floor("15min")
    sizes = waiting.groupby([waiting["origin"], quarter]).size()
    quarters = {
        (origin, int(at.timestamp())): int(size) for (origin, at), size in sizes.items() if size > 2
    }
    return days, quarters

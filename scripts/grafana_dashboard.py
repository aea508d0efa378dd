"""Writes docs/grafana_dashboard.json: what `strandline status --prometheus` tells, for Grafana.

    pip install 'grafana-foundation-sdk==1769699998!10.1.0'    # needs Python 3.11: not in dev.in
    python -m scripts.grafana_dashboard

Grafana's own library makes the panels, so that the file is what Grafana reads.
"""

from __future__ import annotations

from pathlib import Path

from grafana_foundation_sdk.builders import common, dashboard, prometheus, stat, table, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common as options
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

FILE = Path(__file__).resolve().parents[1] / "docs" / "grafana_dashboard.json"
SOURCE = models.DataSourceRef(type_val="prometheus", uid="${datasource}")
# The targets of Prometheus whose files are shown: a project each.
OF = '{instance=~"$instance"}'
GREEN, AMBER, RED = "green", "orange", "red"


def made() -> str:
    """The dashboard as JSON."""
    board = (
        dashboard.Dashboard("Strandline")
        .uid("strandline")
        .tags(["strandline", "dbt"])
        .description("Freshness, anomalies, rows that could not be used, and runs of a project.")
        .refresh("1m")
        .time("now-24h", "now")
        .timezone("browser")
        .editable()
        .with_variable(dashboard.DatasourceVariable("datasource").label("Prometheus").type(
            "prometheus"))
        .with_variable(
            dashboard.QueryVariable("instance")
            .label("Instance")
            .datasource(SOURCE)
            .query("label_values(strandline_status_timestamp_seconds, instance)")
            .multi(True)
            .include_all(True)
        )
    )  # fmt: skip
    age = f"time() - max(strandline_landed_timestamp_seconds{OF})"
    board.with_row(dashboard.Row("Now"))
    for panel in (
        number("Active anomalies", f"sum(strandline_anomalies_active{OF})", "short", 1, 10),
        number("Since the last landing", age, "s", 3_600, 4 * 3_600),
        number("Since the last run", f"time() - max(strandline_run_timestamp_seconds{OF})", "s",
               3_600, 4 * 3_600),
        number("Engines with an error", f"sum(1 - strandline_engine_up{OF}) or vector(0)", "short",
               1, 1),
        number("Rows that could not be used", f"sum(strandline_unusable_rows{OF})", "short", 1,
               1_000),
        number("Failed in the last run",
               'sum(strandline_run_nodes{instance=~"$instance", status=~"error|fail"}) '
               "or vector(0)", "short", 1, 1),
    ):  # fmt: skip
        board.with_panel(panel)
    board.with_row(dashboard.Row("Anomalies"))
    board.with_panel(lines("Active anomalies by severity", "short", {
        "{{severity}}": f"sum by (severity) (strandline_anomalies_active{OF})"}))  # fmt: skip
    board.with_panel(lines("Outdated and ignored anomalies", "short", {
        "outdated": f"sum(strandline_anomalies_outdated{OF})",
        "ignored": f"sum(strandline_anomalies_ignored{OF})",
    }))  # fmt: skip
    board.with_row(dashboard.Row("Data"))
    board.with_panel(lines("Rows that landed, an hour", "short", {
        "{{table}}": f"delta(strandline_landed_rows{OF}[1h])"}))  # fmt: skip
    board.with_panel(lines("Late and faulty rows", "short", {
        "{{table}}": f"strandline_unusable_rows{OF}",
        "{{table}}, quarantined": f"strandline_quarantined_rows{OF}",
    }))  # fmt: skip
    board.with_row(dashboard.Row("Runs"))
    board.with_panel(lines("How long a run takes", "s", {"seconds": f"strandline_run_seconds{OF}"}))
    board.with_panel(lines("Rows of the tables", "short", {
        "{{table}}": f"strandline_table_rows{OF}"}))  # fmt: skip
    board.with_panel(
        table.Panel()
        .title("Since a table was written")
        .span(24)
        .height(8)
        .datasource(SOURCE)
        .unit("s")
        .with_target(
            query("", f"time() - strandline_table_written_timestamp_seconds{OF}")
            .instant()
            .ref_id("A")
            .format(PromQueryFormat.TABLE)
        )
    )
    return JSONEncoder(sort_keys=True, indent=1).encode(board.build()) + "\n"


def query(legend: str, expression: str) -> prometheus.Dataquery:
    return prometheus.Dataquery().expr(expression).legend_format(legend)


def number(title: str, expression: str, unit: str, amber: float, red: float) -> stat.Panel:
    """One number, which is amber and red from these on."""
    steps = [
        models.Threshold(value=None, color=GREEN),
        models.Threshold(value=amber, color=AMBER),
        models.Threshold(value=red, color=RED),
    ]
    return (
        stat.Panel()
        .title(title)
        .span(4)
        .height(4)
        .datasource(SOURCE)
        .unit(unit)
        .thresholds(dashboard.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(steps))
        .reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"]))
        .with_target(query("", expression).instant().ref_id("A"))
    )


def lines(title: str, unit: str, queries: dict[str, str]) -> timeseries.Panel:
    """Lines over time, by their legends."""
    panel = (
        timeseries.Panel()
        .title(title)
        .span(12)
        .height(8)
        .datasource(SOURCE)
        .unit(unit)
        .legend(
            common.VizLegendOptions()
            .show_legend(True)
            .placement(options.LegendPlacement.BOTTOM)
            .display_mode(options.LegendDisplayMode.LIST)
        )
    )
    for place, (legend, expression) in enumerate(queries.items()):
        panel.with_target(query(legend, expression).ref_id(chr(ord("A") + place)))
    return panel


if __name__ == "__main__":
    FILE.write_text(made(), encoding="utf-8")

"""The report as a person uses it: views, durations, zoom, filters, the keyboard, and no scripts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from tests.browser.conftest import Page
from tests.browser.example import HOSTILE, REPORT, anomaly

from strandline.notify.incidents import rank

pytestmark = pytest.mark.browser
Show = Callable[..., Page]
VIEWS = ("Now", "Series", "Anomalies", "Alerts", "States", "Windows", "Engines", "Unused rows")


def test_every_view_opens_without_an_error_and_loads_nothing(show: Show) -> None:
    page = show()
    for view in VIEWS:
        page.tab(view)
        page.until(lambda: bool(page.text()))
    page.tab("Series")
    page.until(lambda: bool(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")))
    assert page.errors() == []
    assert page.driver.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_hostile_texts_are_texts(show: Show) -> None:
    page = show()
    assert page.driver.find_element(By.TAG_NAME, "h1").text == f"plant {HOSTILE}"
    for view in VIEWS:
        page.tab(view)
    with pytest.raises(NoAlertPresentException):
        _ = page.driver.switch_to.alert
    page.tab("Windows")
    assert [HOSTILE, "3", "2013-01-01 00:00 -05:00"] in page.rows()


def with_severities(*severities: str | None) -> dict[str, Any]:
    """The report, with one anomaly of American for each severity, on the day of the watermark and before."""
    rows = [
        anomaly(40 - n, "new", "AA") | {"severity": severity, "rank": rank(severity)}
        for n, severity in enumerate(severities)
    ]
    rows.append(anomaly(40, "outdated", "AA"))
    flights = {"name": "flight_anomalies", "counts": {"new": len(severities)}, "rows": rows}
    state = {**REPORT["consolidations"][0], "watermark": "2013-02-11 05:00:00+00:00"}
    return REPORT | {"anomalies": [flights, REPORT["anomalies"][1]], "consolidations": [state]}


def test_the_report_begins_with_what_is_wrong_now(show: Show) -> None:
    page = show(with_severities("high", None, "critical", "low"), view="")
    assert page.driver.find_element(By.CSS_SELECTOR, "[role=tab][aria-selected=true]").text == "Now"
    text = page.text()
    assert "2 open incidents in the last day of the data: 1 high." in text  # the other of the grid
    assert "flight_anomalies\nanalysed up to 2013-02-11 00:00 -05:00" in text
    assert "flight_delays\nengine: ERROR" in text
    assert "s.flights_late\n58 rows that could not be used" in text
    assert "2 notifications that nobody has accepted" in text
    assert f"flight_windows\nfailed: no such column {HOSTILE}" in text
    assert "carriers_are_known\ntest failed: Got 2 results" in text
    assert "wrong_zone\ncould not be read: has a row at 2013-01-01" in text
    Select(page.control("Incidents of")).select_by_visible_text("The last week")
    titles = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, ".card h3")]
    assert titles[:3] == [
        "[critical] carrier_day · AA",
        "[high] carrier_day · AA",
        "[low] carrier_day · AA",
    ]
    assert page.errors() == []


def test_one_screen_says_what_is_open_how_new_the_data_are_and_what_failed(show: Show) -> None:
    page = show(with_severities("high", None, "critical", "low"), view="now")
    tiles = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, ".tile")]
    assert tiles == [
        "2\nopen incidents, last day of the data\n1 high",
        "2013-01-07 00:00 -05:00\nanalysed up to (event time)\n36 days before this report",
        "2013-02-12 00:00 -05:00\nlast run (dbt build)\n3 models, 1 failure",
        "4 passed\ntests of the last run\n1 failed",
        "58\nlate and faulty rows\nsee their reasons",
        "2\nnotifications that nobody has accepted",
        "0 OK\nengines of detection\n1 not",
    ]
    page.panel.find_element(By.LINK_TEXT, tiles[4]).click()
    page.until(lambda: page.rows() == [["s.flights_late", "older than the one before it", "58"]])


def test_rows_that_were_sent_again_are_no_fault(show: Show) -> None:
    reasons = [["duplicate: an event of this id came before", 50], ["no event time: ts is null", 8]]
    late = {"table": "s.flights_late", "rows": 58, "reasons": reasons}
    page = show(REPORT | {"rejected": [late]}, view="now")
    assert "8\nlate and faulty rows\nsee their reasons, besides 50 duplicates" in page.text()
    assert "s.flights_late\n8 rows that could not be used" in page.text()
    page = show(REPORT | {"rejected": [late | {"rows": 50, "reasons": reasons[:1]}]}, view="now")
    assert "0\nlate and faulty rows\nnone, besides 50 duplicates" in page.text()


def test_the_last_runs_are_drawn_and_are_a_table(show: Show) -> None:
    page = show(view="now")
    page.until(lambda: len(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")) > 0)
    page.panel.find_element(By.XPATH, ".//h2[text()='Runs']/following::summary[1]").click()
    rows = page.rows()
    assert len(rows) == 23
    assert rows[0] == [
        "2013-02-12 00:00 -05:00", "dbt build", "22.5", "3", f"flight_windows {HOSTILE}", "5",
        "", "",
    ]  # fmt: skip
    Select(page.control("Result")).select_by_visible_text("warned")
    assert [row[0][:10] for row in page.rows()] == ["2013-02-05", "2013-01-29", "2013-01-22"]
    assert page.errors() == []


def test_a_test_that_failed_has_its_query(show: Show) -> None:
    page = show(view="now")
    page.panel.find_element(By.XPATH, ".//summary[text()='Its query']").click()
    assert page.panel.find_element(By.TAG_NAME, "pre").text == f"select '{HOSTILE}'"


def in_a_row(*days: int) -> dict[str, Any]:
    """The report, with one incident of American that has an anomaly on each of these days."""
    rows = [anomaly(day, "new", "AA") | {"incident": f"incident{days[0]}"} for day in days]
    flights = {"name": "flight_anomalies", "counts": {"new": len(rows)}, "rows": rows[::-1]}
    state = {**REPORT["consolidations"][0], "watermark": "2013-02-11 05:00:00+00:00"}
    return REPORT | {"anomalies": [flights], "consolidations": [state]}


def test_anomalies_of_one_incident_are_one_card(show: Show) -> None:
    page = show(in_a_row(38, 39, 40), view="now")
    [card] = page.panel.find_elements(By.CSS_SELECTOR, ".card")
    assert card.text.startswith(
        "carrier_day · AA\n78 instead of 90.25\n"
        "2013-02-08 00:00 -05:00 to 2013-02-11 00:00 -05:00, 3 anomalies in a row\n"
        "flights by carrier_day\n"
    )
    page.until(lambda: bool(card.find_elements(By.CSS_SELECTOR, ".chart canvas")))
    card.find_element(By.LINK_TEXT, "Its anomalies").click()
    page.until(lambda: "Incident incident38 of flight_anomalies, new." in page.text())
    assert [row[:4] for row in page.rows()] == [
        ["2013-02-08 00:00 -05:00", "2013-02-09 00:00 -05:00", "78", "90.25"],
        ["2013-02-09 00:00 -05:00", "2013-02-10 00:00 -05:00", "79", "90.25"],
        ["2013-02-10 00:00 -05:00", "2013-02-11 00:00 -05:00", "80", "90.25"],
    ]
    assert "Somebody works on it: strandline ack incident38;" in page.text()
    assert "Notified: new at 2013-02-10 00:00 -05:00, completed at" in page.text()
    assert page.errors() == []


def test_a_card_leads_to_its_series_and_back(show: Show) -> None:
    page = show(with_severities("high", "low", "critical"), view="now")
    Select(page.control("Incidents of")).select_by_visible_text("The last week")
    page.panel.find_element(By.CSS_SELECTOR, ".card").find_element(
        By.LINK_TEXT, "In its series"
    ).click()
    page.until(lambda: "flights, as the detector carrier_day (carrier_falls) has it" in page.text())
    assert page.driver.current_url.endswith("#place-incident38")
    ticked = page.panel.find_elements(By.CSS_SELECTOR, ".keys input:checked")
    assert len(ticked) == 1
    page.panel.find_element(By.CSS_SELECTOR, ".beside summary").click()
    page.until(lambda: bool(page.panel.find_elements(By.TAG_NAME, "table")))
    starts = [row[0] for row in page.rows()]
    assert starts[0] == "2013-01-27 00:00 -05:00"  # twelve days before the one of 8 February
    assert page.rows()[-2] == [
        "2013-02-08 00:00 -05:00", "AA", "44", "90", "60", "120", "found",
    ]  # fmt: skip
    page.driver.back()
    page.until(lambda: page.driver.switch_to.active_element.text == "In its series")
    assert Select(page.control("Incidents of")).first_selected_option.text == "The last week"
    page.driver.forward()
    page.until(lambda: "The incident" in page.text())
    page.panel.find_element(By.LINK_TEXT, "The incident").click()
    page.until(lambda: "Incident incident38 of flight_anomalies" in page.text())


def test_an_address_leads_to_an_incident(show: Show) -> None:
    """A notification carries it."""
    page = show(view="incident-incident38")
    assert "Incident incident38 of flight_anomalies, new." in page.text()
    page.panel.find_element(By.LINK_TEXT, "All incidents").click()
    page.until(lambda: "Incident incident38" not in page.text())
    page = show(view="incident-gone")
    assert "Incident gone is not among the newest anomalies of this report." in page.text()
    assert page.errors() == []


def test_a_detector_is_drawn_with_what_was_expected(show: Show) -> None:
    page = show()
    Select(page.control("Series")).select_by_visible_text("carrier_day (carrier_falls)")
    page.until(lambda: "flights, as the detector carrier_day (carrier_falls) has it" in page.text())
    shapes = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, ".legend li")]
    assert shapes == ["flights", "baseline", "bounds", "found", "active anomaly"]
    page.until(lambda: bool(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")))
    # The red point of the one that was found, among 40 days: behind nine tenths of them.
    [at, width] = page.driver.execute_script(RED, page.panel)
    assert 0.9 < at / width < 0.97
    assert page.errors() == []


def test_a_season_is_drawn_with_its_forecast(show: Show) -> None:
    page = show()
    Select(page.control("Series")).select_by_visible_text("expected_flights")
    page.until(lambda: "as the table expected_flights has it" in page.text())
    shapes = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, ".legend li")]
    assert shapes == [
        "flights", "expected", "two standard deviations around it", "found", "forecast",
    ]  # fmt: skip
    page.until(lambda: bool(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")))
    # Forty days of values, and a week of forecasts behind them.
    [at, width] = page.driver.execute_script(RED, page.panel)
    assert 0.78 < at / width < 0.88
    assert page.errors() == []


# Where the red points of a chart are, in pixels from the left, and its width.
RED = """
    const canvas = arguments[0].querySelector(".chart canvas"), { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const found = [];
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = data.slice(i, i + 3);
      if (r === 214 && g === 39 && b === 40) found.push((i / 4) % width);
    }
    return [found.sort((x, y) => x - y)[found.length >> 1], width];
"""


def test_presets_show_the_last_days_of_the_data(show: Show) -> None:
    page = show()
    page.until(lambda: "flights = count(*)." in page.text())
    page.button("Week").click()
    page.panel.find_element(By.CSS_SELECTOR, ".beside summary").click()
    page.until(lambda: bool(page.panel.find_elements(By.TAG_NAME, "table")))
    assert len({row[0] for row in page.rows()}) == 7
    labels = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, ".presets button")]
    assert labels == ["Day", "Week", "30 days"]  # ninety days have no year


def test_a_column_without_values_is_left_out(show: Show) -> None:
    page = show(view="anomalies")
    heads = [each.text for each in page.panel.find_elements(By.CSS_SELECTOR, "thead th")]
    assert heads[:8] == [
        "start", "end", "key", "found", "expected", "anomalies", "status", "changed",
    ]  # fmt: skip
    assert "severity" not in heads
    assert "notified" not in heads


def test_nothing_is_wrong(show: Show) -> None:
    page = show(
        REPORT | {"anomalies": [], "rejected": [], "notifications": [], "engines": []}, "now"
    )
    assert "This project has no table of anomalies." in page.text()
    assert "late and faulty rows\nnone" in page.text()
    page = show(with_severities(), "now")
    Select(page.control("Incidents of")).select_by_visible_text("The last week")
    assert page.errors() == []


def test_on_a_phone_rows_are_cards_with_the_names_of_their_columns(show: Show) -> None:
    page = show(view="anomalies")
    size = page.driver.get_window_size()
    try:
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
        )
        cell = page.panel.find_element(By.CSS_SELECTOR, "tbody td:nth-child(4)")
        name = "return getComputedStyle(arguments[0], '::before').content"
        assert page.driver.execute_script(name, cell) == '"found: "'
        width = "return [document.documentElement.scrollWidth, innerWidth]"
        for view in VIEWS:
            page.tab(view)
            page.until(lambda: bool(page.text()))
            needed, there = page.driver.execute_script(width)
            assert needed <= there, view
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.set_window_size(size["width"], size["height"])


def test_a_series_has_durations_measures_and_keys(show: Show) -> None:
    page = show()
    page.until(lambda: "flights = count(*)." in page.text())
    assert (
        "All 180 rows; 2 of 35 keys, 2 anomalies of those that are ticked in this time."
        in page.text()
    )
    page.button("hours").click()
    page.until(lambda: "The newest 400 of 4,000 rows" in page.text())
    Select(page.control("Measure")).select_by_visible_text("wind")
    page.until(lambda: "wind = time_weight(wind, 'locf', '90 minutes')." in page.text())
    page.until(lambda: len(page.panel.find_elements(By.CSS_SELECTOR, ".chart:not([hidden])")) == 2)
    Select(page.control("Series")).select_by_visible_text("weather")
    page.until(lambda: "Times of UTC." in page.text())


def test_anomalies_are_drawn_for_the_keys_that_are_ticked(show: Show) -> None:
    page = show()
    page.until(lambda: ", 2 anomalies of" in page.text())
    page.button("Outdated").click()
    page.until(lambda: ", 3 anomalies of" in page.text())
    page.panel.find_elements(By.CSS_SELECTOR, ".keys input")[1].click()
    page.until(lambda: ", 2 anomalies of" in page.text())
    page.button("Active").click()
    page.until(lambda: ", 1 anomalies of" in page.text())


def test_a_series_without_keys_has_the_anomalies_of_its_detections(show: Show) -> None:
    page = show()
    Select(page.control("Series")).select_by_visible_text("load_of_the_grid")
    page.until(lambda: "load = average of load, locf." in page.text())
    assert "All 215 rows, 2 anomalies of" in page.text()


def test_a_series_without_detections_has_no_anomalies(show: Show) -> None:
    """Its keys have the same name and values as those of another source."""
    page = show()
    Select(page.control("Series")).select_by_visible_text("weather")
    page.until(lambda: "Times of UTC." in page.text())
    assert ", 0 anomalies of" in page.text()


# The columns of a chart, in pixels, that have a colour: neither grey nor transparent.
COLOURED = """
    const canvas = arguments[0].querySelector("canvas"), { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b, a] = data.slice(i, i + 4);
      if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 40) found.add((i / 4) % width);
    }
    return [[...found].sort((x, y) => x - y), width];
"""


def test_the_known_share_of_every_bucket_is_drawn(show: Show) -> None:
    page = show()
    Select(page.control("Series")).select_by_visible_text("load_of_the_grid")
    page.until(lambda: len(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")) == 2)

    def drawn() -> tuple[int, int, int]:
        """The runs of coloured columns, which are points, and the bounds of all in per cent."""
        known = page.panel.find_elements(By.CSS_SELECTOR, ".chart")[1]
        columns, width = page.driver.execute_script(COLOURED, known)
        points = sum(after - before > 1 for before, after in itertools.pairwise([-9, *columns]))
        return points, columns[0] * 100 // width, columns[-1] * 100 // width

    page.button("Zoom in").click()  # so that points do not touch
    page.button("Zoom in").click()
    page.until(lambda: len(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")) == 2)
    page.until(lambda: 53 <= drawn()[0] <= 55)  # a quarter of 215
    _, first, last = drawn()
    assert first < 10
    assert last > 90


def test_the_zoom_works_with_the_keyboard(show: Show) -> None:
    page = show()
    page.until(lambda: "flights = count(*)." in page.text())

    def rows_in_range() -> str:
        page.panel.find_element(By.CSS_SELECTOR, ".beside summary").click()
        page.until(lambda: bool(page.panel.find_elements(By.TAG_NAME, "table")))
        return page.panel.find_element(By.CSS_SELECTOR, ".beside [role=status]").text

    assert rows_in_range() == "180 of 180 rows"
    page.button("Zoom in").send_keys(Keys.ENTER)
    page.until(lambda: not page.panel.find_elements(By.TAG_NAME, "table"))
    assert rows_in_range() == "88 of 88 rows"
    page.button("Whole").send_keys(Keys.ENTER)
    page.until(lambda: not page.panel.find_elements(By.TAG_NAME, "table"))
    assert rows_in_range() == "180 of 180 rows"


def test_anomalies_are_filtered_and_sorted(show: Show) -> None:
    page = show(view="anomalies")
    assert "3 new, 1 outdated. Start and end are times of events;" in page.text()
    assert len(page.rows()) == 4
    assert "2 new. Start and end are times of events;" in page.text()
    Select(page.control("Status")).select_by_visible_text("outdated")
    assert [row[:2] for row in page.rows()] == [
        ["2013-02-01 00:00 -05:00", "2013-02-02 00:00 -05:00"]
    ]
    Select(page.control("Status")).select_by_visible_text("all")
    page.control("Key contains").send_keys("b6")
    assert [row[2:6] for row in page.rows()] == [["carrier_day · B6", "70", "90.25", "1"]]
    page.control("Key contains").send_keys(Keys.BACKSPACE * 2)
    page.button("found").click()
    assert [row[3] for row in page.rows()] == ["60", "70", "71", "78"]
    page.button("found").click()
    assert [row[3] for row in page.rows()] == ["78", "71", "70", "60"]


def test_alerts_are_filtered(show: Show) -> None:
    page = show(view="alerts")
    assert len(page.rows()) == 3
    Select(page.control("Accepted")).select_by_visible_text("not yet")
    assert [row[1] for row in page.rows()] == ["completed", "new"]
    Select(page.control("Kind")).select_by_visible_text("new")
    assert [row[2] for row in page.rows()] == [f"carrier_day · {HOSTILE}"]
    assert page.rows()[0][-2:] == ["open", "nobody yet"]


def test_what_is_left_of_a_project_is_shown(show: Show) -> None:
    page = show(view="engines")
    assert HOSTILE in page.text()
    page.tab("Unused rows")
    assert page.rows() == [["s.flights_late", "older than the one before it", "58"]]
    assert "No rows in landing.weather_quarantine." in page.text()
    empty = REPORT | {key: [] for key, value in REPORT.items() if isinstance(value, list)}
    page = show(empty)
    assert (
        page.text() == "This project has no aggregation, no table of time weights and no detector."
    )
    page.tab("Unused rows")
    assert "None." in page.text()
    assert page.errors() == []


def test_arrows_move_between_views_and_the_address_keeps_the_view(show: Show) -> None:
    page = show(view="windows")
    tab = page.driver.find_element(By.CSS_SELECTOR, "[role=tab][aria-selected=true]")
    assert tab.text == "Windows"
    tab.send_keys(Keys.ARROW_RIGHT)
    assert page.driver.switch_to.active_element.text == "Engines"
    page.until(lambda: page.driver.current_url.endswith("#engines"))
    assert page.driver.find_elements(By.CSS_SELECTOR, "[role=tab][tabindex='0']") == [
        page.driver.switch_to.active_element
    ]


def test_there_is_a_dark_theme_and_a_light_one(show: Show) -> None:
    page = show()
    page.until(lambda: bool(page.panel.find_elements(By.CSS_SELECTOR, ".chart canvas")))
    colour = "return getComputedStyle(document.body).backgroundColor"
    before = page.driver.execute_script(colour)
    page.driver.find_element(By.ID, "theme").click()
    assert page.driver.execute_script(colour) != before
    page.driver.find_element(By.ID, "theme").click()
    assert page.driver.execute_script(colour) == before
    assert page.errors() == []

"""Pictures of each view of a report, for docs/report.md: docs/images/report_<view>.png.

    .venv/bin/python scripts/draw_report.py target/strandline_report.html

Needs Debian's Chromium (scripts/browser.sh).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.chromium import chromium

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1200, 900
PHONE = (390, 844)
SHOWN = "carrier_day · UA"  # the incident of the demo that is opened
SECONDS_TO_DRAW = 4


def main(report: Path) -> None:
    with chromium(WIDTH, HEIGHT) as driver:
        driver.get(report.resolve().as_uri())
        for tab in driver.find_elements(By.CSS_SELECTOR, "[role=tab]"):
            tab.click()
            name = tab.text.split("\n")[0].lower().replace(" ", "_")
            if name == "now":
                periods = driver.find_element(
                    By.CSS_SELECTOR, "[role=tabpanel]:not([hidden]) select"
                )
                Select(periods).select_by_visible_text("The last 30 days")
            save(driver, name)
        driver.get(report.resolve().as_uri() + "#anomalies")
        driver.find_element(By.LINK_TEXT, SHOWN).click()
        save(driver, "incident")
        driver.find_element(By.LINK_TEXT, "In its series").click()
        save(driver, "series")
    with chromium(*PHONE) as driver:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True,
        })  # fmt: skip
        driver.get(report.resolve().as_uri() + "#anomalies")
        driver.find_element(By.LINK_TEXT, SHOWN).click()
        driver.find_element(By.LINK_TEXT, "In its series").click()
        save(driver, "phone")


def save(driver: Any, name: str) -> None:
    time.sleep(SECONDS_TO_DRAW)
    driver.save_screenshot(str(IMAGES / f"report_{name}.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

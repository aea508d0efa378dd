"""Pictures of each view of a report, for docs/report.md: docs/images/report_<view>.png.

    .venv/bin/python scripts/draw_report.py target/strandline_report.html

Needs Debian's Chromium (scripts/browser.sh).
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1200, 900
SECONDS_TO_DRAW = 4


def main(report: Path) -> None:
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    driver_path = shutil.which("chromedriver")
    with webdriver.Chrome(options=options, service=Service(driver_path)) as driver:
        driver.set_window_size(WIDTH, HEIGHT)
        driver.get(report.resolve().as_uri())
        for tab in driver.find_elements(By.CSS_SELECTOR, "[role=tab]"):
            tab.click()
            time.sleep(SECONDS_TO_DRAW)
            name = tab.text.split("\n")[0].lower().replace(" ", "_")
            driver.save_screenshot(str(IMAGES / f"report_{name}.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

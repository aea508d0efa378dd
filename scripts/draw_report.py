"""Pictures of each view of a report, for docs/report.md: docs/images/report_<view>.png.

    .venv/bin/python scripts/draw_report.py target/strandline_report.html

Needs Debian's Chromium (scripts/browser.sh).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from selenium.webdriver.common.by import By

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.chromium import chromium

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1200, 900
SECONDS_TO_DRAW = 4


def main(report: Path) -> None:
    with chromium(WIDTH, HEIGHT) as driver:
        driver.get(report.resolve().as_uri())
        for tab in driver.find_elements(By.CSS_SELECTOR, "[role=tab]"):
            tab.click()
            time.sleep(SECONDS_TO_DRAW)
            name = tab.text.split("\n")[0].lower().replace(" ", "_")
            driver.save_screenshot(str(IMAGES / f"report_{name}.png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Debian's Chromium without a window, for the tests of the report and for pictures of it."""

from __future__ import annotations

import shutil

from selenium import webdriver


def chromium(width: int, height: int) -> webdriver.Chrome:
    """A browser; as a context manager it ends with the block."""
    options = webdriver.ChromeOptions()
    size = f"--window-size={width},{height}"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", size):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)

"""Debian's Chromium without a window, and a report that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from tests.browser.chromium import chromium
from tests.browser.example import REPORT

from strandline.report.page import page_of

SECONDS = 20


class Page:
    """A report in the browser, by what a person sees of it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def tab(self, name: str) -> None:
        self.driver.find_element(By.XPATH, f"//*[@role='tab'][text()='{name}']").click()

    @property
    def panel(self) -> WebElement:
        """The open view."""
        return self.driver.find_element(By.CSS_SELECTOR, "[role=tabpanel]:not([hidden])")

    def text(self) -> str:
        return self.panel.text

    def button(self, name: str) -> WebElement:
        return self.panel.find_element(By.XPATH, f".//button[text()='{name}']")

    def control(self, label: str) -> WebElement:
        """The select or the field with this label."""
        path = (
            f".//label[starts-with(normalize-space(.), '{label}')]/*[self::select or self::input]"
        )
        return self.panel.find_element(By.XPATH, path)

    def rows(self) -> list[list[str]]:
        """The first table of the open view."""
        table = self.panel.find_element(By.TAG_NAME, "table")
        return [
            [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
            for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")
        ]

    def until(self, is_so: Callable[[], bool]) -> None:
        WebDriverWait(self.driver, SECONDS).until(lambda _: is_so())

    def errors(self) -> list[str]:
        """What the console says, and what the page's own policy has stopped."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    with chromium(1300, 900) as made:
        yield made


@pytest.fixture
def show(driver: webdriver.Chrome, tmp_path: Path) -> Callable[..., Page]:
    """Opens a report, the example if no other is given, at one of its views."""

    def shown(report: dict[str, Any] = REPORT, view: str = "series") -> Page:
        file = tmp_path / "report.html"
        file.write_text(page_of(report), encoding="utf-8")
        driver.get("about:blank")
        driver.get_log("browser")
        driver.get(f"{file.as_uri()}#{view}")
        return Page(driver)

    return shown

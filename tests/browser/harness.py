"""What the browser tests share: the built site, and a browser that tells what a page said and requested.

Belongs here: classes and constants that tests import. Does not belong here: fixtures (`conftest`).
"""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException

WORDS_OF_A_FAULT = re.compile(r"\b(undefined|NaN|Infinity|null|None)\b|\[object")


@dataclass(frozen=True)
class Built:
    """The published output: the database, and the site in a folder whose path has blanks and other letters."""

    database: Path
    site: Path


class Browser:
    """A browser at one site; every page is asked what it logged and what it requested."""

    def __init__(self, driver: webdriver.Chrome, site: Path) -> None:
        self.driver = driver
        self.base = site.as_uri() + "/"

    def open(self, address: str, base: str | None = None) -> None:
        """Open a page of the site in a fresh document, by a path below the base."""
        self.driver.get("about:blank")
        self.driver.get((base or self.base) + address)

    def js(self, script: str, *arguments: Any) -> Any:
        """Run a function body in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any, seconds: float = 15) -> Any:
        """Wait until a function body returns something true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.js(script, *arguments)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"never true: {script}")

    def size(self, width: int, height: int) -> None:
        """Lay pages out for a screen of this size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def colours(self, scheme: str) -> None:
        """The colour scheme that the system asks for."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def draw_all(self) -> None:
        """Scroll through the page until every chart is drawn."""
        self.js("for (const d of document.querySelectorAll('details')) d.open = true;")
        for index in range(self.js("return document.querySelectorAll('.chart').length")):
            self.js("document.querySelectorAll('.chart')[arguments[0]].scrollIntoView({block: 'center'})", index)
            self.wait("return document.querySelectorAll('.chart')[arguments[0]].querySelector('svg.marks')", index)

    def logged(self) -> list[str]:
        """What the console said since the last question."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def requested(self) -> list[str]:
        """Addresses that were requested since the last question."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def has_dialog(self) -> bool:
        """Whether the page has opened a dialog."""
        try:
            self.driver.switch_to.alert.dismiss()
        except NoAlertPresentException:
            return False
        return True

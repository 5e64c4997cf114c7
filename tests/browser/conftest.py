"""One small site, built once by the real job from a raw folder of its own, and one real browser that looks at it.

Belongs here: the site, the browser, what a page said while it loaded. Does not belong here: what must hold (the tests
beside this file).
"""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import raw_folder
from browser.harness import Browser, Built
from selenium import webdriver

from pipelines.cli_build import run_build

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1440,900",
)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the fixture folder once with the main job."""
    top = tmp_path_factory.mktemp("pages")
    raw = raw_folder.write(top / "raw")
    out = top / "out"
    assert run_build([raw], out) == 0
    moved = top / "Größe & Ähre, 100% site"
    shutil.copytree(out / "site", moved)
    return Built(out / "hammerhouse.duckdb", moved)


@pytest.fixture(scope="session")
def served(built: Built) -> Iterator[str]:
    """The same site from `hammerhouse serve`: its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        Path(sys.executable).parent / "hammerhouse",
        "serve",
        "--out",
        built.database.parent,
        "--port",
        str(port),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for_port(port, process)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(20)


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "hammerhouse serve ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("hammerhouse serve does not answer")


@pytest.fixture(scope="session")
def _browser(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver") or "chromedriver")
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Browser(driver, built.site)
    finally:
        driver.quit()


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """The browser at desktop size in the light scheme; after the test nothing may stand in the console."""
    _browser.size(1440, 900)
    _browser.colours("light")
    _browser.driver.get("about:blank")
    _browser.logged()
    _browser.requested()
    yield _browser
    assert not _browser.has_dialog()
    assert _browser.logged() == []

"""One browser for all tests of this folder, and pages that are watched; `tests/browser/__init__.py` is the contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser.chromium import FLAGS
from tests.browser.kit import Watch, chromium


class OpenPage(Protocol):
    """Opens a page from its file."""

    def __call__(
        self, path: Path, width: int = 1280, height: int = 900, dark: bool = False, tail: str = ""
    ) -> Page: ...


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium; stop it, and Playwright's loop, before tests of other folders begin."""
    path = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Watch all pages of a test, which fails at what no page may do."""
    watching = Watch()
    yield watching
    watching.check()


@pytest.fixture
def open_page(browser: Browser, watch: Watch) -> Iterator[OpenPage]:
    """Return what opens pages; they are closed when the test ends."""
    with ExitStack() as open_contexts:

        def open_one(path: Path, width: int = 1280, height: int = 900, dark: bool = False, tail: str = "") -> Page:
            viewport = ViewportSize(width=width, height=height)
            context = browser.new_context(viewport=viewport, color_scheme="dark" if dark else "light", offline=True)
            open_contexts.callback(context.close)
            watch.over(context)
            page = context.new_page()
            page.goto(path.resolve().as_uri() + tail)
            return page

        yield open_one

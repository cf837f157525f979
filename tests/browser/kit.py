"""The browser that tests drive, what pages are watched for, and what axe-core says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

from tests.browser.chromium import browser_path

MISSING = "no Chromium is installed: apt-get install chromium"
AT_HOME = ("file", "data", "blob", "about")
"""Schemes of addresses that lie in the page itself, or beside it."""


def chromium() -> str:
    """Return the path of the system's own browser; a test that asks for one that is missing is skipped."""
    return browser_path() or pytest.skip(MISSING)


@dataclass
class Watch:
    """What pages did that no page of ours may do: a sentence each, in the order in which it was seen."""

    faults: list[str] = field(default_factory=list)

    def over(self, context: BrowserContext) -> None:
        """Watch all pages of a context, also those that it opens later."""
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", self._thrown)
        context.on("page", lambda page: page.on("websocket", self._socket))

    def check(self) -> None:
        """Say what was seen, and forget it.

        Raises
        ------
        AssertionError
            A page asked for something outside of it, or there was an error in it.
        """
        faults, self.faults = self.faults, []
        assert not faults, "\n".join(faults)

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in AT_HOME:
            self.faults.append(f"asks for {request.url}")

    def _socket(self, socket: WebSocket) -> None:
        self.faults.append(f"asks for {socket.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"logs an error: {message.text}")

    def _thrown(self, error: WebError) -> None:
        self.faults.append(f"throws {error.error}")


def axe_violations(page: Page) -> list[str]:
    """Return each rule of axe-core that the page breaks as it is now: its id, how grave, what it asks, and where."""
    rules = Axe().run(page).response["violations"]
    return [f"{rule['id']} ({rule['impact']}): {rule['help']}: {_places(rule['nodes'])}" for rule in rules]


def _places(nodes: list[dict[str, list[str]]]) -> str:
    return ", ".join(" ".join(map(str, node["target"])) for node in nodes)

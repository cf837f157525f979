"""The system's own Chromium: where it is, and how it is started so that it asks nobody for anything."""

from __future__ import annotations

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def browser_path() -> str | None:
    """Return the path of the system's own browser, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)

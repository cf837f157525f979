"""Draws the pictures of the documentation anew: `python -m tests.browser.pictures`, or `make pictures`.

Each is what Chromium shows of a page; letters depend on the fonts of the machine, so that nothing compares them.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.chromium import FLAGS, browser_path
from tests.docs.live_pages import ANSWERED, LIVE_PAGES, make_all
from tests.docs.pages import DOCS, ROOT

SIZE = ViewportSize(width=1000, height=640)
FRONT, FRONT_SIZE = ROOT / "reports" / "warforged" / "index.html", ViewportSize(width=720, height=970)
"""The report that the README shows, and how much of it."""
COLOURS = 128


def main() -> None:
    """Make the pages in a folder of their own, and draw them."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        pages = zip(LIVE_PAGES, make_all(Path(folder)), strict=True)
        for live, file in ((live, file) for live, file in pages if not live.is_listed):
            page.goto(file.as_uri())
            if live.answers:
                page.locator(ANSWERED).wait_for(timeout=60_000)
            draw(page, live.picture)
        page.set_viewport_size(FRONT_SIZE)
        page.goto(FRONT.as_uri())
        draw(page, DOCS / "images" / "report-warforged.png")


def draw(page: Page, picture: Path) -> None:
    """Draw what is seen of a page as a picture of few colours."""
    page.wait_for_timeout(300)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    image.save(picture, optimize=True)
    print(picture.relative_to(DOCS), picture.stat().st_size)


if __name__ == "__main__":
    main()

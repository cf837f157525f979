"""The browser tests' own tools notice what they are there to notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.kit import MISSING, Watch, axe_violations, chromium

SOUND = "<!doctype html><html lang=en><meta charset=utf-8><title>A page</title><main><h1>A page</h1>{}</main></html>"
BESIDE = "<img alt='a dot' src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC'>"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A page without a fault."""
    return page_with(tmp_path, BESIDE)


def page_with(folder: Path, body: str) -> Path:
    file = folder / "a page.html"
    file.write_text(SOUND.format(body), "utf-8")
    return file


def test_a_sound_page_opens_as_it_is_asked_for(open_page: OpenPage, written: Path) -> None:
    page = open_page(written, width=390, height=700, dark=True, tail="?a=1#b")
    assert page.evaluate("[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]") == [
        390,
        700,
        True,
    ]
    assert page.url.endswith("/a%20page.html?a=1#b")
    assert axe_violations(page) == []


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("<img alt='' src='http://127.0.0.1:9/x'>", "asks for http://127.0.0.1:9/x"),
        ("<link rel=stylesheet href='https://fonts.example/x.css'>", "asks for https://fonts.example/x.css"),
        ("<script>new WebSocket('ws://127.0.0.1:9/w')</script>", "asks for ws://127.0.0.1:9/w"),
        ("<script>new Worker(URL.createObjectURL(new Blob(['fetch(\"http://127.0.0.1:9/w\")'])))</script>", ":9/w"),
        ("<script>console.error('not so')</script>", "logs an error: not so"),
        ("<script>throw Error('thrown here')</script>", "throws thrown here"),
    ],
    ids=["picture", "style", "socket", "worker", "error", "thrown"],
)
def test_what_no_page_may_do_is_noticed(
    open_page: OpenPage, watch: Watch, tmp_path: Path, body: str, seen: str
) -> None:
    page = open_page(page_with(tmp_path, body))
    for _ in range(100):  # what a page does is told some time later
        if any(seen in fault for fault in watch.faults):
            break
        page.wait_for_timeout(50)
    page.context.close()  # nothing is told after that
    with pytest.raises(AssertionError, match=seen):
        watch.check()


def test_axe_notices_what_nobody_can_read(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(page_with(tmp_path, f"<p style='color:#aaa'>pale</p>{BESIDE.replace('alt', 'data-alt')}"))
    assert [fault.split(":")[0] for fault in axe_violations(page)] == [
        "color-contrast (serious)",
        "image-alt (critical)",
    ]


@pytest.mark.slow("test_a_sound_page_opens_as_it_is_asked_for")
def test_without_a_browser_it_is_said_how_to_install_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match=MISSING):
        chromium()

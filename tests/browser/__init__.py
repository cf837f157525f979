"""Pages as a reader has them: opened in Chromium, offline, from a file.

A test of a page in a browser stands in this folder and asks for the fixture `open_page`:

    def test_the_page_is_sound(open_page):
        page = open_page(ROOT / "reports/warforged/index.html", width=390, dark=True)
        assert axe_violations(page) == []
        page.get_by_role("button", name="Sort").press("Enter")

* `open_page(path, width=1280, height=900, dark=False) -> Page` opens a file as `file://` in a context of its own and
  waits until it has loaded. What follows the name may be added: `open_page(path, tail="#a=1")`. The page is
  Playwright's, `playwright.sync_api.Page`.
* `axe_violations(page) -> list[str]`, of `tests.browser.kit`, has axe-core read the page: a sentence for each rule that
  is broken.
* A page that asks for anything but `file:`, `data:` and `blob:`, logs an error, or throws one, fails its test when that
  ends. The fixture `watch` holds what was seen so far; `watch.check()` says it at once, and forgets it.
* Where there is no Chromium these tests are skipped, and say how to install it. No browser is ever downloaded.

One browser serves all tests of this folder in a process, and is closed before tests elsewhere begin. Until then
Playwright's loop runs in this thread, so that nothing in this folder may call `asyncio.run`: what needs it, such as a
notebook, runs in a process of its own. Opening a page takes a tenth of a second, axe-core two; see `tests/suites.py`
for what must be marked slow.
"""

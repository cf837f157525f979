"""The page of a game answers what the command answers, whatever is typed into it; offline, by keyboard, on a phone."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import balance
from tests.answers.live import TEMPLATES, random_edits, same_as_the_command
from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations

LARGEST = 12_000_000
SLOW = pytest.mark.slow("test_random_edits_equal_the_command")
SETTLED = "number => Number(document.body.dataset.answered) > number && byId('answers').ariaBusy === 'false'"
HIT_WOUND_SAVE = next(file for file in TEMPLATES if file.stem == "hit-wound-save")
HOSTILE = "</script><img src=x onerror='window.ran=1'>"
HOSTILE_GAME = f"""title = "{HOSTILE}"
health = "hp" # {HOSTILE} <!-- <script> javascript:window.ran=1
units = '''
name | hp | dice | keywords
{HOSTILE} | 3 | 2 | x-img
{"W" * 60} | 3 | 1 | reliable
=1+1 "quoted" | 2 | 1 |
'''
[attack]
hits = "me.dice d6 count 4+"
"foe.hp" = "foe.hp - hits"
"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), HIT_WOUND_SAVE)


def written(folder: Path, game: Path) -> Path:
    """Write the page of a game file."""
    balance.page(str(game), out=folder / "page.html", quiet=True)
    return folder / "page.html"


def opened(open_page: OpenPage, file: Path, **more: Any) -> Page:
    page = open_page(file, **more)
    page.wait_for_function(SETTLED, arg=0, timeout=60_000)
    return page


def after(page: Page, deed: Any) -> dict[str, Any]:
    """Do something to the page, and return its answer to the new question."""
    before = page.evaluate("Number(document.body.dataset.answered)")
    deed()
    page.wait_for_function(SETTLED, arg=before, timeout=60_000)
    answer: dict[str, Any] = page.evaluate("answer")
    return answer


def cell(page: Page, row: int, column: int | str) -> Any:
    place = column if isinstance(column, int) else page.evaluate(f"columnOf('{column}')")
    return page.locator(f"#units [data-row='{row}'][data-column='{place}']")


def downloaded(page: Page, button: str) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(download.value.path())


def type_all(page: Page, edits: list[tuple[int, int, str]]) -> None:
    for row, column, text in edits:
        cell(page, row, column).fill(text)


def same_for_random_edits(page: Page, folder: Path, seed: str, many: int) -> None:
    luck, (table, one, other) = random.Random(seed), page.evaluate("[base.table, now.a, now.b]")
    for _ in range(many):
        after(page, lambda: page.evaluate("edit(() => { now = { ...beginning(), choices: {} }; })"))
        answer = after(page, partial(type_all, page, random_edits(luck, table)))
        rows = [row for kind in ("duel", "attack", "kill") for row in answer.get(kind, {}).get("rows", [])]
        shown = page.locator("#answers td b").all_text_contents()
        assert shown == [part["text"] for row in rows for part in row["cells"]]
        saved = folder / "game.toml"
        saved.write_bytes(downloaded(page, "Save the game").read_bytes())
        same_as_the_command(answer, saved, one, other)


def test_random_edits_equal_the_command(open_page: OpenPage, page_file: Path, tmp_path: Path) -> None:
    assert page_file.stat().st_size <= LARGEST
    page = opened(open_page, page_file, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    same_for_random_edits(page, tmp_path, "three", 3)
    assert axe_violations(page) == []


@SLOW
@pytest.mark.parametrize("template", TEMPLATES, ids=[file.stem for file in TEMPLATES])
def test_twenty_edits_of_every_template_equal_the_command(open_page: OpenPage, tmp_path: Path, template: Path) -> None:
    same_for_random_edits(opened(open_page, written(tmp_path, template)), tmp_path, template.stem, 20)


@SLOW
def test_hostile_names_rules_and_links_run_nothing(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(HOSTILE_GAME, "utf-8")
    page = opened(open_page, written(tmp_path, tmp_path / "bad.toml"))
    assert page.locator("h1").text_content() == HOSTILE
    after(page, lambda: cell(page, 1, "name").fill(HOSTILE))
    answer = after(page, lambda: page.locator("#rules").fill(page.evaluate("now.rules") + f"\nx = '{HOSTILE}\x01'"))
    assert answer == {}
    assert page.locator("#sentence").text_content() == ""
    assert page.locator("#faults").is_visible()
    page.evaluate(
        "location.hash = packedText({ t: [['id', 'name', '__proto__'], ['a', '<b>', 'javascript:1']], a: '<img>' })"
    )
    page.wait_for_timeout(300)
    page.evaluate("location.hash = 'nonsense'")
    page.wait_for_timeout(300)
    assert page.evaluate("[window.ran, document.images.length]") == [None, 0]
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@SLOW
def test_what_is_too_large_is_simulated_and_can_be_stopped(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "long.toml").write_text(
        HOSTILE_GAME.replace("| 3 | 2 |", "| 300 | 6 |").replace("| 3 | 1 |", "| 300 | 6 |"), "utf-8"
    )
    page = open_page(written(tmp_path, tmp_path / "long.toml"))
    page.get_by_text("simulated trials").first.wait_for(timeout=120_000)
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped:").wait_for()
    assert page.locator("#duel td b").first.inner_text().endswith("%")
    assert " to " in page.locator("#duel td .ends").first.inner_text()
    assert not page.locator("#even").is_visible()
    answer = after(page, lambda: type_all(page, [(0, page.evaluate("columnOf('hp')"), "3")]))
    assert answer["duel"]["trials"] == 0


@SLOW
def test_links_and_the_way_back_hold_what_was_edited(open_page: OpenPage, page_file: Path) -> None:
    page = opened(open_page, page_file)
    printed = page.evaluate("answer.duel.sentence")
    skill = cell(page, 0, "skill")
    answer = after(page, lambda: skill.fill("3"))
    skill.press("Enter")
    tail = "#" + page.url.partition("#")[2]
    assert len(tail) < 40
    assert answer["duel"]["sentence"] != printed
    other = opened(open_page, page_file, tail=tail)
    assert other.evaluate("answer.duel.sentence") == answer["duel"]["sentence"]
    assert after(page, lambda: page.go_back())["duel"]["sentence"] == printed
    assert cell(page, 0, "skill").input_value() == "4"
    after(page, lambda: page.get_by_role("button", name="Duplicate Brute").click())
    assert page.locator("#a option").all_text_contents()[-1] == "Brute 2"
    assert after(page, lambda: page.get_by_role("button", name="Remove Hunters").click())["duel"]["sentence"] == printed
    tail = "#" + page.url.partition("#")[2]
    assert opened(open_page, page_file, tail=tail).locator("#units tbody tr").count() == 4


@SLOW
def test_a_table_goes_out_and_comes_in(open_page: OpenPage, page_file: Path, tmp_path: Path) -> None:
    page = opened(open_page, page_file)
    after(page, lambda: cell(page, 0, "skill").fill("3"))
    csv = downloaded(page, "Save as CSV").read_text("utf-8")
    rules = page.evaluate("now.rules")
    (tmp_path / "units.csv").write_text(csv, "utf-8")
    (tmp_path / "game.toml").write_text(f'units = "units.csv"\n{rules}', "utf-8")
    same_as_the_command(page.evaluate("answer"), tmp_path / "game.toml", "raiders", "guard")
    page.locator("#reading summary").click()
    lines = (
        csv.replace("hateful; tough", "tough")
        .replace(",", ";")
        .replace("Raiders", "Predoni")
        .replace(";80;", ";80,0;")
        .splitlines()
    )
    page.locator("#pasted").fill("\n".join(lines))
    answer = after(page, lambda: page.get_by_role("button", name="Read it").click())
    assert "Predoni" in answer["duel"]["sentence"]
    page.locator("#pasted").fill("id\n")
    page.get_by_role("button", name="Read it").click()
    page.locator("#read-faults, #faults").filter(visible=True).first.wait_for()


@SLOW
def test_faults_stand_at_their_place_and_nothing_old_under_them(open_page: OpenPage, page_file: Path) -> None:
    page = opened(open_page, page_file)
    rules = page.evaluate("now.rules")
    after(page, lambda: page.locator("#rules").fill(rules.replace("roll count me.skill+", "roll cuont me.skill+")))
    fault = page.locator("#rule-faults .fault").first
    assert "^cuont" in str(fault.text_content()) and "did you mean count?" in str(fault.text_content())
    assert page.locator(".answer:visible, #asked:visible, #matrix table").count() == 0
    row = next(n for n, line in enumerate(rules.split("\n"), start=1) if "roll count me.skill+" in line)
    assert page.locator("#lines .bad").all_text_contents() == [str(row)]
    fault.click()
    assert "cuont" in page.evaluate(
        "getSelection().toString() || rules.value.slice(rules.selectionStart, rules.selectionEnd)"
    )
    after(page, lambda: page.locator("#rules").fill(rules))
    assert page.locator("#duel").is_visible()
    after(page, lambda: cell(page, 1, "save").fill("x"))
    assert cell(page, 1, "save").get_attribute("aria-invalid") == "true"


@SLOW
def test_the_field_and_an_even_match(open_page: OpenPage, page_file: Path) -> None:
    page = opened(open_page, page_file)
    page.get_by_text("A typical duel of this field is").wait_for(timeout=60_000)
    shares = page.locator("#matrix tbody button")
    assert shares.count() == 12
    first, back = (float(shares.nth(place).inner_text().rstrip("%")) for place in (1, 6))
    assert first + back == pytest.approx(100, abs=0.11)
    after(page, lambda: shares.nth(1).click())
    assert [page.locator(f"#{side}").input_value() for side in "ab"] == ["raiders", "hunters"]
    page.get_by_role("button", name="Make these two even").click()
    apply = page.get_by_role("button", name="Apply").first
    apply.wait_for(timeout=60_000)
    score = page.evaluate("Number.parseFloat(document.querySelector('#changes td:nth-child(3)').textContent)")
    wins = after(page, lambda: apply.click())["duel"]["p_win"]
    assert 100 * (wins["a"] + wins["draw"] / 2) == pytest.approx(score, abs=0.051)


@SLOW
@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_by_keyboard_alone_on_any_screen(open_page: OpenPage, page_file: Path, width: int, dark: bool) -> None:
    page = opened(open_page, page_file, width=width, dark=dark)
    page.get_by_text("A typical duel of this field is").wait_for(timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe_violations(page) == []
    reached = set()
    for _ in range(90):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.ariaLabel || document.activeElement.id"))
    assert {"a", "b", "swap", "even", "rules", "skill of Raiders", "Remove Brute", "csv"} <= reached
    cell(page, 0, "skill").focus()
    before = page.locator("#sentence").text_content()
    page.keyboard.press("Control+A")
    after(page, lambda: page.keyboard.type("2"))
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel") == "skill of Guard"
    assert page.locator("#sentence").text_content() != before
    cell(page, 0, "skill").focus()
    after(page, lambda: page.keyboard.press("Escape"))
    assert page.locator("#sentence").text_content() == before
    assert axe_violations(page) == []

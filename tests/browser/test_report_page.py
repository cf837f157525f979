"""A report in a browser: marks tell their numbers, each table is a file, long ones are searched, nobody is shut out."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page

from balance.cli.main import main
from balance.game.registry import GAMES
from balance.reporting import Cell, Column, Document, Figure, HeatMap, Section, Table, table
from balance.reporting.build import build_document
from balance.reporting.figures.ranges import Range, plot_ranges
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.page.html import render_html
from balance.study.run.folder import load_run
from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations
from tests.packaging.checkout import ROOT
from tests.reporting.golden_pages import PAGES
from tests.reporting.manifests import PUBLISHED as RUNS

COSTS = [
    Range("Ox", 20.0, 24.123456, 30.0, "under", "too cheap"),
    Range('Elf, "the" =tall', 5.0, 4.0, 6.0, "fair", "fair"),
    Range("Whisper", 18.0, 7.0, 9.0, "over", "too dear"),
]


PUBLISHED = sorted((ROOT / "reports").glob("**/index.html"))


def cards(n: int) -> Table:
    columns = [
        Column("Card"), Column("Cost", "right", "as printed", "points"), Column("Chance", "right"), Column("Interval"),
    ]  # fmt: skip
    rows = [
        [Cell(f"Card {at}"), Cell(str(at), at), Cell("33%", 1 / 3), Cell("1 to 2", None, 1.25, 2.5)] for at in range(n)
    ]
    return table(columns, rows, "What cards cost", "All are printed.", "costs")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small report with one of each kind of part."""
    picture = plot_ranges(COSTS, "cost, points", heads=("card", "fair cost, points"))
    chart = Figure(picture, "Costs and fair costs", "What cards cost")
    texts, shades = (("1", "2"), ("3", "–")), ((0.0, 0.5), (1.0, None))
    numbers = ((1.25, 1.0, 1.5), (2.0, None, None)), ((3.0, None, None), (None, None, None))
    heat = HeatMap(("a", "b"), ("c", "d"), texts, shades, "Hits", unit="hits", numbers=numbers)
    facts = (("Game", "Tiny"), ("Catalogue", "0a1b"), ("Seed", "7"))
    blocks = (Section("In one page", "summary", (chart, cards(44))), Section("More", "more", (heat, cards(3))))
    path = tmp_path_factory.mktemp("report") / "index.html"
    path.write_text(render_html(Document("Is it fair?", "", blocks, facts, files=("tables/costs.parquet",))), "utf-8")
    return path


def saved(page: Page, button: str) -> tuple[str, str]:
    """Return the name and the text of the file that a button saves."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button, exact=True).click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes().decode("utf-8")


def rows_of(text: str) -> list[list[str]]:
    assert text.count("\r\n") == text.count("\n")
    return list(csv.reader(text.splitlines(), strict=True))


def test_pointing_at_a_mark_tells_its_numbers(open_page: OpenPage, report: Path) -> None:
    for width in (1280, 390):
        page = open_page(report, width=width)
        marks = page.get_by_role("slider", name="Marks of Figure 1")
        box = marks.bounding_box()
        assert box is not None
        marks.focus()
        ring = page.locator(".ring").bounding_box()
        assert ring is not None
        page.locator("h1").click()
        assert not page.locator(".tip").is_visible()
        page.mouse.move(ring["x"] + ring["width"] / 2 + 30, ring["y"] + ring["height"] / 2)
        assert page.locator(".tip").inner_text().splitlines() == [
            "Ox", "cost, points: 20", "fair cost, points: 24.1 to 30", "too cheap",
        ]  # fmt: skip
        page.mouse.move(0, 0)
        assert not page.locator(".tip").is_visible()


def test_a_part_of_a_bar_tells_its_own_share_from_end_to_end(open_page: OpenPage, tmp_path: Path) -> None:
    """The middle of the small part is nearer, and yet what is pointed at is the large one."""
    picture = plot_shares(["a duel"], ["seat", "chance"], [[0.1, 0.9]], "share of the variance")
    path = tmp_path / "index.html"
    path.write_text(render_html(Document("t", "", (Figure(picture, "a", "c"),))), "utf-8")
    page = open_page(path)
    page.get_by_role("slider").focus()
    middle, y, half = picture.wide_places[0]
    for x, told in ((middle, "seat"), (middle + half - 4, "seat"), (middle + half + 4, "chance")):
        page.get_by_role("slider").hover(position={"x": x, "y": y})
        assert page.locator(".tip").inner_text().splitlines()[:2] == ["a duel", told]


def test_a_finger_on_a_mark_tells_it_too(open_page: OpenPage, report: Path) -> None:
    page = open_page(report, width=390)
    marks = page.get_by_role("slider")
    box = marks.bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] - 1, "pointerType": "touch"}
    marks.dispatch_event("pointerdown", at)
    marks.dispatch_event("pointerleave", at)
    assert page.locator(".tip strong").inner_text() == "Whisper"


def test_the_arrow_keys_walk_over_the_marks_from_one_tab_stop(open_page: OpenPage, report: Path) -> None:
    page = open_page(report)
    marks = page.get_by_role("slider")
    marks.focus()
    told = []
    for key in ("ArrowDown", "End", "ArrowDown", "ArrowUp", "Home"):
        marks.press(key)
        told.append((marks.get_attribute("aria-valuetext") or "").partition(",")[0])
    assert told == ["Elf", "Whisper", "Whisper", "Elf", "Ox"]
    assert page.locator(".tip").is_visible()
    marks.press("Escape")
    assert not page.locator(".tip").is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "CSV of Figure 1"


def test_each_column_of_a_file_holds_numbers_in_a_unit_that_fits_them(open_page: OpenPage, tmp_path: Path) -> None:
    """Shares, what is written out, what is too small to be shown, words among numbers, intervals without their ends."""
    rows: list[list[Cell | str | tuple[str, float]]] = [
        [
            "A",
            Cell("93", 0.928),
            Cell("<1%", 0.0042),
            Cell("64 (22 to 93)", 64.3, 22.0, 92.8),
            "62 to 66",
            "1",
            "1,200",
        ],
        ["B", Cell("44", 0.443), Cell("33%", 1 / 3), Cell("in force", -1.0), "–", "7, 11", "−5"],
    ]
    heads = ["Card", "best, %", "Chance", "today, %", "interval, %", "cards", "Stated"]
    heat = HeatMap(
        ("r",), ("1 hit", "Mean hits"), (("<1%", "1.33"),), ((None, None),), "Chances", unit="share",
        numbers=(((0.004, None, None), (4 / 3, None, None)),),
    )  # fmt: skip
    path = tmp_path / "index.html"
    path.write_text(render_html(Document("t", "", (table(heads, rows, "c"), heat))), "utf-8")
    page = open_page(path)
    head, one, other = rows_of(saved(page, "CSV of Table 1")[1])
    assert dict(zip(head, zip(one, other, strict=True), strict=True)) == {
        "Card": ("A", "B"),
        "best (share)": ("0.928", "0.443"),
        "Chance (share)": ("0.0042", "0.333333333"),
        "today, %": ("64.3", ""),
        "today, %, lower": ("22", ""),
        "today, %, upper": ("92.8", ""),
        "today, %, in words": ("", "in force"),
        "interval, %, lower": ("62", ""),
        "interval, %, upper": ("66", ""),
        "cards": ("1", "7, 11"),
        "Stated": ("1200", "-5"),
    }
    assert rows_of(saved(page, "CSV of Table 2")[1]) == [
        ["name", "1 hit (share)", "Mean hits"],
        ["r", "0.004", "1.33333333"],
    ]


def test_a_figure_is_a_file_of_its_numbers(open_page: OpenPage, report: Path) -> None:
    name, text = saved(open_page(report), "CSV of Figure 1")
    assert name == "is-it-fair-figure-1.csv"
    assert rows_of(text) == [
        ["card", "cost, points", "fair cost, points, lower", "fair cost, points, upper", "verdict"],
        ["Ox", "20", "24.123456", "30", "too cheap"],
        ['Elf, "the" =tall', "5", "4", "6", "fair"],
        ["Whisper", "18", "7", "9", "too dear"],
    ]


def test_a_table_is_a_file_with_all_digits_units_and_ends_of_intervals(open_page: OpenPage, report: Path) -> None:
    page = open_page(report)
    name, text = saved(page, "CSV of Table 3")
    head, *rows = rows_of(text)
    assert name == "is-it-fair-table-3.csv"
    assert head == ["Card", "Cost (points)", "Chance (share)", "Interval, lower", "Interval, upper"]
    assert rows == [[f"Card {at}", str(at), "0.333333333", "1.25", "2.5"] for at in range(3)]
    head, *rows = rows_of(saved(page, "CSV of Table 2")[1])
    assert head == ["name", "c (hits)", "c, lower (hits)", "c, upper (hits)", "d (hits)"]
    assert rows == [["a", "1.25", "1", "1.5", "2"], ["b", "3", "", "", ""]]
    link = page.get_by_role("link", name="Parquet of Table 3")
    assert link.get_attribute("href") == "tables/costs.parquet"


def test_a_text_that_a_spreadsheet_would_work_out_stays_a_text(open_page: OpenPage, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    rows = table(["Card", "Note"], [["=1+1", "-5"], ["@sum", "a\tb"]], "c")
    path.write_text(render_html(Document("t", "", (rows,))), "utf-8")
    assert rows_of(saved(open_page(path), "CSV of Table 1")[1])[1:] == [["'=1+1", "-5"], ["'@sum", "a b"]]


def test_a_file_beside_says_where_the_numbers_come_from(open_page: OpenPage, report: Path) -> None:
    name, text = saved(open_page(report), "About Table 1")
    about = json.loads(text)
    assert name == "is-it-fair-table-1.json"
    assert about["report"] == "Is it fair?"
    assert about["shows"] == "Table 1. What cards cost"
    assert about["source"] == {"Game": "Tiny", "Catalogue": "0a1b", "Seed": "7"}
    assert (about["rows"], about["columns"][1], about["meaning"]) == (44, "Cost (points)", {"Cost": "as printed"})
    assert about["table"] == "tables/costs.parquet"


def test_a_long_table_is_searched_and_says_how_many_rows_are_left(open_page: OpenPage, report: Path) -> None:
    page = open_page(report)
    fields = page.get_by_role("searchbox")
    assert [fields.nth(at).evaluate("field => field.labels[0].innerText.trim()") for at in range(fields.count())] == [
        "Search Table 1"
    ]
    field = page.get_by_label("Search Table 1")
    count, shown = page.get_by_role("status"), page.locator("#table-1 tbody tr:visible")
    assert count.inner_text() == "44 rows"
    field.press_sequentially("card 4")
    assert (count.inner_text(), shown.count()) == ("8 of 44 rows", 8)
    button = page.locator("#table-1").get_by_role("button", name="Cost")
    button.press("Enter")
    button.press("Enter")
    assert shown.locator("th").all_inner_texts() == [f"Card {at}" for at in (43, 42, 41, 40, 34, 24, 14, 4)]
    field.fill("no such card")
    assert (count.inner_text(), shown.count()) == ("0 of 44 rows", 0)
    assert len(rows_of(saved(page, "CSV of Table 1")[1])) == 45


def test_nobody_is_shut_out(open_page: OpenPage, report: Path) -> None:
    page = open_page(report, width=390, dark=True)
    page.get_by_role("slider").focus()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_two_people_can_read_a_change_over_a_call(open_page: OpenPage, tmp_path: Path) -> None:
    from balance.reporting.changes.comparison import write_comparison
    from tests.reporting.test_comparison import TERMS, found

    page = open_page(write_comparison(found(), TERMS, tmp_path, ["html"])[0], width=390, height=800)
    assert page.locator("img").first.evaluate("img => img.getBoundingClientRect().top") < 700
    page.get_by_role("slider").focus()
    assert page.locator(".tip").inner_text().splitlines()[0::4] == ["Knight", "Knight: health 5 → 6"]
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_text("All numbers, as files").click()
    assert (tmp_path / (page.get_by_role("link", name="changes.parquet").get_attribute("href") or "")).is_file()
    assert rows_of(saved(page, "CSV of Figure 1")[1])[0][-1] == "why"


LOG = "first,second,winner\nElves,Orcs,Elves\nOrcs,Elves,Elves\nElves,Imps,Imps\nImps,Orcs,Orcs\n"
OTHER_PAGES = {
    "dice": ["dice", "2d6", "3d6 keep 2"],
    "chances": ["dice", "5d10 count >=7 vs 4d10 count >=7"],
    "ratings": ["rate", "log.csv"],
    "trial": ["replay", "immortal_souls", "encounter", "ecarus,auriel", "ambush"],
    "battle": ["replay", "battlelore", "battle", "agincourt"],
}


@pytest.mark.slow("test_nobody_is_shut_out")
@pytest.mark.parametrize("asked", OTHER_PAGES.values(), ids=OTHER_PAGES)
def test_other_pages_begin_with_a_picture_and_shut_nobody_out(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG, "utf-8")
    assert main([*asked, "--page", "page.html"]) == 0
    for width, dark in ((1280, False), (390, True)):
        page = open_page(tmp_path / "page.html", width=width, height=800, dark=dark)
        assert axe_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("img, svg").first.evaluate("drawn => drawn.getBoundingClientRect().top") < 600


@pytest.mark.slow("test_nobody_is_shut_out")
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, False), (390, True)])
@pytest.mark.parametrize("page_path", PUBLISHED, ids=lambda path: path.parent.name)
def test_a_published_report_shuts_nobody_out(open_page: OpenPage, page_path: Path, width: int, dark: bool) -> None:
    page = open_page(page_path, width=width, dark=dark)
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("page_path", PUBLISHED, ids=lambda path: path.parent.name)
def test_the_first_screen_of_each_published_report_has_a_chart(open_page: OpenPage, page_path: Path) -> None:
    page = open_page(page_path, width=1280, height=800)
    box = page.locator("img").first.bounding_box()
    assert box is not None
    assert box["y"] + min(box["height"], 200) <= 800


EVERY_CSV = """async () => {
    const blobs = [], files = {};
    URL.createObjectURL = blob => { blobs.push(blob); return "#"; };
    HTMLAnchorElement.prototype.click = () => {};
    for (const button of document.querySelectorAll(".data button")) {
        if (!button.textContent.startsWith("CSV")) continue;
        button.click();
        files[button.textContent.slice("CSV of ".length)] = await blobs.pop().text();
    }
    return files;
}"""
"""Returns the files that all CSV buttons of a page save, by table or figure."""
DRESSED = re.compile(
    r"[<>≈~±+−-]?\s?[\d.,]+\s?(%|pp)?(\s?[±(].*)?|[+−-]?[\d.,]+\s?(%|pp)? to [+−-]?[\d.,]+\s?(%|pp)?|\[[\d.]+\]"
)
"""A number, or an interval, that is dressed for people."""
WHOLE_LIST = re.compile(r"\d+(, \d+)+")
ENDS = {"(share)": (0.0, 1.0), "(difference of shares)": (-1.0, 1.0)}
SMALL = ("declared", "simulated", "lucky", "match_ups", "comparison_of_armies")


def is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def column_faults(head: str, words: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with a column of a file: two types, numbers as texts, or a unit that they do not fit."""
    numbers = [float(word) for word in words if is_number(word)]
    texts = [word for word in words if not is_number(word)]
    if numbers and any(not WHOLE_LIST.fullmatch(text) for text in texts):
        yield f"{head}: {texts[0]} among numbers"
    if any(DRESSED.fullmatch(text) and not WHOLE_LIST.fullmatch(text) for text in texts):
        yield f"{head}: {texts} are numbers"
    low, high = next((ends for unit, ends in ENDS.items() if unit in head), (-math.inf, math.inf))
    if not all(low <= number <= high for number in numbers):
        yield f"{head}: {min(numbers)} to {max(numbers)}"
    if "%" in head and "share" not in head and len(set(numbers)) > 2 and all(abs(number) <= 1 for number in numbers):
        yield f"{head}: {numbers} are shares"


def page_faults(page: Page) -> list[str]:
    """Return what is wrong with the columns of all files of a page."""
    faults = []
    for name, text in page.evaluate(EVERY_CSV).items():
        head, *rows = rows_of(text)
        assert len(set(head)) == len(head), (name, head)
        columns = ([row[at] for row in rows if row[at]] for at in range(len(head)))
        faults += [f"{name}, {fault}" for column in zip(head, columns, strict=True) for fault in column_faults(*column)]
    return faults


@pytest.mark.parametrize("name", SMALL)
def test_each_column_of_every_file_of_a_report_is_of_one_type_and_fits_its_unit(
    open_page: OpenPage, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    path = tmp_path / "index.html"
    path.write_text(render_html(PAGES[name](tmp_path)), "utf-8")
    assert page_faults(open_page(path)) == []


@pytest.mark.parametrize("folder", RUNS, ids=lambda folder: folder.name)
@pytest.mark.slow("test_each_column_of_every_file_of_a_report_is_of_one_type_and_fits_its_unit")
def test_each_column_of_every_published_file_is_of_one_type_and_fits_its_unit(
    open_page: OpenPage, folder: Path, tmp_path: Path
) -> None:
    """As its tables give it now; `tests/reporting/test_published.py` says whether that is what is published."""
    path = tmp_path / "index.html"
    path.write_text(render_html(build_document(load_run(folder))), "utf-8")
    assert page_faults(open_page(path)) == []


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("Cost", ["1", "<1%"]),
        ("Cost", ["1", "[0.90]"]),
        ("95 %", ["1 to 2"]),
        ("Mean hits (share)", ["1.33"]),
        ("Gain (share)", ["-0.1"]),
        ("best, %", ["0.928", "0.5", "0.4"]),
    ],
)
def test_what_is_wrong_with_a_column_is_noticed(head: str, words: list[str]) -> None:
    assert list(column_faults(head, words))


@pytest.mark.up_to(2.0)
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.parent.name)
def test_on_a_phone_no_table_is_cut(open_page: OpenPage, path: Path) -> None:
    """Rows fold: neither the page nor a part of it is wider than the screen, and each number has its head."""
    page = open_page(path, width=390)
    cut = """() => [...document.querySelectorAll("body, .scroll, figure.wide, table, td, th")]
        .filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth && !part.closest(".hidden")
            || part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map(part => `${part.tagName} ${part.id || part.textContent.slice(0, 40)}`)"""
    assert page.evaluate(cut) == []
    heads = """() => [...document.querySelectorAll(".wide tbody td")]
        .filter(cell => !cell.dataset.head && cell.textContent.trim()).length"""
    assert page.evaluate(heads) == 0


def test_on_a_phone_the_verdict_comes_before_the_numbers(open_page: OpenPage, tmp_path: Path) -> None:
    columns = [Column("Card"), Column("Cost", "right"), Column("Verdict"), Column("Fair", "right")]
    path = tmp_path / "index.html"
    rows: list[list[str | tuple[str, float]]] = [["Ox", ("20", 20.0), "too cheap", ("24", 24.0)]]
    path.write_text(render_html(Document("t", "", (table(columns, rows, "Costs."),))), "utf-8")
    page = open_page(path, width=390)
    tops = [page.get_by_text(text, exact=True).bounding_box() for text in ("Ox", "too cheap", "20", "24")]
    assert None not in tops
    places = [box["y"] for box in tops if box]
    assert places == sorted(places) and places[0] < places[1] < places[2]

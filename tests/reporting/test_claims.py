"""Every superlative on a page, held to the table that it speaks of: it is true there, and who shares it is told.

A superlative that no check here reads, and that no pattern of `test_superlatives` explains, fails.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from balance.answers.blocks.document import Attachment, Document
from balance.game.registry import GAMES
from balance.reporting.build import build_document
from balance.reporting.page.html import render_html
from balance.study.run.folder import load_run
from tests.reporting.claims import PageReader
from tests.reporting.golden_pages import PAGES
from tests.reporting.manifests import PUBLISHED
from tests.reporting.test_superlatives import HARMLESS_WORDS, SUPERLATIVE

SMALL = [name for name in PAGES if name != "pictures" and not name.startswith("variants")]
OF_PLAY = re.compile(
    r"attack the weakest in reach|kills most likely|with the least health left|Of several edges the best counts|"
    r"deals the most damage on average|the least damage of 1 means|strongest player by rule|"
    r"the least and most over all optimal ways to play|"
    r"that agrees? least with|with the widest interval is served first|habits that score most .* first|"
    r"attack anybody in reach",
)
"""What a rulebook or a policy says to do, and orders of rows in the words of a game."""
NUMBER = re.compile(r"([<>]?)\s?([+−-]?)([\d,]*(?:\.(\d+))?)")


@dataclass(frozen=True)
class Report:
    """A report as its reader has it: the page, and by name the tables to download, each a list of rows by column."""

    page: PageReader
    files: Mapping[str, list[dict[str, str]]]

    @classmethod
    def of(cls, document: Document, change: Callable[[str], str] = str) -> Report:
        """Return a report as it is drawn, its page changed by a test."""
        files = {
            block.name: list(csv.DictReader(io.StringIO(block.content.decode("utf-8"))))
            for section in document.blocks
            for block in getattr(section, "blocks", ())
            if isinstance(block, Attachment)
        }
        return cls(PageReader(change(render_html(document))), files)


Numbers = list[tuple[str, float]]
"""Numbers of a table, each with the label of its row."""


def groups_of(rows: list[dict[str, str]]) -> Iterator[Numbers]:
    """Yield the numbers of all cells of a declared table, and of each of its columns."""
    cells = [(row["column"], row["row"], row["value"] or row["beyond"]) for row in rows]
    numbers = [(column, row, float(value)) for column, row, value in cells if value]
    yield [(row, value) for _, row, value in numbers]
    for name in dict.fromkeys(column for column, *_ in numbers):
        yield [(row, value) for column, row, value in numbers if column == name]


def reads_as(value: float, text: str, scale: int) -> bool:
    """Whether a number is short for a text, such as ">99" or "−0.5", in units of 1 / `scale`.

    >>> reads_as(0.996, ">99", 100), reads_as(0.994, ">99", 100), reads_as(-0.0251, "−2.5", 100)
    (True, False, True)
    """
    match, value = NUMBER.match(text), scale * value
    assert match is not None
    bound, sign, digits, decimals = match.groups(default="")
    number, half = float(digits.replace(",", "")) * (-1 if sign in "−-" and sign else 1), 0.5 / 10 ** len(decimals)
    if bound:
        return number + half <= value < scale if bound == ">" else 0 < value < number
    is_certain = scale == 100 and number in (0, 100)  # a chance that is neither is written "<1%" or ">99%"
    return abs(value - number) <= (0.0 if is_certain else half) + 1e-9


# -- what a claim says, and what its table does ------------------------------------------------------------------------


def check_end(claim: re.Match[str], report: Report, section: str) -> bool:
    """Whether some table holds as many numbers, this is their end, as many read the same, and who is named is there."""
    n, who, scale = int(claim["n"].replace(",", "")), claim["who"] or "", 100 if claim["unit"] else 1
    keys: dict[str, Callable[[float], float]] = {"highest": lambda x: x, "lowest": lambda x: -x, "largest": abs}
    n_others = int(match[1]) if (match := re.fullmatch(r"(\d+) others", who)) else 1 if who else 0
    around = claim.string[: claim.start()].rpartition(")")[2] + claim.string[claim.end() :].partition(" (the ")[0]
    tables = [rows for rows in report.files.values() if rows and {"row", "column", "beyond"} <= rows[0].keys()]
    for group in (group for rows in tables for group in groups_of(rows) if len(group) == n):
        if not reads_as(max((value for _, value in group), key=keys[claim["end"]]), claim["value"], scale):
            continue
        places = [row for row, value in group if reads_as(value, claim["value"], scale)]
        is_told = claim["tie"] == "not told apart from" or len(places) == 1 + n_others
        labels = {row for row, _ in group if row in around}
        if is_told and (not labels or labels & set(places)):
            return True
    return False


def check_sizes(claim: re.Match[str], report: Report, section: str) -> bool:
    """Whether the medians of a case lie so far apart, and these sizes have the highest and the lowest."""
    table = next(table for table in report.page.tables_of(section) if table.heads[0][0] == "Encounter")
    at = table.column("median")
    medians = {row[1][0]: int(row[at or 0][0].split(" ")[0]) for row in table.rows if row[0][0] == claim["case"]}
    high, low = max(medians.values()), min(medians.values())
    for words, value in ((claim["easy"], high), (claim["hard"], low)):
        sizes = set(re.findall(r"\d+", words))
        if sizes != {size for size, median in medians.items() if median == value}:
            return False
    return int(claim["n"]) == high - low


def check_strongest(claim: re.Match[str], report: Report, section: str) -> bool:
    """Whether these are all whose scores in the table of strength read as the first and as the last."""
    tables = [table for table in report.page.tables if [head for head, _ in table.heads][-1:] == ["Score"]]
    for table in tables:
        scores = {row[0][0]: row[-1][0] for row in table.rows}
        ends = [
            {name for name, score in scores.items() if score == end}
            for end in (table.rows[0][-1][0], table.rows[-1][-1][0])
        ]
        if [set(re.split(r", | and ", claim[group])) for group in ("high", "low")] == ends:
            return True
    return not tables


def check_most_moved(claim: re.Match[str], report: Report, section: str) -> bool:
    """Whether who is named has the largest change of a score in the tables of scores."""
    changes = {
        row[0][0]: abs(row[at][1] or 0.0)
        for table in report.page.tables_of(section)
        if (at := table.column("Change")) is not None and not table.heads[0][0].startswith("Other")
        for row in table.rows
    }
    names = re.findall(r"for (?:armies of )?([^,]+), from", claim["who"])
    return set(names) == {name for name, change in changes.items() if f"{change:.3f}" == f"{max(changes.values()):.3f}"}


def check_more_than_half(claim: re.Match[str], report: Report, section: str) -> bool:
    return (float(claim["share"]) > 50) == (claim["what"] == "chance")


def check_farthest(claim: re.Match[str], report: Report, section: str) -> bool:
    """Whether it is the first of the changes proposed."""
    return any(
        table.rows[0][0][0] == claim["who"] for table in report.page.tables_of(section) if table.column("Make it")
    )


CHECKS = {
    r"(?P<value>[<>]?\s?[+−]?[\d.,]+)(?P<unit>%| pp)?(?: ±\S+)? \(the (?P<end>highest|lowest|largest) of "
    r"(?P<n>[\d,]+)(?:, either way)?(?:, (?P<tie>shared with|not told apart from) (?P<who>[^)]*))?\)": check_end,
    r"(?:^|; |\. )(?P<case>[^;:]+): (?P<n>\d+) points, easiest with (?P<easy>.+?), hardest with (?P<hard>[^;]+)"
    r"(?=;|\.$)": check_sizes,
    r"the strongest (?:is|are) (?P<high>.+?), (?:each of )?which .* the weakest (?:is|are) (?P<low>.+?) with ":
        check_strongest,
    r"the mean score moves most(?P<who>.*)": check_most_moved,
    r"Most is (?P<what>chance|decided before the first die): (?P<share>[\d.]+)%": check_more_than_half,
    r"Farthest outside what is fair, as a share of its cost, lies (?P<who>.+?)(?: and \d+ others? alike)?: ":
        check_farthest,
}  # fmt: skip
"""How each kind of claim reads, and what must hold of the page for it to be true."""


def faults_of(report: Report) -> Iterator[str]:
    """Yield the claims of a page that the tables do not bear out, and the superlatives that no check reads."""
    for section, sentence in report.page.sentences:
        rest = OF_PLAY.sub("", sentence)
        for pattern, check in CHECKS.items():
            claims = re.finditer(pattern, sentence)
            yield from (f"untrue in {section}: {claim[0]}" for claim in claims if not check(claim, report, section))
            rest = re.sub(pattern, "", rest)
        if SUPERLATIVE.search(HARMLESS_WORDS.sub("", rest)):
            yield f"unread in {section}: {rest}"


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


@pytest.mark.up_to(0.7)
@pytest.mark.parametrize("name", SMALL)
def test_every_superlative_of_a_small_report_is_true_and_untied(name: str, tmp_path: Path) -> None:
    assert list(faults_of(Report.of(PAGES[name](tmp_path)))) == []


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
@pytest.mark.slow("test_every_superlative_of_a_small_report_is_true_and_untied")
def test_every_superlative_of_a_published_report_is_true_and_untied(folder: Path) -> None:
    """As its tables give it now; `test_published` says whether that is what is published."""
    assert list(faults_of(Report.of(build_document(load_run(folder))))) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("declared", "98% (the highest", "97% (the highest"),
        ("declared", "(the highest of 4, shared with Ogre, Ogre)", "(the highest of 4)"),
        ("declared", "the strongest is <strong>Ogre</strong>", "the strongest is <strong>Knight</strong>"),
        (
            "lucky",
            "Most is decided before the first die:</strong> ",
            "Most is decided before the first die:</strong> 7",
        ),
        ("comparison", ", and for Cat, from 66.7% to 50.5%", ""),
        ("alone", "</h1>", "</h1><p>The Knight is the best of them.</p>"),
    ],
    ids=lambda text: re.sub(r"\W+", "-", text)[:20],
)
def test_a_claim_that_is_not_so_is_noticed(name: str, old: str, new: str, tmp_path: Path) -> None:
    def change(html: str) -> str:
        plain = html.replace("\u00a0", " ")
        assert old in plain
        return plain.replace(old, new)

    assert list(faults_of(Report.of(PAGES[name](tmp_path), change)))

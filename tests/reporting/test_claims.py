"""Every superlative on a page, held to the table that it speaks of: it is true there, and who shares it is told.

A superlative that no check here reads, and that no pattern of `test_superlatives` explains, fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from balance.game.registry import GAMES
from balance.reporting.build import build_document
from balance.reporting.page.html import render_html
from balance.study.run.folder import load_run
from tests.reporting.claims import PageReader, PageTable
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
NUMBER = re.compile(r"([<>]?)\s?([+−-]?)([\d,]*\.?\d+)")


def number_of(text: str) -> tuple[str, float] | None:
    """Return a number as it reads, without its unit and its interval, and whether it is a bound."""
    match = NUMBER.match(text)
    return match and (match[1], float(match[3].replace(",", "")) * (-1 if match[2] in ("−", "-") else 1))


Numbers = list[tuple[Sequence[str], tuple[str, float]]]
"""The numbers of a table or column as they read, each with the labels of its row and its column."""


def groups_of(table: PageTable) -> Iterator[Numbers]:
    """Yield the numbers of a whole table, and of each of its columns."""
    columns = []
    for at, (head, _) in enumerate(table.heads[1:], start=1):
        cells = [(row[0][0], row[at]) for row in table.rows if len(row) > at]
        numbers = [((row, head), number) for row, (text, _) in cells if (number := number_of(text)) is not None]
        columns.append(numbers)
    yield [number for column in columns for number in column]
    yield from columns


# -- what a claim says, and what its table does ------------------------------------------------------------------------


def check_end(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether some table holds as many numbers, this is their end, as many read the same, and one named is there."""
    value, end, n = number_of(claim["value"]), claim["end"], int(claim["n"].replace(",", ""))
    assert value is not None
    sizes: dict[str, Callable[[tuple[str, float]], float]] = {
        "highest": lambda number: number[1],
        "lowest": lambda number: -number[1],
        "largest": lambda number: abs(number[1]),
    }
    key = sizes[end]
    around = claim.string[: claim.start()].rpartition(")")[2] + claim.string[claim.end() :].partition(" (the ")[0]
    for group in (group for table in page.tables for group in groups_of(table) if len(group) == n):
        if key(value) < max(key(number) for _, number in group):
            continue
        places = [labels for labels, number in group if number == value]
        who = claim["who"] or ""
        n_others = int(match[1]) if (match := re.fullmatch(r"(\d+) others", who)) else 1 if who else 0
        is_told = claim["tie"] == "not told apart from" or len(places) == 1 + n_others
        labels = {labels[0] for labels, _ in group if labels[0] in around}
        if places and is_told and (not labels or labels & {labels[0] for labels in places}):
            return True
    return False


def check_first_move(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether the first row is this pair, of two that differ if any do, and so many others read the same."""
    (table,) = (table for table in page.tables_of(section) if table.heads[0][0] == "Side")
    gains = [row[4][0] for row in table.rows]
    same = gains.count(claim["gain"]) - 1
    differ = any(row[0][0] != row[1][0] for row in table.rows)
    is_told = same == min(int(claim["n"] or 0), len(gains) - 1)
    is_first = gains[0] == claim["gain"] and table.rows[0][4][1] == max(row[4][1] or 0.0 for row in table.rows)
    return is_told and is_first and (claim["a"] != claim["b"] or not differ)


def check_losses(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether who loses most from the first to the last column are these, and as much."""
    (table,) = page.tables_of(section)
    losses = {row[0][0]: 1 - (row[-1][1] or 0.0) / row[1][1] for row in table.rows if row[1][1]}
    most = max(losses.values())
    names = {name for name, loss in losses.items() if round(100 * loss) == round(100 * most)}
    share = number_of(claim["share"])
    is_share = share is not None and (share[0] == "<" or round(100 * most) == share[1])
    told = set(re.split(r", | and ", claim["who"]))
    return is_share and (names == told if most >= 0.005 else max(losses, key=losses.__getitem__) in told)


def check_sizes(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether the medians of a case lie so far apart, and these sizes have the highest and the lowest."""
    table = next(table for table in page.tables_of(section) if table.heads[0][0] == "Encounter")
    at = table.column("median")
    medians = {row[1][0]: int(row[at or 0][0].split(" ")[0]) for row in table.rows if row[0][0] == claim["case"]}
    high, low = max(medians.values()), min(medians.values())
    for words, value in ((claim["easy"], high), (claim["hard"], low)):
        sizes = set(re.findall(r"\d+", words))
        if sizes != {size for size, median in medians.items() if median == value}:
            return False
    return int(claim["n"]) == high - low


def check_source(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether the source of luck has so large a share in a table, where no other has more."""
    for table in page.tables_of(section):
        at, name = table.column("When rolled" if claim["how"] == "when rolled" else "Alone"), table.column("Source")
        if at is None or name is None:
            continue
        several = [row for row in table.rows if not row[name][0].startswith("several")]
        for pair in {row[0][0] for row in several} if name else {""}:
            shares = {row[name][0]: row[at] for row in several if not name or row[0][0] == pair}
            cell = shares.get(claim["who"].split(",")[0].split(" and ")[0])
            if cell and cell[0].startswith(claim["share"]) and cell[1] == max(x[1] or 0.0 for x in shares.values()):
                return True
    return False


def check_step(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether a change of a card has this effect in a table where no other has more, or as much untold."""
    for table in page.tables_of(section):
        if table.heads[0][0] != "Change":
            continue
        effects = {row[0][0]: row[1] for row in table.rows}
        names = re.split(r", | and ", claim["who"])
        cells = [effects[name] for name in names if name in effects]
        sign = 1 if claim["way"] == "for" else -1
        is_most = cells and all(sign * (cells[0][1] or 0) >= sign * (number or 0) for _, number in effects.values())
        if is_most and cells[0][0].startswith(claim["effect"]):
            return len(names) > 1 or [text for text, _ in effects.values()].count(cells[0][0]) == 1
    return False


def check_strongest(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether these are all whose scores in the table of strength read as the first and as the last."""
    tables = [table for table in page.tables if [head for head, _ in table.heads][-1:] == ["Score"]]
    for table in tables:
        scores = {row[0][0]: row[-1][0] for row in table.rows}
        ends = [
            {name for name, score in scores.items() if score == end}
            for end in (table.rows[0][-1][0], table.rows[-1][-1][0])
        ]
        if [set(re.split(r", | and ", claim[group])) for group in ("high", "low")] == ends:
            return True
    return not tables


def check_most_moved(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether who is named has the largest change of a score in the tables of scores."""
    changes = {
        row[0][0]: abs(row[at][1] or 0.0)
        for table in page.tables_of(section)
        if (at := table.column("Change")) is not None and not table.heads[0][0].startswith("Other")
        for row in table.rows
    }
    names = re.findall(r"for (?:armies of )?([^,]+), from", claim["who"])
    return set(names) == {name for name, change in changes.items() if f"{change:.3f}" == f"{max(changes.values()):.3f}"}


def check_more_than_half(claim: re.Match[str], page: PageReader, section: str) -> bool:
    return (float(claim["share"]) > 50) == (claim["what"] == "chance")


def check_farthest(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether it is the first of the changes proposed."""
    return any(table.rows[0][0][0] == claim["who"] for table in page.tables_of(section) if table.column("Make it"))


def check_sums(claim: re.Match[str], page: PageReader, section: str) -> bool:
    """Whether who gains pays less than what is fair, and who loses more; the run's table of fair costs has all."""
    gain, fair, loss, worth = (float(claim[name]) for name in ("gain", "fair", "loss", "worth"))
    return gain / fair < loss / worth


CHECKS = {
    r"(?P<value>[<>]?\s?[+−]?[\d.,]+)\S*(?: pp)?(?: ±\S+)? \(the (?P<end>highest|lowest|largest) of (?P<n>[\d,]+)"
    r"(?:, either way)?(?:, (?P<tie>shared with|not told apart from) (?P<who>[^)]*))?\)": check_end,
    r"It is worth (?:most|as much) when (?P<a>.+) meets (?P<b>.+?)(?: \(and in (?P<n>\d+) others?\))?: .* a difference "
    r"of (?P<gain>.+)\.": check_first_move,
    r"From the first column to the last, (?P<who>.+?)(?: alike)? loses? the most: (?P<share>\S+) of": check_losses,
    r"(?:^|; |\. )(?P<case>[^;:]+): (?P<n>\d+) points, easiest with (?P<easy>.+?), hardest with (?P<hard>[^;]+)"
    r"(?=;|\.$)": check_sizes,
    r"The largest parts? comes? with (?P<who>.+?): (?P<share>[\d.]+%).* of the variance (?P<how>when rolled|alone)":
        check_source,
    r"(?:, |; )(?P<who>[^;:]+?) do(?:es)? most (?P<way>for|against) it(?:,[^:]*)?: (?P<effect>\S+ pp)": check_step,
    r"the strongest (?:is|are) (?P<high>.+?), (?:each of )?which .* the weakest (?:is|are) (?P<low>.+?) with ":
        check_strongest,
    r"the mean score moves most(?P<who>.*)": check_most_moved,
    r"Most is (?P<what>chance|decided before the first die): (?P<share>[\d.]+)%": check_more_than_half,
    r"Farthest outside what is fair, as a share of its cost, lies (?P<who>.+?)(?: and \d+ others? alike)?: ":
        check_farthest,
    r"as a share of the fair cost, .+ \((?P<gain>[\d.]+) for (?P<fair>[\d.]+)\) (?:alike )?gains? most and .+ "
    r"\((?P<loss>[\d.]+) for (?P<worth>[\d.]+)\) (?:alike )?loses? most": check_sums,
}  # fmt: skip
"""How each kind of claim reads, and what must hold of the page for it to be true."""


def faults_of(html: str) -> Iterator[str]:
    """Yield the claims of a page that its tables do not bear out, and the superlatives that no check reads."""
    page = PageReader(html)
    for section, sentence in page.sentences:
        rest = OF_PLAY.sub("", sentence)
        for pattern, check in CHECKS.items():
            claims = re.finditer(pattern, sentence)
            yield from (f"untrue in {section}: {claim[0]}" for claim in claims if not check(claim, page, section))
            rest = re.sub(pattern, "", rest)
        if SUPERLATIVE.search(HARMLESS_WORDS.sub("", rest)):
            yield f"unread in {section}: {rest}"


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


@pytest.mark.up_to(0.7)
@pytest.mark.parametrize("name", SMALL)
def test_every_superlative_of_a_small_report_is_true_and_untied(name: str, tmp_path: Path) -> None:
    assert list(faults_of(render_html(PAGES[name](tmp_path)))) == []


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda folder: folder.name)
@pytest.mark.slow("test_every_superlative_of_a_small_report_is_true_and_untied")
def test_every_superlative_of_a_published_report_is_true_and_untied(folder: Path) -> None:
    """As its tables give it now; `test_published` says whether that is what is published."""
    assert list(faults_of(render_html(build_document(load_run(folder))))) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("declared", "98% (the highest", "97% (the highest"),
        ("declared", "(the highest of 4, shared with Ogre, Ogre)", "(the highest of 4)"),
        ("declared", "meets <strong>Ogre</strong>: 2.6%", "meets <strong>Knight</strong>: 2.6%"),
        ("declared", "the strongest is <strong>Ogre</strong>", "the strongest is <strong>Knight</strong>"),
        ("declared", "most when", "(and in 2 others) most when"),
        ("simulated", "<strong>Knight</strong> loses the most", "<strong>Rat</strong> loses the most"),
        ("lucky", "The largest part comes with <code>a throw", "The largest part comes with <code>seat"),
        ("lucky", "does most for it: +10.5", "does most for it: +9.5"),
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
    html = render_html(PAGES[name](tmp_path)).replace("\u00a0", " ")
    assert old in html
    assert list(faults_of(html.replace(old, new)))

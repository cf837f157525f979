"""The first page of each published report: short, its numbers those of its tables, and one verdict for a card."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import polars as pl
import pytest

from balance.answers.blocks.document import Block, Picture
from balance.reporting import Bullets, Callout, Document, Figure, HeatMap, Paragraph, Section, Table
from balance.reporting.build import build_document
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.unfair import unfair_table
from balance.reporting.sections.costs.worth import price_notes
from balance.reporting.sections.first_page.prices import prices_page
from balance.study.frames.army_prices import ARMY_TABLES
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.altered import altered, table

GAMES = ("battlelore", "edadh", "immortal_souls", "runewars", "warforged")
PRICED = ("runewars", "warforged")
MOST_WORDS = 200
FIRM = ("too dear", "too cheap")
LEAST_SENTENCE = 40
"""Characters from which on a sentence is one that should not be told twice."""


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing: what is tested is text."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("balance.reporting.figures.") and hasattr(module, "draw_picture"):
            monkeypatch.setattr(module, "draw_picture", lambda draw, marks: Picture("<svg/>", marks=marks))


@cache
def document(game: str) -> Document:
    return build_document(load_run(ROOT / "reports" / game))


def first_page(game: str) -> Section:
    page = document(game).blocks[0]
    assert isinstance(page, Section)
    return page


def words_of(block: Block) -> str:
    """Return what is read of a block, without its numbers in tables and its picture."""
    if isinstance(block, Paragraph):
        return block.text
    if isinstance(block, Callout):
        return f"{block.title} {block.text}"
    if isinstance(block, Bullets):
        return " ".join(block.items)
    return block.caption if isinstance(block, Figure | Table | HeatMap) else ""


def all_blocks(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Section):
            yield from all_blocks(block.blocks)
        else:
            yield block


@pytest.mark.parametrize("game", GAMES)
def test_few_words_stand_before_the_first_table(game: str) -> None:
    text = "In one page"
    for block in first_page(game).blocks:
        text += f" {words_of(block)}"
        if isinstance(block, Table):
            break
    assert len(text.split()) <= MOST_WORDS


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_come_in_one_order_and_each_once(game: str) -> None:
    kinds = [type(block).__name__ for block in first_page(game).blocks]
    titles = [block.title for block in first_page(game).blocks if isinstance(block, Callout)]
    assert kinds[0] == "Callout"
    assert kinds == sorted(kinds, key=["Callout", "Figure", "Table", "Paragraph"].index) or titles[1:] == [
        "Before you believe it"
    ]
    assert max(Counter(kinds)[name] for name in ("Figure", "Table", "Paragraph")) <= 1


@pytest.mark.parametrize("game", PRICED)
def test_what_the_first_page_says_is_not_said_again(game: str) -> None:
    told = sentences(" ".join(map(words_of, first_page(game).blocks)))
    between = tuple(block for block in document(game).blocks[1:] if getattr(block, "anchor", "") != "method")
    rest = sentences(" ".join(map(words_of, all_blocks(between))))
    assert told & rest == set()


def sentences(text: str) -> set[str]:
    return {part for part in re.split(r"(?<=[.:;]) ", text) if len(part) >= LEAST_SENTENCE}


# -- one verdict for a card ------------------------------------------------------------------------------------------


def verdicts_of(blocks: tuple[Block, ...]) -> dict[str, set[str]]:
    """Return all verdicts on prices that tables of a report give what their first column names."""
    verdicts: dict[str, set[str]] = {}
    for block in all_blocks(blocks):
        if not isinstance(block, Table):
            continue
        names = [column.name for column in block.columns]
        for place in (place for place, name in enumerate(names) if name.startswith("Verdict")):
            assert place == 1, f"a phone shows the verdict second: {block.caption}"
            for row in block.rows:
                verdicts.setdefault(row[0].text, set()).add(row[place].text)
    return verdicts


@pytest.mark.parametrize("game", GAMES)
def test_no_card_has_two_verdicts(game: str) -> None:
    verdicts = verdicts_of(document(game).blocks)
    assert bool(verdicts) or game not in PRICED
    assert {name: words for name, words in verdicts.items() if len(words) > 1} == {}


def test_two_verdicts_would_be_seen() -> None:
    page = first_page("runewars")
    (shown,) = (block for block in page.blocks if isinstance(block, Table))
    turned = tuple((row[0], type(row[1])("fair"), *row[2:]) for row in shown.rows)
    planted = Section("Planted", "planted", (Table(shown.columns, turned, "Planted"),))
    found = verdicts_of((page, planted))
    assert {len(words) for words in found.values()} == {2}


# -- the headline, worked out anew ----------------------------------------------------------------------------------


def expected(frame: pl.DataFrame) -> tuple[dict[str, int], str]:
    """Return how many are surely too dear and too cheap, and who is farthest off, by another way than the report's."""
    leading = frame.filter(setting=frame["setting"][0]).to_dicts()
    counts = {word: sum(row["verdict"] == word for row in leading) for word in FIRM}

    def off(row: dict[str, Any]) -> float:
        return max(row["cost_points"] - row["high"], max(row["low"], 0.0) - row["cost_points"]) / row["cost_points"]

    return counts, max((row for row in leading if row["verdict"] in FIRM), key=off, default={"label": ""})["label"]


def judged_table(game: str) -> tuple[str, pl.DataFrame]:
    """Return the table that the page is about: cards, or whole formations in a game that has no prices of cards."""
    name = "fair_card_costs" if game == "warforged" else "fair_costs"
    frame = table(game, name)
    return name, frame if "label" in frame.columns else frame.with_columns(label="entrant")


def headline(game: str, name: str, frame: pl.DataFrame) -> str:
    page = prices_page(altered(game, {name: frame}))
    assert page is not None
    return page.headline


def said_in(text: str) -> tuple[dict[str, int], str]:
    text = text[text.rindex("Of ") :]  # loadouts are counted first, then cards
    counts = {word: re.search(rf"\*\*(\d+) (?:is|are) {word}\*\*", text) for word in FIRM}
    foremost = re.search(r"Farthest outside what is fair, as a share of its cost, lies \*\*([^*]+)\*\*", text)
    return {word: int(found[1]) if found else 0 for word, found in counts.items()}, foremost[1] if foremost else ""


@pytest.mark.parametrize("game", PRICED)
def test_the_headline_is_what_the_table_says(game: str) -> None:
    name, frame = judged_table(game)
    assert said_in(headline(game, name, frame)) == expected(frame)


@pytest.mark.parametrize("game", PRICED)
def test_another_table_gives_another_headline(game: str) -> None:
    """The first of those that are not off is made much too cheap: it is counted, and is the one farthest off."""
    name, frame = judged_table(game)
    label = frame.filter(~pl.col("verdict").is_in(FIRM), setting=frame["setting"][0])["label"][0]
    is_planted = pl.col("label") == label
    ends = {end: pl.when(is_planted).then(900.0).otherwise(pl.col(end)) for end in ("fair_points", "low", "high")}
    frame = frame.with_columns(
        verdict=pl.when(is_planted).then(pl.lit("too cheap")).otherwise("verdict"),
        cost_points=pl.when(is_planted).then(1.0).otherwise("cost_points"), **ends,
    )  # fmt: skip
    before, after = said_in(headline(game, *judged_table(game))), said_in(headline(game, name, frame))
    assert after == expected(frame)
    assert after[0]["too cheap"] == before[0]["too cheap"] + 1
    assert after[1] == label


def test_the_table_shows_five_at_most_and_the_farthest_off_first() -> None:
    frame = table("runewars", "fair_costs").with_columns(verdict=pl.lit("too dear"), high=pl.lit(1.0), low=pl.lit(1.0))
    proposed = table("runewars", "fair_card_costs").with_columns(proposed_points=5)
    page = prices_page(altered("runewars", {"fair_costs": frame, "fair_card_costs": proposed}))
    assert page is not None
    assert page.change is not None
    assert len(page.change.rows) == 5
    costs = [row[2].sort for row in page.change.rows]
    assert costs == sorted(frame["cost_points"], reverse=True)[:5]
    assert f"the first 5 of {frame.height}." in page.change.caption


def typical_frame(game: str, **off: float) -> pl.DataFrame:
    """Return how far a typical match-up lies from one half, by kind of costs."""
    setting = table(game, "fair_costs")["setting"][0]
    rows = [{"setting": setting, "costs": costs, "off": value} for costs, value in off.items()]
    return pl.DataFrame(rows, schema=ARMY_TABLES["typical_match_ups"])


def test_a_typical_match_up_is_worked_out_from_its_table() -> None:
    frames = {
        "typical_match_ups": typical_frame("runewars", printed=0.42, proposed=0.23, all=0.23),
        "fair_costs": table("runewars", "fair_costs").with_columns(verdict=pl.lit("too dear")),
        "fair_card_costs": table("runewars", "fair_card_costs").with_columns(proposed_points=5),
    }
    page = prices_page(altered("runewars", frames))
    assert page is not None
    assert page.change is not None
    n = frames["fair_costs"].height
    then = f"With all {n} costs proposed, played on fresh dice, a typical match-up becomes 73:27;"
    assert f"{then} 73:27 if all {n} formations are repriced." in page.change.caption
    assert "A typical match-up of armies of equal points is 92:8." in page.headline


@pytest.mark.parametrize(
    ("proposed", "told"),
    [
        ([], "No change of costs that was played brings match-ups nearer to even; a typical one would be 60:40 if all"),
        ([7], "With the cost proposed, played on fresh dice, a typical match-up becomes 70:30; 60:40 if all 22"),
        ([7, 9], "With all 2 costs proposed, played on fresh dice, a typical match-up becomes 70:30; 60:40 if all 22"),
    ],
)
def test_what_is_proposed_was_played_and_stands_beside_all_cards_repriced(proposed: list[int], told: str) -> None:
    cards = table("warforged", "fair_card_costs")
    points = pl.Series("proposed_points", [*proposed, *[None] * (cards.height - len(proposed))], pl.Int64)
    off = {"printed": 0.3, "proposed": 0.2, "all": 0.1}
    typical = typical_frame("warforged", **{costs: off[costs] for costs in off if proposed or costs != "proposed"})
    cards = cards.with_columns(points, verdict=pl.lit("too dear"))
    page = prices_page(altered("warforged", {"fair_card_costs": cards, "typical_match_ups": typical}))
    assert page is not None
    assert page.change is not None
    assert told in page.change.caption
    assert page.change.caption.endswith("if all 22 cards are repriced.")
    assert ("Make it" in [column.name for column in page.change.columns]) is bool(proposed)


def settings_of(game: str, **columns: Any) -> pl.DataFrame:
    return table(game, "army_settings").head(1).with_columns(**{name: pl.lit(it) for name, it in columns.items()})


def test_all_costs_to_a_power_are_the_change_where_no_single_cost_explains_what_is_off() -> None:
    frames = {name: table("runewars", name).with_columns(verdict=pl.lit("off as all are"))
              for name in ("fair_card_costs", "fair_costs")}  # fmt: skip
    typical = typical_frame("runewars", printed=0.2, proposed=0.12, all=0.1)
    settings = settings_of("runewars", power=1.254, is_fair="no")
    page = prices_page(altered("runewars", {**frames, "typical_match_ups": typical, "army_settings": settings}))
    assert page is not None
    assert (page.title, page.change, page.reply) == ("What to change", None, "No")
    power = "**Costs rise too slowly**: all of them to the power 1.25 would be fair; played on fresh dice, a typical"
    assert f"{power} match-up is 62:38 then." in page.headline


def test_a_page_tells_where_it_was_judged_and_what_stands_beside() -> None:
    beside = pl.Series("beside", [["lineup", "lineup, actions per unit"]])
    settings = settings_of("warforged", title="on the board", is_fair="costs yes, match-ups no").with_columns(beside)
    typical = table("warforged", "typical_match_ups").with_columns(strength_share=0.25)
    page = prices_page(altered("warforged", {"army_settings": settings, "typical_match_ups": typical}))
    assert page is not None
    assert page.reply == "Costs yes, match-ups no"
    assert "75% of that is who meets whom, which no cost mends." in page.headline
    assert page.headline.endswith(" Beside it, without a vote: lineup; lineup, actions per unit.")
    assert "Judged on the board; fair is within 10% of the cost" in page.headline


def unfair_frames() -> dict[str, pl.DataFrame]:
    """Return the tables of a run in which three formations are rock, paper, scissors, and one pair is off beside."""
    setting, *_ = table("runewars", "fair_costs")["setting"]
    a, b, c, d = table("runewars", "fair_costs")["entrant"].head(4)
    cycle = [("cycle", a, b, 0.9), ("cycle", b, c, 0.8), ("cycle", c, a, 0.7)]
    rows = [
        (setting, kind, winner, loser, score, 0.01, 0.02, 3003)
        for kind, winner, loser, score in [("pair", a, d, 0.955), *cycle]
    ]
    shares = pl.when(pl.col("costs") == "all").then(0.6)
    return {
        "unfair_pairs": pl.DataFrame(rows, schema=ARMY_TABLES["unfair_pairs"], orient="row"),
        "typical_match_ups": table("runewars", "typical_match_ups").with_columns(strength_share=shares),
    }


def test_rock_paper_scissors_is_named_on_the_first_page_and_its_pairs_below() -> None:
    pages = altered("runewars", unfair_frames())
    a, b, c, d = (pages.name(name) for name in table("runewars", "fair_costs")["entrant"].head(4))
    page = prices_page(pages)
    assert page is not None
    assert page.change is not None
    told = (
        f"Rock, paper, scissors that no cost mends: {a} beats {b} 90:10, {b} beats {c} 80:20 and {c} beats {a} 70:30."
    )
    assert page.change.note == told
    (pairs,) = unfair_table(pages)
    assert [[cell if isinstance(cell, str) else cell.text for cell in row] for row in pairs.rows] == [
        ["far from even", a, d, "95.5%", "± 2.0", "2.0%"],
        ["rock, paper, scissors", a, b, "90.0%", "± 2.0", "2.0%"],
        ["rock, paper, scissors", b, c, "80.0%", "± 2.0", "2.0%"],
        ["rock, paper, scissors", c, a, "70.0%", "± 2.0", "2.0%"],
    ]
    assert "of 3,003: armies of one kind at equal points. " in pairs.caption
    assert "60% of what is left is " in pairs.caption


def test_of_runs_that_did_not_look_for_pairs_nothing_is_said() -> None:
    assert unfair_table(altered("runewars", {"unfair_pairs": None})) == []


def test_who_is_never_worth_taking_is_told_with_its_distance() -> None:
    frame = table("runewars", "fair_costs").with_columns(lead=pl.lit(None), lead_error=pl.lit(None))
    first, second, *_ = frame["entrant"]
    assert not any("Never worth" in note for note in price_notes(altered("runewars", {"fair_costs": frame})))
    is_first = pl.col("entrant") == first
    beaten = frame.with_columns(
        dominated_by=pl.when(is_first).then(pl.lit([second])),
        lead=pl.when(is_first).then(0.123),
        lead_error=pl.when(is_first).then(0.01),
    )
    pages = altered("runewars", {"fair_costs": beaten})
    (note,) = [note for note in price_notes(pages) if "Never worth" in note]
    ahead = f"beside {pages.name(second)}, which scores 12 ± 2 points more against all others."
    assert note == f"**Never worth taking at equal points:** **{pages.name(first)}** {ahead}"


def test_nothing_is_to_change_where_all_are_fair() -> None:
    frames = {name: table("runewars", name).with_columns(verdict=pl.lit("fair"))
              for name in ("fair_card_costs", "fair_costs")}  # fmt: skip
    page = prices_page(altered("runewars", frames))
    assert page is not None
    assert (page.title, page.change) == ("No price needs to change", None)
    assert "Farthest" not in page.headline
    assert prices_page(Pages(load_run(ROOT / "reports" / "edadh"))) is None

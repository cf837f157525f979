"""How much is luck and what one step of a card does, on the page, by tables of a run: the words follow the numbers."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.answers.blocks.document import Document, Figure, Section
from balance.answers.blocks.tables import Table
from balance.base.errors import UsageError
from balance.reporting.build import build_document
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.page.html import render_html
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.neighbours import MOST_ROWS, neighbour_findings, neighbour_section
from balance.reporting.sections.fights.luck import luck_findings, luck_section
from balance.study.frames.luck import LUCK_TABLES
from balance.study.frames.neighbours import NEIGHBOUR_TABLES
from balance.study.run.export import table_bytes
from tests.reporting.altered import altered, said
from tests.reporting.in_words import pictures_in_words

HOSTILE = "=1+1 <b>#emph[x]** `y`"
SHARES = {"entrants": 0.5, "match-up": 0.1, "seat": 0.02, "together": 0.08, "chance": 0.3}
SOURCES = {"seat": 0.1, "a throw": 0.6, "b throw": 0.3}
CHANGES = {"with emp": 0.3, "health 5 to 6": 0.1, "health 5 to 4": -0.2}


def words_of(section: Section | None) -> str:
    return " ".join(" ".join(said(section)).replace("~", " ").split())


def html_of(section: Section | None) -> str:
    assert section is not None
    page = render_html(Document("Page", "", (section,)))
    assert "#emph" in page
    return page


def made(schemas: dict[str, Any], rows: dict[str, list[dict[str, Any]]]) -> Pages:
    frames = {
        name: pl.DataFrame([{column: row.get(column) for column in schema} for row in rows[name]], schema=schema)
        for name, schema in schemas.items()
    }
    return altered("warforged", frames)


def lucky(
    shares: dict[str, float] | None = None,
    sources: dict[str, float] | None = None,
    half: float = 0.0,
    title: str = "duels",
    rolled: bool = True,
    **pair: Any,
) -> Pages:
    """Return the pages of a field and a pair; shares have so wide intervals to either side."""
    here = {"setting": "x", "kind": "duel", "title": title, "seed": 7}
    names = {"one": "a", "other": "b", "one_label": HOSTILE, "other_label": "Bee"}
    field = {"changes": [], "entrants": ["a", "b", "c"], "others": [], "ways": [], "n_entrants": 89, "n_cells": 18}
    goes = {"lead_changes": 1.25, "comebacks": 0.12, "one_sided": 0.4, "decided": 3.0, "length": 4.0, "largest": 0.3}
    goes |= {f"{name}_error": 0.0 for name in goes}
    told = {"result": "score", "mean": 0.6, "low": 0.6, "high": 0.6, "sd": 0.49, "swing": 0.8166, "changes": []}
    told |= {
        "together": 0.0,
        "together_low": 0.0,
        "together_high": 0.0,
        "unit": "rounds",
        "half_settled": 2.0,
        "named": True,
    }
    rows = {
        "luck_fields": [here | field | {"n_trials": 4096 if half else 0, "first_mover": 0.05}],
        "luck_shares": [
            here | {"part": part, "share": share, "low": share - half, "high": share + half}
            for part, share in (shares or SHARES).items()
        ],
        "luck_pairs": [here | names | told | goes | {"n_games": 0, "why_simulated": ""} | pair],
        "luck_sources": [
            here | names | {"source": name, "alone": share, "alone_low": share - half, "alone_high": share + half}
            | {"when_rolled": share if rolled else None}
            for name, share in (SOURCES if sources is None else sources).items()
        ],
        "luck_ends": [
            here | names | {"counted": "shots_unspent", "winner": 1.5, "winner_low": 1.25, "winner_high": 1.75}
        ],
    }  # fmt: skip
    return made(LUCK_TABLES, rows)


def cards(changes: dict[str, float] | None = None, half: float = 0.0, label: str = "Trooper", **pair: Any) -> Pages:
    here = {"setting": "x", "card": "trooper"}
    printed = {"kind": "duel", "label": label, "title": "cards", "holders": ["trooper+sidearm"], "held_by": [HOSTILE]}
    printed |= {"field": ["a", "b"], "changes": [], "score": 0.4, "low": 0.4, "high": 0.4, "kills": 3.0, "seed": 7}
    rows = {
        "neighbour_cards": [here | printed],
        "neighbours": [
            here | {"change": name, "score": score, "low": score - half, "high": score + half, "kills": -score * 4}
            | {"seen": True, "refused": False}
            for name, score in (CHANGES if changes is None else changes).items()
        ]
        + [here | {"change": "speed 4 to 5", "score": 0.0, "seen": False, "refused": False}]
        + [here | {"change": "handling 1 to 0", "seen": False, "refused": True}],
        "neighbour_pairs": [here | {"one": "with emp", "other": "with laser"} | pair] if pair else [],
    }  # fmt: skip
    return made(NEIGHBOUR_TABLES, rows)


# -- luck ------------------------------------------------------------------------------------------------------------


def test_what_decides_is_told_with_its_error_drawn_and_listed() -> None:
    section = luck_section(lucky())
    assert section is not None
    kinds = [type(block).__name__ for block in section.blocks]
    assert kinds == ["Paragraph", "Callout", "Figure", "Table", "Paragraph", "Bullets", "Figure", *["Table"] * 3]
    text = words_of(section)
    assert "**Most is decided before the first die:** 30.0% (exact) of how a duel ends is chance." in text
    assert (
        "Before the first die 50.0% are decided by what each side brings, 10.0% by whom it happens to meet, 8.0% by "
        "several of these together and 2.0% by who goes first." in text
    )
    assert "Asked of any two of 3 loadouts, drawn from 89: 18 duels, all exact, seed 7." in text
    assert "The largest part comes with `a throw`: 60.0% of the variance when rolled." in text
    assert "swing 0.82" in text
    assert "| =1+1 <b>#emph[x]** `y` against Bee | shots unspent | 1.50 ± 0.25 {1.5} | – |" in text
    assert "The lead changes 1.25 times; 12.0% of the winners come back" in text


@pytest.mark.slow("test_the_sentences_follow_the_numbers")
def test_pairs_that_nobody_named_are_said_to_be_the_most_even() -> None:
    assert "The most even of duels, nobody twice:" in words_of(luck_section(lucky(named=False)))
    assert "most even" not in words_of(luck_section(lucky()))


def test_the_sentences_follow_the_numbers() -> None:
    chance = SHARES | {"entrants": 0.02, "seat": 0.1, "chance": 0.7}
    text = words_of(luck_section(lucky(chance, {"seat": 0.7, "a throw": 0.2, "b throw": 0.1})))
    assert "**Most is chance:** 70.0% (exact)" in text
    assert "10.0% are decided by whom it happens to meet, 10.0% by who goes first, 8.0% by several" in text
    assert "The largest part comes with `seat`: 70.0%" in text


@pytest.mark.parametrize(("share", "told"), [(0.45, "not yet known"), (0.65, "Most is chance"), (0.3, "before the")])
def test_no_verdict_holds_within_its_error(share: float, told: str) -> None:
    (finding,) = luck_findings(lucky(SHARES | {"chance": share}, half=0.1))
    assert told in finding
    assert f"(95%: {100 * share - 10:.1f} to {100 * share + 10:.1f}%)" in finding


@pytest.mark.slow("test_changes_within_their_errors_are_not_told_apart")
def test_sources_that_cannot_be_told_apart_are_not() -> None:
    close = {"a throw": 0.4, "b throw": 0.35, "seat": 0.0}
    text = words_of(luck_section(lucky(sources=close, half=0.05, rolled=False)))
    assert (
        "The largest part comes with `a throw` and `b throw`, which cannot be told apart: 40.0% (95%: 35.0 to 45.0%)"
        in text
    )
    assert "of the variance alone" in text
    assert "40.0% ± 5.0" in text
    level = words_of(luck_section(lucky(sources={"a throw": 0.4, "b throw": 0.4, "seat": 0.2})))
    assert (
        "The largest part comes with `a throw` and `b throw`, as much each: 40.0% of the variance when rolled" in level
    )


@pytest.mark.slow("test_the_sentences_follow_the_numbers")
def test_what_was_simulated_says_so() -> None:
    text = words_of(luck_section(lucky(n_games=64, why_simulated="it *never* ends", low=0.55, high=0.65)))
    assert "(95%: 55.0% to 65.0%)" in text
    assert r"Simulated in part or whole (64 games, seed 7): it \*never\* ends." in text


def test_how_a_simulated_match_up_goes_has_its_errors() -> None:
    text = words_of(luck_section(lucky(lead_changes_error=0.1, comebacks_error=0.01)))
    assert "The lead changes 1.25 ± 0.20 times; 12.0% ± 2.0 of the winners come back, 40.0% of the wins" in text


@pytest.mark.slow("test_nothing_is_said_where_nothing_was_asked")
def test_without_luck_and_without_a_texture() -> None:
    none = dict.fromkeys(("lead_changes", "comebacks", "one_sided", "decided", "length", "largest", "half_settled"))
    assert "Nothing varies: there is no luck in it." in words_of(luck_section(lucky(sources={}, sd=0.0, swing=0.0)))
    text = words_of(luck_section(lucky(result="damage", swing=None, mean=0.0, low=0.0, high=0.0, **none)))
    assert "damage is 0 (exact), swing not measurable, as the mean is 0." in text
    assert "lead changes" not in text


@pytest.mark.slow("test_a_hostile_card_is_literal")
def test_names_are_literal_on_the_page_and_harmless_in_a_table() -> None:
    pages = lucky(title=HOSTILE)
    text = words_of(luck_section(pages))
    assert r"**=1+1 <b>#emph[x]\*\* \`y\` against Bee**" in text
    assert "<b>#emph" not in html_of(luck_section(pages))
    assert b"'=1+1" in table_bytes("luck_pairs", pages.run.table("luck_pairs"), "csv")


def test_of_many_sources_the_smallest_are_drawn_as_one() -> None:
    many = {f"die {at}": share for at, share in enumerate([0.3, 0.2, 0.2, 0.1, 0.05, 0.05, 0.05, 0.02, 0.02, 0.01])}
    with pictures_in_words():
        section = luck_section(lucky(sources=many))
        assert section is not None
        picture = [block for block in section.blocks if isinstance(block, Figure)][1].picture.wide
    assert "'others'" in picture
    assert "'die 9'" not in picture
    assert "'die 6'" in picture
    assert "(0.95, 0.05, 0.62)" in picture  # die 7 to die 9, at the end


def test_ends_of_bars_are_the_shares_in_their_order() -> None:
    with pictures_in_words():
        picture = plot_shares(["one"], ["a", "b", "c"], [[0.25, -0.01, 0.75]], "share").wide
    assert "(0, 0.25, 0.62)" in picture
    assert "(0.25, 0.75, 0.62)" in picture
    assert picture.count("bar ") == 2
    assert "'25%'" in picture


@pytest.mark.parametrize(
    ("names", "parts", "shares"),
    [([], ["a"], []), (["x"], [], [[]]), (["x"], ["a"], [[0.5, 0.5]]), (["x"], list("abcdefghi"), [[0.1] * 9])],
)
def test_bars_need_parts_that_fit(names: list[str], parts: list[str], shares: list[list[float]]) -> None:
    with pytest.raises(UsageError):
        plot_shares(names, parts, shares, "share")


# -- cards -----------------------------------------------------------------------------------------------------------


def test_the_most_telling_changes_come_first_with_what_cannot_be_seen() -> None:
    section = neighbour_section(cards())
    assert section is not None
    _, _, table = section.blocks
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["with emp", "health 5 to 4", "health 5 to 6"]
    text = words_of(section)
    assert (
        "**Trooper.** Against 2 opponents, **with emp** does most for it: +30.0 pp (exact); **health 5 to 4** does "
        "most against it: −20.0 pp (exact)." in text
    )
    assert "Not measurable here, as nothing changes: speed 4 to 5. Refused by the rules: handling 1 to 0." in text
    assert r"held by =1+1 <b>#emph[x]\*\* \`y\`; seed 7" in text


def test_the_sentence_on_a_card_follows_the_numbers() -> None:
    text = words_of(neighbour_section(cards({"with emp": -0.1, "health 5 to 6": 0.25, "armour 0 to 1": 0.25})))
    assert "**health 5 to 6** and **armour 0 to 1** do most for it, the same each: +25.0 pp (exact)" in text
    assert "**with emp** does most against it: −10.0 pp (exact)" in text


def test_changes_within_their_errors_are_not_told_apart() -> None:
    finding = words_of(neighbour_section(cards({"one": 0.12, "two": 0.1, "three": 0.01}, half=0.02)))
    assert "**one** and **two** do most for it, not told apart: +12.0 pp (95%: +10.0 pp to +14.0 pp)" in finding
    assert "against it" not in finding
    none = neighbour_section(cards({"one": 0.01}, half=0.02))
    assert "no change can be told to do anything" in words_of(none)
    assert "no change does anything that can be seen here" in words_of(neighbour_section(cards({})))


def test_of_many_changes_a_page_shows_some_and_says_where_the_rest_is() -> None:
    section = neighbour_section(cards({f"field {at} to {at + 1}": at / 100 for at in range(1, 31)}))
    assert section is not None
    table = section.blocks[-1]
    assert isinstance(table, Table)
    assert len(table.rows) == MOST_ROWS
    assert table.rows[0][0].text == "field 30 to 31"
    assert "the 12 of 30 changes that do most" in table.caption
    assert "`neighbours`" in table.note


def test_two_together_are_told_only_where_they_differ_for_certain() -> None:
    both = {"together": 0.4, "beyond": -0.1, "beyond_low": -0.12, "beyond_high": -0.08}
    text = words_of(neighbour_section(cards(**both)))
    assert "**with emp** and **with laser** do +40.0 pp, 10.0 pp less than the sum of both alone" in text
    unsure = words_of(neighbour_section(cards(**both | {"beyond_high": 0.01})))
    assert "Two together" not in unsure


def test_a_hostile_card_is_literal() -> None:
    pages = cards({HOSTILE: 0.2}, label=HOSTILE)
    assert r"**=1+1 <b>#emph[x]\*\* \`y\`.**" in words_of(neighbour_section(pages))
    assert "<b>#emph" not in html_of(neighbour_section(pages))
    assert b"'=1+1" in table_bytes("neighbours", pages.run.table("neighbours"), "csv")


def test_nothing_is_said_where_nothing_was_asked() -> None:
    pages = altered("warforged", dict.fromkeys([*LUCK_TABLES, *NEIGHBOUR_TABLES]))
    assert luck_section(pages) is None
    assert neighbour_section(pages) is None
    assert [*luck_findings(pages), *neighbour_findings(pages)] == []


@pytest.mark.slow("test_the_sentences_follow_the_numbers")
def test_the_section_stands_after_prices() -> None:
    pages = lucky()
    document = build_document(pages.run)
    anchors = [getattr(block, "anchor", "") for block in document.blocks]
    assert anchors.index("holding") + 1 == anchors.index("luck")

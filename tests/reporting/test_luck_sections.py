"""How much is luck and what one step of a card does, on the page, by tables of a run: the words follow the numbers."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.base.errors import UsageError
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.neighbours import neighbour_findings
from balance.reporting.sections.fights.luck import luck_chart, luck_findings
from balance.study.frames.luck import LUCK_TABLES
from balance.study.frames.neighbours import NEIGHBOUR_TABLES
from balance.study.run.export import table_bytes
from tests.reporting.altered import altered
from tests.reporting.in_words import pictures_in_words

HOSTILE = "=1+1 <b>#emph[x]** `y`"
SHARES = {"entrants": 0.5, "match-up": 0.1, "seat": 0.02, "together": 0.08, "chance": 0.3}
CHANGES = {"with emp": 0.3, "health 5 to 6": 0.1, "health 5 to 4": -0.2}


def made(schemas: dict[str, Any], rows: dict[str, list[dict[str, Any]]]) -> Pages:
    frames = {
        name: pl.DataFrame([{column: row.get(column) for column in schema} for row in rows[name]], schema=schema)
        for name, schema in schemas.items()
    }
    return altered("warforged", frames)


def lucky(shares: dict[str, float] | None = None, half: float = 0.0) -> Pages:
    """Return the pages of a field; shares have so wide intervals to either side."""
    here = {"setting": "x", "kind": "duel", "title": "duels", "seed": 7}
    return altered(
        "warforged",
        {
            "luck_fields": pl.DataFrame([here]),
            "luck_shares": pl.DataFrame(
                [here | {"part": part, "share": share, "low": share - half, "high": share + half}
                 for part, share in (shares or SHARES).items()]
            ),
        },
    )  # fmt: skip


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


def test_what_decides_is_told_with_its_error_and_drawn() -> None:
    (finding,) = luck_findings(lucky())
    assert (
        finding
        == "**Luck (duels).** **Most is decided before the first die:** 30.0% (exact) of how a duel ends is chance."
    )
    assert luck_chart(lucky()).alt == (
        "What decides a result. duels: entrants 50.0%, match-up 10.0%, seat 2.0%, together 8.0%, chance 30.0%."
    )


@pytest.mark.parametrize(("share", "told"), [(0.45, "not yet known"), (0.65, "Most is chance"), (0.3, "before the")])
def test_no_verdict_holds_within_its_error(share: float, told: str) -> None:
    (finding,) = luck_findings(lucky(SHARES | {"chance": share}, half=0.1))
    assert told in finding
    assert f"(95%: {100 * share - 10:.1f} to {100 * share + 10:.1f}%)" in finding


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


def told_of(pages: Pages) -> list[str]:
    return [finding.replace("\u00a0", " ") for finding in neighbour_findings(pages)]


def test_the_most_telling_changes_are_told() -> None:
    (finding,) = told_of(cards())
    assert finding == (
        "**Trooper.** Against 2 opponents, **with emp** does most for it: +30.0 pp (exact); **health 5 to 4** does "
        "most against it: −20.0 pp (exact)."
    )
    (level,) = told_of(cards({"with emp": -0.1, "health 5 to 6": 0.25, "armour 0 to 1": 0.25}))
    assert "**health 5 to 6** and **armour 0 to 1** do most for it, the same each: +25.0 pp (exact)" in level


def test_changes_within_their_errors_are_not_told_apart() -> None:
    (finding,) = told_of(cards({"one": 0.12, "two": 0.1, "three": 0.01}, half=0.02))
    assert "**one** and **two** do most for it, not told apart: +12.0 pp (95%: +10.0 pp to +14.0 pp)" in finding
    assert "against it" not in finding
    assert "no change can be told to do anything" in told_of(cards({"one": 0.01}, half=0.02))[0]
    assert "no change does anything that can be seen here" in told_of(cards({}))[0]


def test_a_hostile_card_is_literal() -> None:
    pages = cards({HOSTILE: 0.2}, label=HOSTILE)
    assert r"**=1+1 <b>#emph[x]\*\* \`y\`.**" in told_of(pages)[0]
    assert b"'=1+1" in table_bytes("neighbours", pages.run.table("neighbours"), "csv")


def test_nothing_is_said_where_nothing_was_asked() -> None:
    pages = altered("warforged", dict.fromkeys([*LUCK_TABLES, *NEIGHBOUR_TABLES]))
    assert [*luck_findings(pages), *neighbour_findings(pages)] == []

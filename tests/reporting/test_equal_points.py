"""What is said of a change at equal points, word for word; whole pages are in `golden/`, see `golden_pages`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from balance.answers.words.changes.equal_points import army_lead, army_tables, duel_text, listed_rows
from balance.game.words import Words
from balance.study.compare.answer import ArmyScore, CardChange, Comparison, EqualPoints, PriceChange, TypicalChange
from tests.reporting.in_words import told
from tests.study.comparisons import comparison, match_up, standing, terms

TERMS = terms(Words(entrant="loadout", entrants="loadouts"))
COST = CardChange("units", "elf", "Elf", "cost_points", 4, 5)
BOW = CardChange("weapons", "bow", "Bow", "effects", ["laser"], [])
RULE = CardChange("rules", "", "Rules", "hits_on", "4-6", "5-6")


def score(entrant: str, difference: float, width: float | None = 0.02, setting: str = "pool") -> ArmyScore:
    ends = (None, None) if width is None else (difference - width, difference + width)
    return ArmyScore(setting, entrant, 0.5, 0.5 + difference, difference, *ends)


def price(entrant: str, before: str, after: str, cost: float = 5.0) -> PriceChange:
    return PriceChange(entrant, 4.0, 4.0, 2.75, 5.25, before, cost, 6.25, 5.0, 7.5, after)


SCORES = [
    *(score("elf", -0.1), score("bow", 0.01), score("imp", 0.0, None)),
    *(score("elf+bow", -0.15), score("elf+axe", -0.05), score("imp+axe", 0.03), score("imp+bow", 0.002, 0.001)),
]
PRICES = [
    *(price("elf", "fair", "too dear"), price("bow", "not yet known", "not yet known", 4.0)),
    *(price("imp", "fair", "fair", 4.0), price("elf+bow", "fair", "depends on play")),
    *(price("elf+axe", "too cheap", "too cheap"), price("imp+axe", "fair", "not yet known", 4.0)),
    price("imp+bow", "too cheap", "fair", 4.0),
]


def armies(
    scores: Sequence[ArmyScore] = SCORES, titles: tuple[str, ...] = ("shared",), after: float = 0.153
) -> EqualPoints:
    ids = ("pool", "per_unit")[: len(titles)]
    typical = (TypicalChange(name, title, 0.25, after, 0.0, 0.0) for name, title in zip(ids, titles, strict=True))
    return EqualPoints(tuple(scores), tuple(typical), tuple(PRICES))


def compared(*cards: CardChange, everybody: bool = False, touches: bool = True, costs: bool = True) -> Comparison:
    contents = {"elf+bow": ["elf", "bow"], "elf+axe": ["elf"], "imp+axe": [], "imp+bow": ["bow"]}
    changed_ids = {card.card for card in cards}
    rows = [standing(name, cards=tuple(card for card in of if card in changed_ids)) for name, of in contents.items()]
    changes = [match_up("elf+bow", "imp+axe", difference=0.1)] if touches else []
    return comparison(cards, rows, everybody=everybody, changes=changes, costs={"elf+bow": (4, 5)} if costs else {})


def names(case: Comparison, equal_points: EqualPoints) -> list[str]:
    return [row.score.entrant for row in listed_rows(case, equal_points)["pool"]]


def test_changed_cards_come_first_then_who_contains_one_then_others_that_certainly_change() -> None:
    """Of the others `imp+axe` moves by 3 points, give or take 2; `imp+bow` turns from one known verdict to another."""
    assert names(compared(COST), armies()) == ["elf", "elf+bow", "elf+axe", "imp+bow"]
    sure = [row if row.entrant != "imp+axe" else score("imp+axe", 0.05) for row in SCORES]
    assert names(compared(COST), armies(sure)) == ["elf", "elf+bow", "elf+axe", "imp+axe", "imp+bow"]
    assert names(compared(BOW), armies())[:3] == ["bow", "elf+bow", "imp+bow"]


@pytest.mark.parametrize(
    ("case", "equal_points", "said"),
    [
        (
            compared(COST),
            armies(),
            "At equal points, armies with ELF score 40.0% instead of 50.0% (fair → too dear). A typical match-up goes "
            "from 75:25 to 65:35. 1 card changes. 2 of the 4 loadouts contain it.",
        ),
        (
            compared(COST, BOW),
            armies(titles=("shared", "one each"), after=0.25),
            "At equal points (shared), armies with ELF score 40.0% instead of 50.0% (fair → too dear) and armies with "
            "BOW score 51.0%, about as before (not yet known, as before). A typical match-up stays at 75:25. 2 cards "
            "change. 3 of the 4 loadouts contain one of them.",
        ),
        (
            compared(RULE, everybody=True),
            armies([score("elf", 0.01), score("imp+axe", 0.05)]),
            "At equal points, the mean score moves most for armies of IMP+AXE, from 50.0% to 55.0% (fair → not yet "
            "known). A typical match-up goes from 75:25 to 65:35. 1 reading of the rules changes. That concerns "
            "everybody.",
        ),
        (
            compared(RULE, everybody=True),
            armies([score("elf", 0.01)]),
            "At equal points, no mean score is known to move. A typical match-up goes from 75:25 to 65:35. 1 reading "
            "of the rules changes. That concerns everybody.",
        ),
    ],
)
def test_it_is_said_first_what_armies_of_equal_points_do(
    case: Comparison, equal_points: EqualPoints, said: str
) -> None:
    assert army_lead(case, equal_points, TERMS, str.upper) == said


def test_who_meets_nobody_that_the_change_touches_is_as_before() -> None:
    still = [score("elf", 0.0, None)]
    assert army_lead(compared(COST), armies(still), TERMS, str.upper).startswith(
        "At equal points, armies with ELF score 50.0% as before (fair → too dear)."
    )


def test_of_many_changed_cards_the_one_that_moves_most_is_named() -> None:
    of = "the mean score moves most for armies of"
    many = [replace(COST, card=name) for name in ("elf", "bow", "imp", "elf+axe")]
    assert army_lead(compared(*many), armies(), TERMS, str.upper).startswith(
        f"At equal points, {of} ELF+BOW, from 50.0% to 35.0% (fair → depends on play)."
    )


def text(case: Comparison, equal_points: EqualPoints, **how: Any) -> list[str]:
    tables = list(army_tables(case, equal_points, TERMS, str.upper, **how))
    lines = "\n".join(told(tables)).replace("\n  ", " ").replace("\u00a0", "~")
    return [line for line in lines.splitlines() if line]


def test_each_setting_has_its_scores_and_the_verdict_stands_once() -> None:
    both = armies([*SCORES, score("elf", -0.2, setting="per_unit")], titles=("shared by **all**", "one each"))
    assert text(compared(COST), both, max_rows=2) == [
        r"[table] Armies of equal points, shared by \*\*all\*\*: what armies of one loadout score on average against "
        "those of each other, and a card's loadouts on average. Intervals hold all together.",
        "| Card or loadout | Verdict | Cost > | Before > | After > | Change > | Interval > |",
        "| ELF | fair → too dear | 4 → 5 {5} | 50.0% {0.5} | 40.0% {0.4} | −10.0~pp {-0.1} | −12.0~pp to −8.0~pp |",
        "| ELF+BOW | fair → depends on play | 4 → 5 {5} | 50.0% {0.5} | 35.0% {0.35} | −15.0~pp {-0.15} | −17.0~pp to "
        "−13.0~pp |",
        "2 more are in `compare.json`.",
        "[table] Armies of equal points, one each: what armies of one loadout score on average against those of each "
        "other, and a card's loadouts on average. Intervals hold all together.",
        "| Card or loadout | Cost > | Before > | After > | Change > | Interval > |",
        "| ELF | 4 → 5 {5} | 50.0% {0.5} | 30.0% {0.3} | −20.0~pp {-0.2} | −22.0~pp to −18.0~pp |",
        "[table] How two armies of equal points typically stand, the better one first: one half and the root mean "
        "square distance from it, over all match-ups of armies of one member each.",
        "| Setting | Before > | After > |",
        "| shared by **all** | 75:25 {0.25} | 65:35 {0.153} |",
        "| one each | 75:25 {0.25} | 65:35 {0.153} |",
        "[table] What these cards and loadouts should cost, in points; in brackets how far settings and dice leave "
        "that open.",
        "| Card or loadout | Cost > | Fair before > | Fair after > |",
        "| ELF | 4 → 5 {5} | 4.0 (2.8 to 5.2) {4} | 6.2 (5.0 to 7.5) {6.25} |",
        "| ELF+BOW | 4 → 5 {5} | 4.0 (2.8 to 5.2) {4} | 6.2 (5.0 to 7.5) {6.25} |",
        "2 more are in `compare.json`.",
    ]


def test_in_a_narrow_place_there_are_heads_and_half_widths() -> None:
    assert text(compared(COST), armies(), max_rows=1, brief=True) == [
        "[table] Armies of equal points:",
        "| Card or loadout | Cost > | Before > | After > | Change, pp > | Verdict |",
        "| ELF | 4 → 5 {5} | 50.0% {0.5} | 40.0% {0.4} | −10.0 ± 2.0 {-0.1} | fair → too dear |",
        "3 more are in `compare.json`.",
        "[table] Fair costs, in points:",
        "| Card or loadout | Cost > | Fair before > | Fair after > |",
        "| ELF | 4 → 5 {5} | 3 to 5 {4} | 5 to 8 {6.25} |",
        "3 more are in `compare.json`.",
    ]


def test_what_nobody_is_asked_is_a_dash_or_no_column() -> None:
    alone = [score("fox", -0.1), score("elf", 0.0, None)]
    fox = replace(COST, card="fox")
    assert text(compared(fox, COST), armies(alone), brief=True)[2:4] == [
        "| FOX | – | 50.0% {0.5} | 40.0% {0.4} | −10.0 ± 2.0 {-0.1} | – |",
        "| ELF | 4 → 5 {5} | 50.0% {0.5} | 50.0% {0.5} | 0.0 {0} | fair → too dear |",
    ]
    assert text(compared(fox), armies(alone[:1]), brief=True)[1:] == [
        "| Card or loadout | Before > | After > | Change, pp > |",
        "| FOX | 50.0% {0.5} | 40.0% {0.4} | −10.0 ± 2.0 {-0.1} |",
    ]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (compared(COST), "What follows is one against one: no cost touches a duel."),
        (compared(COST, touches=False), "One against one nothing changes: no cost touches a duel."),
        (compared(BOW, touches=False, costs=False), "One against one nothing changes: no duel shows what is changed."),
    ],
)
def test_duels_come_after_and_say_so(case: Comparison, said: str) -> None:
    assert duel_text(case) == said

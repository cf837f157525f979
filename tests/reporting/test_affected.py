"""What is said of those whom a change affects, word for word; whole pages are in `golden/`, see `golden_pages`."""

from __future__ import annotations

from typing import Any

import pytest

from balance.answers.words.changes.sentences import Name, before_after, card_row, lead, turned_around
from balance.answers.words.changes.tables import changed_table, standing_tables
from balance.game.words import Words
from balance.reporting import Table
from balance.study.compare.answer import CardChange, Comparison, EqualPoints, Standing
from tests.reporting.in_words import told
from tests.study.comparisons import comparison, standing, terms

TERMS = terms(Words(entrant="loadout", entrants="l**outs"))
ELF = CardChange("units", "elf", "Elf", "cost_points", 4, 5)
ELF_TOO = CardChange("units", "elf", "Elf", "health", 1, 2)
BOW = CardChange("weapons", "bow", "Bow", "effects", ["laser", "emp"], [])
ORC = CardChange("units", "orc", "Orc", "", None, "new")
RULE = CardChange("rules", "", "Rules", "hits_on", "4-6", "5-6")
RULE_TOO = CardChange("rules", "", "Rules", "limited", False, True)
NUMBER = CardChange("constants", "", "Constants", "faces", 6, 8)


def row(entrant: str, cards: str = "", **more: Any) -> Standing:
    return standing(entrant, cards=tuple(cards.split()), **more)


UP = {"after": 0.6, "difference": 0.1}
NEW: dict[str, Any] = {"dominated_after": True, "dominated_by_after": ("orc", "elf")}
OLD: dict[str, Any] = {"dominated_before": True, "dominated_by_before": ("orc",)}


def found(cards: tuple[CardChange, ...], *rows: Standing, **more: Any) -> Comparison:
    return comparison(cards, rows, **more)


TWO = (row("one", "elf", **UP), row("two"))


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (
            found((), *TWO[1:]),
            "Nothing changes: before and after are the same cards under the same rules. Nobody is affected.",
        ),
        (
            found((ELF, ELF_TOO), *TWO),
            "1 card changes. 1 of the 2 l**outs contains it; the mean score of ONE moves from 50.0% to 60.0%.",
        ),
        (
            found((ELF, BOW), *TWO, row("six", "elf bow")),
            "2 cards change. 2 of the 3 l**outs contain one of them; of these, the mean score moves most for ONE, from "
            "50.0% to 60.0%.",
        ),
        (found((ELF,), row("one", "elf")), "1 card changes. 1 of the 1 loadout contains it; no mean score moves."),
        (
            found((ELF,), row("one", "elf", difference_low=-0.1, difference_high=0.1)),
            "1 card changes. 1 of the 1 loadout contains it; no mean score is known to move.",
        ),
        (
            found((ELF,), row("one", "elf", difference=None)),
            "1 card changes. 1 of the 1 loadout contains it; no mean score is known to move.",
        ),
        (found((ELF,), row("two")), "1 card changes. None of the 1 loadout contains it: nobody is affected."),
        (
            found((ORC, BOW), *TWO[1:], *TWO[1:]),
            "2 cards change. None of the 2 l**outs contains one of them: nobody is affected.",
        ),
        (
            found((RULE,), *TWO, everybody=True),
            "1 reading of the rules changes. That concerns everybody: of the 2 l**outs, those whose mean score "
            "moves most come first.",
        ),
        (
            found((ELF, BOW, RULE, RULE_TOO, NUMBER), *TWO, everybody=True),
            "2 cards, 2 readings of the rules and 1 number of the rules change. That concerns everybody: of the 2 "
            "l**outs, those whose mean score moves most come first.",
        ),
        (
            found((NUMBER,), row("two"), everybody=True),
            "1 number of the rules changes. That concerns everybody, and the standing of none of the 1 loadout "
            "changes.",
        ),
    ],
)
def test_it_is_said_first_what_changes_and_whom_that_affects(case: Comparison, said: str) -> None:
    assert lead(case, TERMS, str.upper) == said


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        (ELF, ("Elf", "cost points", "4", "5")),
        (BOW, ("Bow", "effects", "laser, emp", "–")),
        (ORC, ("Orc", "", "–", "new")),
        (RULE_TOO, ("Rules", "limited", "false", "true")),
    ],
)
def test_a_change_is_a_row_of_what_was_and_what_is(card: CardChange, shown: tuple[str, ...]) -> None:
    assert card_row(card) == shown


def test_who_comes_to_lose_alone_is_told_to_whom() -> None:
    rows = [row("two"), row("new", **NEW), row("old", **OLD), row("both", **OLD | NEW), row("too", **NEW)]
    assert turned_around(found((ELF,), *rows).affected, str.upper) == [
        "Loses alone from now on to what costs no more: NEW (to ORC or ELF) and TOO (to ORC or ELF).",
        "Loses alone no longer: OLD (did to ORC).",
    ]
    nobody = ["Nobody comes to lose alone to what costs no more, and nobody ceases to."]
    assert turned_around(found((ELF,), *rows[:1]).affected, str.upper) == nobody
    unknown = row("two", dominated_before=None, dominated_after=None)
    assert turned_around(found((ELF,), unknown).affected, str.upper) == []


def affected_tables(
    case: Comparison, name: Name, max_rows: tuple[int, int, int] = (16, 18, 8), brief: bool = False
) -> list[Table]:
    return [
        *changed_table(case.affected, "" if brief else "What is changed.", max_rows[0]),
        *standing_tables(case, TERMS, name, max_rows[1:], brief),
    ]


def text(case: Comparison, **how: Any) -> list[str]:
    lines = "\n".join(told(affected_tables(case, str.upper, **how))).replace("\n  ", " ").replace("\u00a0", "~")
    return [line for line in lines.splitlines() if line]


SCORE = "The score is the mean over the whole field and both turn orders, a draw counting half."
ROWS = [
    row("one", "elf", **UP, cost_after=6.0),
    row("two", "elf", **UP, **OLD | NEW),
    row("three", "elf", **OLD | NEW),
    row("four", **UP, **NEW),
    row("five", **UP, **OLD),
]


def test_the_changed_cards_come_first_then_who_contains_them_then_whose_standing_changes() -> None:
    assert text(found((ELF, BOW), *ROWS)) == [
        "[table] What is changed.",
        "| Card | Value | Before > | After > |",
        "| Elf | cost points | 4 | 5 |",
        "| Bow | effects | laser, emp | – |",
        rf"[table] The l\*\*outs that contain a changed card. {SCORE}",
        "| Loadout | Cost > | Before > | After > | Change > | Loses alone |",
        "| ONE | 5 → 6 {6} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | – |",
        "| TWO | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | still, to ORC or 1 alike |",
        "1 more contains one and stays as it was.",
        r"[table] Other l\*\*outs, without a changed card, whose standing changes all the same.",
        "| Other loadout | Cost > | Before > | After > | Change > | Loses alone |",
        "| FOUR | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | now, to ORC or 1 alike |",
        "| FIVE | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | no longer, did to ORC |",
    ]


MIXED = ("orc", "elf", "imp")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (NEW | {"dominated_by_after": ("orc",)}, "now, to ORC"),
        (NEW | {"dominated_by_after": MIXED}, "now, to ORC or 2 alike"),
        (NEW | {"dominated_by_after": MIXED, "shares_after": (0.5, 0.25, 0.25)}, "now, to a mixture of 3"),
        (OLD | NEW | {"dominated_by_after": MIXED[:2], "shares_after": (0.5, 0.5)}, "still, to a mixture of 2"),
        (OLD | {"dominated_by_before": MIXED[:2], "shares_before": (0.5, 0.5)}, "no longer, did to a mixture of 2"),
    ],
)
def test_a_cell_has_room_for_few_words_on_who_dominates(more: dict[str, Any], said: str) -> None:
    assert text(found((), row("one", "elf", **UP, **more)))[-1].split(" | ")[-1] == f"{said} |"


def test_a_mixture_is_told_in_full_below() -> None:
    mixed = row("one", **NEW | {"dominated_by_after": MIXED, "shares_after": (0.5, 0.25, 0.25)})
    (said,) = turned_around(found((ELF,), mixed).affected, str.upper)
    assert said == "Loses alone from now on to what costs no more: ONE (to half ORC, a quarter ELF and a quarter IMP)."


def test_those_who_stay_as_they_were_are_counted() -> None:
    rows = [row(f"still_{n}", "elf") for n in range(5)]
    assert text(found((ELF,), row("one", "elf", **UP), *rows))[-1] == "5 more contain one and stay as they were."
    assert text(found((ELF,), row("one", "elf", **UP), rows[0]))[-1] == "1 more contains one and stays as it was."


def test_of_many_the_first_are_listed_and_the_rest_counted() -> None:
    ends = {"difference_low": 0.05, "difference_high": 0.15}
    rows = [row("one", "elf", **UP, **ends), row("two", "elf", **UP), *ROWS[3:], row("six", **UP)]
    case = found((ELF, ELF_TOO, BOW), *rows)
    assert [line for line in text(case, max_rows=(1, 1, 1), brief=True) if not line.startswith("[")] == [
        "| Card | Value | Before > | After > |",
        "| Elf | cost points | 4 | 5 |",
        "2 more are in `compare.json`.",
        "| Loadout | Cost > | Before > | After > | Change > | Interval, pp > | Loses alone |",
        "| ONE | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | 5.0 to 15.0 | – |",
        "1 more is in `compare.json`.",
        "| Other loadout | Cost > | Before > | After > | Change > | Loses alone |",
        "| FOUR | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | now |",
        "2 more are in `compare.json`.",
    ]
    whole = [line for line in text(case, max_rows=(3, 2, 3)) if line.startswith("| ") or "compare.json" in line]
    assert whole[:4] == [
        "| Card | Value | Before > | After > |",
        "| Elf | cost points | 4 | 5 |",
        "| Elf | health | 1 | 2 |",
        "| Bow | effects | laser, emp | – |",
    ]
    assert whole[4:] == [
        "| Loadout | Cost > | Before > | After > | Change > | Interval > | Loses alone |",
        "| ONE | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | +5.0~pp to +15.0~pp | – |",
        "| TWO | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | exact | – |",
        "| Other loadout | Cost > | Before > | After > | Change > | Loses alone |",
        "| FOUR | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | now, to ORC or 1 alike |",
        "| FIVE | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | no longer, did to ORC |",
        "| SIX | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | – |",
    ]


def test_a_first_page_has_room_for_so_many() -> None:
    rows = [*(row("one", "elf", **UP) for _ in range(40)), *(row("two", **UP) for _ in range(40))]
    shown = affected_tables(found((ELF,) * 40, *rows), str.upper)
    assert [(len(one.rows), one.note) for one in shown] == [
        (16, "24 more are in `compare.json`."),
        (18, "22 more are in `compare.json`."),
        (8, "32 more are in `compare.json`."),
    ]


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [(True, True, "still"), (False, True, "now"), (True, False, "no longer"), (False, False, "–")],
)
def test_in_a_narrow_place_who_is_dominated_is_a_word(before: bool, after: bool, word: str) -> None:
    one = row("one", "elf", **UP, dominated_before=before, dominated_after=after)
    assert text(found((), one), brief=True)[-1].split(" | ")[-1] == f"{word} |"


def test_where_nobody_asked_who_is_dominated_there_is_no_column_of_it() -> None:
    unknown = row("one", "elf", difference=None, before=None, after=None, dominated_before=None, dominated_after=None)
    assert text(found((), unknown))[-2:] == [
        "| Loadout | Cost > | Before > | After > | Change > |",
        "| ONE | 5 {5} | – | – | – |",
    ]


def test_where_everybody_is_concerned_there_is_one_table() -> None:
    assert text(found((RULE,), *ROWS, everybody=True)) == [
        "[table] What is changed.",
        "| Card | Value | Before > | After > |",
        "| Rules | hits on | 4-6 | 5-6 |",
        rf"[table] The l\*\*outs whose standing changes. {SCORE}",
        "| Loadout | Cost > | Before > | After > | Change > | Loses alone |",
        "| ONE | 5 → 6 {6} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | – |",
        "| TWO | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | still, to ORC or 1 alike |",
        "| FOUR | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | now, to ORC or 1 alike |",
        "| FIVE | 5 {5} | 50.0% {0.5} | 60.0% {0.6} | +10.0~pp {0.1} | no longer, did to ORC |",
    ]
    assert text(found((), everybody=True)) == []


def test_what_turns_is_told_with_what_it_was() -> None:
    assert [before_after("a", "b"), before_after("b", "b")] == ["a → b", "b"]


# -- where armies are bought -----------------------------------------------------------------------------------------


def test_beside_armies_no_cost_stands_in_a_table_of_duels() -> None:
    rows = [row("new", "elf", **NEW), row("old", "elf", **OLD)]
    assert text(found((ELF,), *rows, equal_points=EqualPoints((), (), ())))[4:] == [
        "| Loadout | Before > | After > | Change > | Loses alone |",
        "| NEW | 50.0% {0.5} | 50.0% {0.5} | 0.0~pp {0} | now, to ORC or 1 alike |",
        "| OLD | 50.0% {0.5} | 50.0% {0.5} | 0.0~pp {0} | no longer, did to ORC |",
    ]

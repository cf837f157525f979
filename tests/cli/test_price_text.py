"""What `balance price` prints where tug of war has nothing of the kind: words, what cannot be seen, readings."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.analysis.battles import ArmySetting
from balance.analysis.handicap import ArmyField
from balance.analysis.price_card import ALTERNATIVES, READINGS, STEPS, CardPrice
from balance.analysis.priced import Priced
from balance.cli import price_text
from balance.cli.terminal import say

CARD = Priced(
    "pulse_pistol", "weapons", "Pulse Pistol", 10.0, 14.0, 13.0, 15.0, "underpriced", "costs 10", ("sidearm",),
    (("weapons", "pulse_pistol"),), ("nexus+pulse_pistol",), (38.0,),
    ArmyField(ArmySetting("lineup", ((200.0, 5.0),)), ("nexus+pulse_pistol",), (38.0,)), 2.0,
)  # fmt: skip


def step(field: str, old: str, new: str, seen: bool = True, **numbers: float) -> dict[str, Any]:
    found: dict[str, float | None] = dict.fromkeys(("score", "score_low", "score_high", "points", "low", "high"))
    if seen:
        found |= dict.fromkeys(found, 0.0) | numbers
    place = {"table": "weapons", "card": "pulse_pistol", "field": field, "old": old, "new": new, "value": new}
    return place | {"seen": seen} | found


STEP_ROWS = [
    step("range_cells", "4", "5", seen=False),
    step("range_cells", "4", "3", seen=False),
    step("precision", "6", "7", score=0.126, points=5.47, low=4.55, high=6.4),
    step("effects", "rapid_fire", "", score=-0.4, points=-14.9, low=-15.3, high=-14.5),
    step("damage", "2", "3"),
    step("abilities", "jump", "", seen=False),
]
READING = {"rule": "laser_self", "ambiguity": "WF-Q9", "sentence": "", "fair": 16.0, "low": 15.0, "high": 17.5}


def card(table: str = "weapons", **frames: pl.DataFrame) -> CardPrice:
    from dataclasses import replace

    empty = {
        "steps": pl.DataFrame(schema=STEPS),
        "alternatives": pl.DataFrame(schema=ALTERNATIVES),
        "readings": pl.DataFrame(schema=READINGS),
    }
    return CardPrice(replace(CARD, table=table), **{**empty, **frames}, seed=0, n_battles=1)


def printed(parts: Any, capsys: pytest.CaptureFixture[str]) -> list[str]:
    say(*parts)
    return [text.strip() for text in capsys.readouterr().out.splitlines() if text.strip(" ─")]


def test_steps_tell_words_numbers_and_what_cannot_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    found = card(steps=pl.DataFrame(STEP_ROWS, schema=STEPS))
    assert [" ".join(text.split()) for text in printed(price_text._worth(found), capsys)] == [
        "what a step is worth score points 95% interval",
        "precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "without rapid fire −40.0 pp −14.9 −15.3 to −14.5",
        "damage 3 instead of 2 0.0 pp 0.0 makes no difference here",
        "Not measurable here: range cells, jump.",
    ]


def test_of_a_loadout_it_is_said_whose_field_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = card("", steps=pl.DataFrame(STEP_ROWS[:3], schema=STEPS))
    told = [" ".join(text.split()) for text in printed(price_text._worth(found), capsys)]
    assert told[1:] == [
        "pulse pistol: precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "Not measurable here: pulse pistol: range cells.",
    ]


def test_readings_that_turn_the_verdict_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {**READING, "value": "true", "verdict": "fair", "turns": True},
        {**READING, "rule": "emp", "value": "cumulative", "verdict": "underpriced", "turns": False},
        {**READING, "rule": "emp", "value": "none", "verdict": "underpriced", "turns": False},
    ]
    assert printed(price_text._turned(card(readings=pl.DataFrame(rows, schema=READINGS))), capsys) == [
        "Fair if laser_self = true (WF-Q9): fair cost 16 (15 to 17.5).",
        "Readings that matter to it and do not turn the verdict: emp.",
    ]


def test_a_word_may_come_or_go_instead_of_another_cost(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = {"fair": 10.2, "low": 9.5, "high": 11.0, "score": 0.01, "score_low": -0.01, "score_high": 0.03}
    rows = [
        step("cost_points", "10", "14") | numbers,
        step("effects", "laser", "") | numbers,
        step("effects", "", "emp") | numbers,
    ]
    found = card(alternatives=pl.DataFrame(rows, schema=ALTERNATIVES))
    assert [" ".join(text.split()) for text in printed(price_text._instead(found), capsys)][1:] == [
        "change costs then fair 95% interval score",
        "cost 14 instead of 10 14 10.2 9.5 to 11 51.0% ± 2.0",
        "without laser 10 10.2 9.5 to 11 51.0% ± 2.0",
        "with emp 10 10.2 9.5 to 11 51.0% ± 2.0",
    ]


def row(name: str, verdict: str, witness: list[str] | None = None) -> dict[str, Any]:
    numbers = {"cost_points": 10.0, "fair_points": 12.0, "low": 11.0, "high": 13.0}
    words = {"verdict": verdict, "because": f"{name} because", "dominated_by": witness}
    return {"entrant": name, "card": name, "label": name.title()} | numbers | words


def test_what_is_never_worth_taking_stands_beside_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row("elf", "fair", ["orc", "ent"]), row("orc", "fair"), row("ent", "fair", [])]
    told = [" ".join(text.split()) for text in printed(price_text._never(rows, rows[:1]), capsys)]
    assert told == [
        "Never worth taking in duels: 3",
        "who costs no better than",
        "Elf 10 Orc, Ent",
        "Ent 10",
        "Elf 10 Orc, Ent",
    ]


def test_what_cannot_be_known_is_told_by_its_word_and_beyond_some_counted(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(f"x{n}", "depends on play") for n in range(9)] + [row("elf", "fair"), row("orc", "overpriced")]
    told = [" ".join(text.split()) for text in printed(price_text._open("card", "cards", rows), capsys)]
    assert told == [
        "Depends on play: 9 cards",
        "card because",
        *(f"X{n} x{n} because" for n in range(8)),
        "1 more: --json lists all",
    ]

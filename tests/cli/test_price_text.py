"""What `balance price` prints where tug of war has nothing of the kind: words, what cannot be seen, readings."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.changes.handicaps.handicap import ArmyField
from balance.analysis.changes.neighbours.price_card import ALTERNATIVES, READINGS, STEPS, CardPrice
from balance.analysis.changes.neighbours.priced_item import PricedItem
from balance.analysis.dominance.unfair_pairs import UnfairPair, UnfairPairs
from balance.answers.media.terminal import say
from balance.game.loaded import load
from balance.verbs.render.armies import card_price_text, price_text
from balance.verbs.render.fairness import what_stays

CARD = PricedItem(
    "pulse_pistol", "weapons", "Pulse Pistol", 10.0, 14.0, 13.0, 15.0, "too cheap", "costs 10", (), "too cheap",
    (13.0, 15.0),
    (("weapons", "pulse_pistol"),), ("nexus+pulse_pistol",), (38.0,),
    ArmyField(ArmySetting("lineup", ((200.0, 5.0),)), ("nexus+pulse_pistol",), (38.0,)), 2.0,
)  # fmt: skip


NUMBERS: dict[str, Any] = {
    "cost": 10.0, "fair": 10.2, "low": 9.5, "high": 11.0, "score": 0.01, "score_low": -0.01, "score_high": 0.03,
    "tolerance": 2.0, "verdict": "fair",
}  # fmt: skip


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
READING = {"rule": "laser_self", "ambiguity": "WF-Q9", "sentence": "", "fair": 11.0, "low": 9.8, "high": 11.9}


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
    assert [" ".join(text.split()) for text in printed(card_price_text._worth(found), capsys)] == [
        "what a step is worth score points 95% interval",
        "precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "without rapid fire −40.0 pp −14.9 −15.3 to −14.5",
        "damage 3 instead of 2 0.0 pp 0.0 makes no difference here",
        "Not measurable here: range cells, jump.",
    ]


def test_what_is_cheap_has_as_many_decimals_as_its_interval_needs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [step("dice", "2", "3", score=0.22, points=0.687, low=0.624, high=0.749)]
    found = card(steps=pl.DataFrame(rows, schema=STEPS))

    def told(cost: float) -> str:
        at = replace(found, item=replace(found.item, cost=cost))
        return " ".join(printed(card_price_text._worth(at), capsys)[1].split())

    assert [told(cost) for cost in (1.0, 10.0)] == ["dice 3 instead of 2 +22.0 pp +0.69 +0.62 to +0.75"] * 2
    assert told(40.0) == "dice 3 instead of 2 +22.0 pp +0.7 +0.6 to +0.7"


def test_a_whole_cost_that_its_own_row_denies_is_not_proposed(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = {"cost": 2.0, "fair": 1.66, "low": 1.6, "high": 1.72, "verdict": "too dear"}
    denied = step("cost_points", "1", "2") | NUMBERS | numbers
    told = "No whole cost is fair: 2 would be too dear (fair at 1.66, 1.6 to 1.72)."
    found = card(alternatives=pl.DataFrame([denied, step("damage", "2", "1") | NUMBERS], schema=ALTERNATIVES))
    lines = " ".join(" ".join(printed(card_price_text._instead(found), capsys)).split())
    assert lines.endswith(f"is then damage 1 instead of 2 10 10.2 9.5 to 11 51.0% ± 2.0 fair {told}")
    found = card(alternatives=pl.DataFrame([denied], schema=ALTERNATIVES))
    lines = " ".join(printed(card_price_text._instead(found), capsys))
    assert lines == f"{told} No single change of another number was found."


def test_of_a_loadout_of_several_cards_it_is_said_whose_field_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = card("", steps=pl.DataFrame(STEP_ROWS[:3], schema=STEPS))
    alone = [" ".join(text.split()) for text in printed(card_price_text._worth(found), capsys)]
    assert alone[1].startswith("precision 7 ")
    nexus = ("units", "nexus"), ("weapons", "pulse_pistol")
    found = replace(found, item=replace(found.item, cards=nexus))
    told = [" ".join(text.split()) for text in printed(card_price_text._worth(found), capsys)]
    assert told[1:] == [
        "pulse pistol: precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "Not measurable here: pulse pistol: range cells.",
    ]


def test_readings_that_turn_the_verdict_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {**READING, "value": "true", "verdict": "fair", "turns": True},
        {**READING, "rule": "emp", "value": "cumulative", "verdict": "too cheap", "turns": False},
        {**READING, "rule": "emp", "value": "none", "verdict": "too cheap", "turns": False},
    ]
    assert printed(card_price_text._turning_readings(card(readings=pl.DataFrame(rows, schema=READINGS))), capsys) == [
        "Fair if laser_self = true (WF-Q9): fair cost 11 (9.8 to 11.9).",
        "Readings that matter to it and do not turn the verdict: emp.",
    ]


def test_a_word_may_come_or_go_instead_of_another_cost(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        step("cost_points", "10", "14") | NUMBERS | {"cost": 14.0, "fair": 14.2, "low": 13.5, "high": 15.0},
        step("effects", "laser", "") | NUMBERS,
        step("effects", "", "emp") | NUMBERS,
    ]
    found = card(alternatives=pl.DataFrame(rows, schema=ALTERNATIVES))
    assert [" ".join(text.split()) for text in printed(card_price_text._instead(found), capsys)][1:] == [
        "change costs fair 95% interval score is then",
        "cost 14 instead of 10 14 14.2 13.5 to 15 51.0% ± 2.0 fair",
        "without laser 10 10.2 9.5 to 11 51.0% ± 2.0 fair",
        "with emp 10 10.2 9.5 to 11 51.0% ± 2.0 fair",
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({}, "fair"),
        ({"fair": 20.0, "low": 19.4, "high": 20.6, "cost": 19.0}, "fair within 2"),
        ({"score": 0.02, "score_low": 0.005, "score_high": 0.035}, "fair within 2"),
        ({"verdict": "not yet known", "high": 12.4}, "not yet known"),
        ({"fair": 21.0, "low": 20.2, "high": 21.8, "cost": 19.0, "tolerance": 2.85}, "fair within 2.9"),
    ],
)
def test_no_change_is_called_fair_that_its_own_row_denies(row: dict[str, Any], told: str) -> None:
    assert card_price_text._then_is(step("cost_points", "10", "14") | NUMBERS | row) == told


def test_a_fair_card_whose_interval_leaves_its_cost_out_says_within_what() -> None:
    from dataclasses import replace

    fair = replace(CARD, cost=19.0, fair=20.0, fair_range=(19.4, 20.6), verdict="fair")
    assert card_price_text._word(fair) == "fair within 2"
    assert card_price_text._word(replace(fair, fair_range=(18.9, 20.6))) == "fair"
    assert card_price_text._word(CARD) == "too cheap"


def test_nothing_to_change_is_no_claim_that_it_is_fair() -> None:
    from dataclasses import replace

    open_one = replace(CARD, fair=11.5, low=10.5, high=12.6, verdict="not yet known")
    told = "Nothing to change: 11.5 is off by no more than the tolerance of 2"
    assert card_price_text._no_change(open_one) == f"{told}, though that is not certain."
    assert card_price_text._no_change(replace(open_one, high=11.9, verdict="fair")) == f"{told}."


def row(name: str, verdict: str) -> dict[str, Any]:
    numbers = {"cost_points": 10.0, "fair_points": 12.0, "low": 11.0, "high": 13.0, "dice_low": 11.5, "dice_high": 12.5}
    words: dict[str, Any] = {"verdict": verdict, "because": f"{name} because", "as_proposed": verdict}
    words |= dict.fromkeys(("dominated_by", "lead", "lead_error"))
    return {"entrant": name, "card": name, "label": name.title()} | numbers | words


def test_who_is_never_worth_taking_stands_beside_the_cost_of_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    beaten = {"dominated_by": ["ogre"], "lead_error": 0.011}
    leads = {"elf": 0.2, "orc": 0.123, "ent": 0.31, "imp": 0.1}
    rows = [row("ogre", "too cheap"), *(row(name, "fair") | beaten | {"lead": lead} for name, lead in leads.items())]
    told = [" ".join(" ".join(printed(what_stays.never_worth(rows, few=True), capsys)).split())]
    head = "Never worth taking at equal points while Ogre costs 10"
    assert told == [f"{head}: Ent (31 pp behind), Elf (20), Orc (12) and 1 more."]
    told = [" ".join(" ".join(printed(what_stays.never_worth(rows), capsys)).split())]
    assert told == [f"{head}: Ent (31 ± 2 pp behind), Elf (20 ± 2), Orc (12 ± 2), Imp (10 ± 2)."]
    assert list(what_stays.never_worth(rows[:1])) == []


CYCLE = tuple(UnfairPair(*pair, 0.8, 0.02, 0.3) for pair in (("ant", "bee"), ("bee", "cow"), ("cow", "ant")))


@pytest.mark.parametrize(
    ("unfair", "told"),
    [
        (
            UnfairPairs(CYCLE, CYCLE, 0.06, 45),
            "Of what is left, 6% is teams too strong or too weak against all and 94% who meets whom, which no cost "
            "mends. Rock, paper, scissors: Ant beats Bee 80:20, which beats Cow 80:20, which beats the first 80:20.",
        ),
        (
            UnfairPairs((replace(CYCLE[0], winner="dog"),), CYCLE, 0.9, 45),
            "Of what is left, 90% is teams too strong or too weak against all (Dog beats Bee 80:20) and 10% who meets "
            "whom, which no cost mends. Rock, paper, scissors: Ant beats Bee 80:20, which beats Cow 80:20, which beats "
            "the first 80:20.",
        ),
        (UnfairPairs(CYCLE[:1], (), None, 45), "Farthest from even (1 of 45 pairs, 30% of it): Ant beats Bee 80:20."),
        (
            UnfairPairs((replace(CYCLE[0], share=0.01),), (), 0.6, 3916),
            "Of what is left, 60% is teams too strong or too weak against all and 40% who meets whom, which no cost "
            "mends. Farthest from even (1 of 3,916 pairs): Ant beats Bee 80:20.",
        ),
    ],
)
def test_what_no_cost_mends_is_told_by_name(unfair: UnfairPairs, told: str) -> None:
    game: Any = SimpleNamespace(label=str.title, words=SimpleNamespace(entrants="teams"))
    assert " ".join(what_stays._unfair_texts(game, unfair, False)) == told


def test_what_cannot_be_known_is_told_by_its_word_and_beyond_some_counted(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(f"x{n}", "depends on play") for n in range(9)] + [row("elf", "fair"), row("orc", "too dear")]
    told = [" ".join(text.split()) for text in printed(price_text._open("card", "cards", rows), capsys)]
    assert told == [
        "Depends on play: 9 cards",
        "card because",
        *(f"X{n} x{n} because" for n in range(8)),
        "1 more: --json lists all",
    ]


def test_one_unit_alone_is_not_called_fair_and_a_cost_that_is_no_point_names_its_unit() -> None:
    def answer(game: str, *rows: dict[str, Any]) -> str:
        prices = SimpleNamespace(game=load(game))
        return price_text._answer(prices, "unit", "units", rows)  # type: ignore[arg-type]

    ogre = row("ogre", "too cheap") | {"cost_points": 1.0, "fair_points": 2.52, "low": 2.5, "high": 2.6}
    alone = f"{ogre['label']} alone cannot be judged: points are only compared with those of another unit."
    assert answer("battlelore", ogre) == alone
    told = f"2 units of 2 should change, {ogre['label']} most, which costs 1 and should cost 2.52"
    ends = "(2.5 to 2.6)"
    assert answer("battlelore", ogre, ogre).replace("\N{NO-BREAK SPACE}", " ") == f"{told} banners {ends}."
    assert answer("warforged", ogre, ogre) == f"{told} {ends}."


def test_where_no_whole_cost_is_nearer_that_is_said() -> None:
    archers = replace(card().item, cost=1.0, fair=0.66, low=0.65, high=0.68, tolerance=0.2, verdict="too dear")
    told = "Nothing to change: 1 is the nearest whole cost, and no other number makes it fair."
    assert card_price_text._no_change(archers) == told

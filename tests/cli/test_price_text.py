"""What `balance price` prints where tug of war has nothing of the kind: words, what cannot be seen, readings."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.changes.neighbours.price_card import PricedStep, PriceOfCard, RuleReading
from balance.analysis.dominance.unfair_pairs import UnfairPair, UnfairPairs
from balance.analysis.prices.answer import Alternative, LoadoutPrice, Proposal
from balance.answers.form import Terms
from balance.answers.media.answer import drawn
from balance.answers.media.terminal import say
from balance.answers.words.prices import card_price, price_list, unfair
from balance.game.loaded import load

PRICE = LoadoutPrice(
    "Pulse Pistol", 10.0, 14.0, 13.0, 15.0, 13.0, 15.0, "too cheap", "costs 10", (), 2.0, 0
)  # fmt: skip
NUMBERS: dict[str, Any] = {
    "cost": 10.0, "fair": 10.2, "low": 9.5, "high": 11.0, "score": 0.01, "score_low": -0.01, "score_high": 0.03,
    "tolerance": 2.0, "verdict": "fair",
}  # fmt: skip
NO_SETTINGS: Any = None


def step(field: str, old: str, new: str, seen: bool = True, **numbers: float) -> PricedStep:
    names = ("score", "score_low", "score_high", "points", "low", "high")
    values: dict[str, float | None] = dict.fromkeys(names)
    if seen:
        values |= dict.fromkeys(names, 0.0) | numbers
    return PricedStep("weapons", "pulse_pistol", field, old, new, new, seen, **values)


def instead(field: str, old: str, new: str, **numbers: Any) -> Alternative:
    return Alternative("weapons", "pulse_pistol", field, old, new, new, **{**NUMBERS, **numbers})


STEPS = (
    step("range_cells", "4", "5", seen=False),
    step("range_cells", "4", "3", seen=False),
    step("precision", "6", "7", score=0.126, points=5.47, low=4.55, high=6.4),
    step("effects", "rapid_fire", "", score=-0.4, points=-14.9, low=-15.3, high=-14.5),
    step("damage", "2", "3"),
    step("abilities", "jump", "", seen=False),
)


def reading(rule: str, value: str, verdict: str, turns: bool) -> RuleReading:
    return RuleReading(rule, value, "WF-Q9", "", 11.0, 9.8, 11.9, verdict, turns)


CARD = PriceOfCard(
    1, "warforged", "price", "pulse_pistol", "weapons", PRICE, (), (), (), NO_SETTINGS, ("pulse_pistol",)
)  # fmt: skip


def card(**parts: Any) -> PriceOfCard:
    return replace(CARD, **parts)


def printed(parts: Any, capsys: pytest.CaptureFixture[str]) -> list[str]:
    say(*drawn(parts))
    return [text.strip() for text in capsys.readouterr().out.splitlines() if text.strip(" ─")]


def test_steps_tell_words_numbers_and_what_cannot_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    found = card(steps=STEPS)
    assert [" ".join(text.split()) for text in printed(card_price._worth(found, 99), capsys)] == [
        "what a step is worth score points 95% interval",
        "precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "without rapid fire −40.0 pp −14.9 −15.3 to −14.5",
        "damage 3 instead of 2 0.0 pp 0.0 makes no difference here",
        "Not measurable here: range cells, jump.",
    ]


def test_what_is_cheap_has_as_many_decimals_as_its_interval_needs(capsys: pytest.CaptureFixture[str]) -> None:
    found = card(steps=(step("dice", "2", "3", score=0.22, points=0.687, low=0.624, high=0.749),))

    def told(cost: float) -> str:
        at = replace(found, price=replace(PRICE, cost=cost))
        return " ".join(printed(card_price._worth(at, 99), capsys)[1].split())

    assert [told(cost) for cost in (1.0, 10.0)] == ["dice 3 instead of 2 +22.0 pp +0.69 +0.62 to +0.75"] * 2
    assert told(40.0) == "dice 3 instead of 2 +22.0 pp +0.7 +0.6 to +0.7"


def test_a_whole_cost_that_its_own_row_denies_is_not_proposed(capsys: pytest.CaptureFixture[str]) -> None:
    denied = instead("cost_points", "1", "2", cost=2.0, fair=1.66, low=1.6, high=1.72, verdict="too dear")
    told = "No whole cost is fair: 2 would be too dear (fair at 1.66, 1.6 to 1.72)."
    found = card(alternatives=(denied, instead("damage", "2", "1")))
    lines = " ".join(" ".join(printed(card_price._instead(found, 99), capsys)).split())
    assert lines.endswith(f"is then damage 1 instead of 2 10 10.2 9.5 to 11 51.0% ± 2.0 fair {told}")
    found = card(alternatives=(denied,))
    lines = " ".join(printed(card_price._instead(found, 99), capsys))
    assert lines == f"{told} No single change of another number was found."


def test_of_a_loadout_of_several_cards_it_is_said_whose_field_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = card(table=None, steps=STEPS[:3])
    alone = [" ".join(text.split()) for text in printed(card_price._worth(found, 99), capsys)]
    assert alone[1].startswith("precision 7 ")
    found = replace(found, holds=("nexus", "pulse_pistol"))
    told = [" ".join(text.split()) for text in printed(card_price._worth(found, 99), capsys)]
    assert told[1:] == [
        "pulse pistol: precision 7 instead of 6 +12.6 pp +5.5 +4.5 to +6.4",
        "Not measurable here: pulse pistol: range cells.",
    ]


def test_readings_that_turn_the_verdict_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    readings = (
        reading("laser_self", "true", "fair", turns=True),
        reading("emp", "cumulative", "too cheap", turns=False),
        reading("emp", "none", "too cheap", turns=False),
    )
    assert printed(card_price._turning_readings(card(readings=readings)), capsys) == [
        "Fair if laser_self = true (WF-Q9): fair cost 11 (9.8 to 11.9).",
        "Readings that matter to it and do not turn the verdict: emp.",
    ]


def test_a_word_may_come_or_go_instead_of_another_cost(capsys: pytest.CaptureFixture[str]) -> None:
    changes = (
        instead("cost_points", "10", "14", cost=14.0, fair=14.2, low=13.5, high=15.0),
        instead("effects", "laser", ""),
        instead("effects", "", "emp"),
    )
    found = card(alternatives=changes)
    assert [" ".join(text.split()) for text in printed(card_price._instead(found, 99), capsys)][1:] == [
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
    assert card_price._then_is(instead("cost_points", "10", "14", **row)) == told


def test_nothing_to_change_is_no_claim_that_it_is_fair() -> None:
    unsettled = replace(PRICE, fair=11.5, low=10.5, high=12.6, verdict="not yet known")
    told = "Nothing to change: 11.5 is off by no more than the tolerance of 2"
    assert card_price._no_change(unsettled) == f"{told}, though that is not certain."
    assert card_price._no_change(replace(unsettled, high=11.9, verdict="fair")) == f"{told}."


def named(name: str, verdict: str, **more: Any) -> LoadoutPrice:
    numbers = (10.0, 12.0, 11.0, 13.0, 11.5, 12.5)
    return LoadoutPrice(name.title(), *numbers, verdict, f"{name} because", (), 2.0, 0, **more)


def test_who_is_never_worth_taking_stands_beside_the_cost_of_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    beaten: dict[str, Any] = {"dominated_by": ("ogre",), "lead_error": 0.011}
    leads = {"elf": 0.2, "orc": 0.123, "ent": 0.31, "imp": 0.1}
    losers = {name: named(name, "fair", lead=lead, **beaten) for name, lead in leads.items()}
    ogre = {"ogre": named("ogre", "too cheap")}
    told = [" ".join(" ".join(printed(unfair.never_worth(ogre | losers, few=True), capsys)).split())]
    head = "Never worth taking at equal points while Ogre costs 10"
    assert told == [f"{head}: Ent (31 pp behind), Elf (20), Orc (12) and 1 more."]
    told = [" ".join(" ".join(printed(unfair.never_worth(ogre | losers), capsys)).split())]
    assert told == [f"{head}: Ent (31 ± 2 pp behind), Elf (20 ± 2), Orc (12 ± 2), Imp (10 ± 2)."]
    assert list(unfair.never_worth(ogre)) == []


CYCLE = tuple(UnfairPair(*pair, 0.8, 0.02, 0.3) for pair in (("ant", "bee"), ("bee", "cow"), ("cow", "ant")))


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        (
            UnfairPairs(45, 0.06, CYCLE, CYCLE),
            "Of what is unfair with all costs changed, 6% is teams too strong or too weak against all and "
            "94% who meets whom, which no cost mends. Rock, paper, scissors: Ant beats Bee 80:20, which beats Cow "
            "80:20, which beats the first 80:20.",
        ),
        (
            UnfairPairs(45, 0.9, (replace(CYCLE[0], winner="dog"),), CYCLE),
            "Of what is unfair with all costs changed, 90% is teams too strong or too weak against all (Dog "
            "beats Bee 80:20) and 10% who meets whom, which no cost mends. Rock, paper, scissors: Ant beats Bee "
            "80:20, which beats Cow 80:20, which beats "
            "the first 80:20.",
        ),
        (
            UnfairPairs(45, 1.0, CYCLE[:1], ()),
            "What is unfair with all costs changed is teams too strong or too weak against all. Farthest from even (1 "
            "of 45 pairs, 30% of it): Ant beats Bee 80:20.",
        ),
        (UnfairPairs(45, None, CYCLE[:1], ()), "Farthest from even (1 of 45 pairs, 30% of it): Ant beats Bee 80:20."),
        (
            UnfairPairs(3916, 0.6, (replace(CYCLE[0], share=0.01),), ()),
            "Of what is unfair with all costs changed, 60% is teams too strong or too weak against all and "
            "40% who meets whom, which no cost mends. Farthest from even (1 of 3,916 pairs): Ant beats Bee 80:20.",
        ),
    ],
)
def test_what_no_cost_mends_is_told_by_name(pairs: UnfairPairs, told: str) -> None:
    loadouts = {name: named(name, "fair") for name in ("ant", "bee", "cow", "dog")}
    answer: Any = SimpleNamespace(unfair=pairs, loadouts=loadouts)
    terms = replace(Terms.of(load("warforged"), ""), entrants="teams")
    assert " ".join(unfair._unfair_texts(answer, terms, False)) == told


def test_what_cannot_be_known_is_told_by_its_word_and_beyond_some_counted(capsys: pytest.CaptureFixture[str]) -> None:
    cards = {f"x{n}": named(f"x{n}", "depends on play") for n in range(9)}
    cards |= {"elf": named("elf", "fair"), "orc": named("orc", "too dear")}
    cards["x0"] = replace(cards["x0"], battles=4000)
    told = [" ".join(text.split()) for text in printed(price_list._open(("card", "cards"), cards), capsys)]
    assert told == [
        "Depends on play: 9 cards",
        "card because",
        "X0 x0 because; --battles 4000 should settle it",
        *(f"X{n} x{n} because" for n in range(1, 8)),
        "1 more: --json lists all",
    ]


EVEN, LOPSIDED = TypicalMatchUp.of(0.0025, 1e-6, 99), TypicalMatchUp.of(0.0625, 1e-6, 99)
POWER = Proposal({"elf": 8}, 1.4, LOPSIDED, EVEN, 0.06, 0.001, 1)
DEAR = replace(named("elf", "too dear"), cost=12.0, fair=10.5, low=10.0, high=10.9)


@pytest.mark.parametrize(
    ("is_fair", "loadouts", "cards", "more", "told"),
    [
        ("yes", "FF", "FF", {}, "Yes: all 2 units are fair within the tolerance, and a typical match-up is 55:45."),
        (
            "no", "FDDN", "DF", {},
            "No: 2 of 4 units are too dear, 1 not yet known and 1 fair; farthest off is Elf (with 1 other as far), "
            "which costs 12 and should cost 10.5 (10 to 10.9). Of 2 cards 1 is too dear and 1 fair.",
        ),
        (
            "no", "FN", "DF", {},
            "No: no unit is surely off, but 1 of 2 cards is too dear and 1 fair; farthest off is Elf, which costs 12 "
            "and should cost 10.5 (10 to 10.9).",
        ),
        (
            "not yet known", "FN", "FF", {},
            "Not yet known: 1 of 2 units is not yet known and 1 fair; a typical match-up is 55:45; --battles 4000 "
            "should "
            "settle it.",
        ),
        (
            "costs yes, match-ups no", "FF", "FF", {"before": LOPSIDED},
            "Costs yes, match-ups no: no unit is off, but a typical match-up is 75:25; 80% of that is who meets whom, "
            "which no cost mends.",
        ),
        (
            "no", "FFF", "FF", {"before": LOPSIDED, "proposal": POWER},
            "No: costs rise too slowly: all of them to the power 1.40 would be fair; no single cost explains it, and a "
            "typical match-up is 75:25.",
        ),
        ("not yet known", "F", "F", {}, "Ogre alone cannot be judged: points are only compared with those of another "
                                        "card."),
    ],
)  # fmt: skip
def test_the_first_words_answer_whether_it_is_fair(
    is_fair: str, loadouts: str, cards: str, more: dict[str, Any], told: str
) -> None:
    rows = {
        "F": replace(named("ogre", "fair")), "D": DEAR, "N": replace(named("ork", "not yet known"), battles=4000)
    }  # fmt: skip
    answer: Any = SimpleNamespace(
        is_fair=is_fair, loadouts={f"{n}": rows[letter] for n, letter in enumerate(loadouts)},
        cards={f"card {n}": rows[letter] for n, letter in enumerate(cards)}, proposal=more.get("proposal"),
        typical_match_up=SimpleNamespace(before=more.get("before", EVEN)),
        unfair=SimpleNamespace(share_of_strength=0.2),
    )  # fmt: skip
    terms = replace(Terms.of(load("battlelore"), ""), entrant="unit", entrants="units")
    assert price_list.sentence(answer, terms) == told


def test_where_no_whole_cost_is_nearer_that_is_said() -> None:
    archers = replace(PRICE, cost=1.0, fair=0.66, low=0.65, high=0.68, tolerance=0.2, verdict="too dear")
    told = "Nothing to change: 1 is the nearest whole cost, and no other number makes it fair."
    assert card_price._no_change(archers) == told

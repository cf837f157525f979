"""Line-ups of Runewars: against duels, against a reference implementation, by what must not matter, and the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import balance
from balance.analysis.prices.fits import fair_costs
from balance.analysis.prices.price_list import price_list
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.chance.exact.chain import chain_distribution
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.engine.runner import Runner
from balance.game.game import Lane
from tests.games.runewars.comparing import (
    RUNEWARS,
    UNITS,
    apart,
    card_of,
    chances,
    changed,
    overrides,
    random_how,
    random_name,
    random_unit,
    rules,
)
from tests.games.runewars.reference_lineup import LINEUP_COLUMNS, Fighter, LineUp, lineup_outcomes
from tests.games.runewars.reference_trays import Ability, Unit

LANES: tuple[Lane, ...] = ("literal", "compiled")
BOTH = "winner", "rounds", "a_figures", "b_figures"


def ask(a: str, b: str, first: str = "a", changes: dict[str, Any] | None = None, **choices: str) -> balance.Question:
    return RUNEWARS.ask("lineup", a, b, changes, first=first, **choices)


def ends(question: balance.Question, columns: tuple[str, ...] = LINEUP_COLUMNS) -> dict[tuple[int, ...], float]:
    return chances(question, columns)


DUELS: list[tuple[str, str, dict[str, Any]]] = [
    ("spearmen", "reanimates", {}),
    ("rune_golems", "wraiths", {}),
    ("aymhelin_scions", "wraiths", {}),
    ("carrion_lancers+rotten_edges", "spearmen+file_leader", {}),
    ("lord_hawthorne", "death_knights+2x2+war_beast", {}),
    ("spearmen+war_cry", "reanimates+shadow_brand", {}),
    ("reanimates+2x2", "wraiths+2x2", {"a.wounds_suffered": 3}),
    ("ardus_ixerebus+killing_blow", "kari_wraithstalker", {"b.conditions": "blight"}),
    ("spearmen+3x2+war_cry", "reanimates+2x2", {"a.partial": 1, "b.protected": 1, "a.add_mortal_strikes": 1}),
]


@pytest.mark.parametrize(("a", "b", "changes"), DUELS)
@pytest.mark.parametrize("first", ["a", "b"])
def test_one_against_one_is_a_duel(a: str, b: str, changes: dict[str, Any], first: str) -> None:
    duel = RUNEWARS.ask("duel", a, b, changes, first=first)
    assert not apart(ends(ask(a, b, first, changes), BOTH), ends(duel, BOTH), 1e-9)


def test_both_lanes_play_alike() -> None:
    question = ask("rune_golems,spearmen", "wraiths,reanimates", changes={"situation.round_limit": 1, "a.1.ranks": 1})
    setup, kind = question.setup, question.kind
    drawn, rolled = (chain_distribution(*kind.processes(setup, lane)) for lane in LANES[::-1])
    assert drawn.columns == rolled.columns
    assert np.array_equal(drawn.outcomes, rolled.outcomes)
    assert np.allclose(drawn.p, rolled.p, rtol=0, atol=1e-12)


def random_lineup(seed: int) -> tuple[balance.Question, LineUp]:
    """Return a small line-up, asked of the game and told for the reference implementation."""
    dice = Random(seed)
    how = replace(
        random_how(dice), edges=("front",), touches=("none",), rerolls="no_hit", accuracy="unit", surges="listed"
    )
    changes, armies, texts = dict[str, Any](), [], []
    for side in "ab":
        names = [random_name(dice, tuple(UNITS)) for _ in range(dice.choice((1, 2, 2)))]
        units = [random_unit(dice, card_of(name), 2, 2, False) for name in names]
        units = [changed(dice, unit, 0.2, regenerate=("1", "natural")) for unit in units]
        for place, (name, unit) in enumerate(zip(names, units, strict=True), start=1):
            changes |= overrides(f"{side}.{place}" if len(names) > 1 else side, name, unit)
        costs = [RUNEWARS.cost_points(name) for name in names]
        armies.append(tuple(Fighter(unit, int(cost)) for unit, cost in zip(units, costs, strict=True)))
        texts.append(",".join(names))
    aims = dice.choice(("opposite", "weakest", "dearest")), dice.choice(("opposite", "weakest", "dearest"))
    limit, one_in_all, first = dice.choice((1, 2, 2, 3)), dice.random() < 0.5, dice.choice((0, 1))
    changes |= rules(how) | {"situation.round_limit": limit, "situation.budget_points": 0}
    changes["rules.unique_conditions"] = "one" if one_in_all else "both"
    asked = ask(texts[0], texts[1], "ab"[first], changes, a_target=aims[0], b_target=aims[1])
    return asked, LineUp(armies[0], armies[1], aims, how, first, limit, one_in_all=one_in_all)


@pytest.mark.parametrize("seed", range(24))
def test_random_line_ups_are_told_alike(seed: int) -> None:
    asked, lineup = random_lineup(seed)
    assert not apart(ends(asked), lineup_outcomes(lineup), 1e-9)


def fighter(name: str, points: int, **fields: Any) -> Fighter:
    """Return a unit as its cards are, in as many trays as it has in the formation 2x1, or as is said."""
    own = {one: fields.pop(one) for one in ("lends", "borrows", "attacks_all") if one in fields}
    return Fighter(replace(card_of(name) if name in UNITS else Unit(), **fields), points, **own)


SPEARMEN = fighter("spearmen", 18)
REANIMATES = fighter("reanimates", 16)
HERO: dict[str, Any] = {"columns": 1, "figures_per_tray": 1, "wound_threshold": 4, "defence": "3", "brutal": "1"}
HAWTHORNE = fighter(
    "lord_hawthorne", 34, dice=("1", "0", "1"), attacks_all=True, surges=(Ability("inspiration", 1, 2),), **HERO
)


@pytest.mark.rule("RW-CARD.2")
@pytest.mark.parametrize("aim", ["opposite", "dearest"])
@pytest.mark.parametrize(
    "foes",
    [
        {"reanimates": REANIMATES, "spearmen": SPEARMEN},
        pytest.param(
            {"reanimates": REANIMATES, "wraiths": fighter("wraiths", 17), "spearmen": SPEARMEN}, marks=pytest.mark.slow
        ),
    ],
    ids=len,
)
def test_hawthorne_attacks_every_enemy_once(foes: dict[str, Fighter], aim: str) -> None:
    lineup = LineUp((HAWTHORNE,), tuple(foes.values()), (aim, aim), round_limit=1)
    asked = ask("lord_hawthorne", ",".join(foes), changes={"situation.round_limit": 1}, a_target=aim)
    assert not apart(ends(asked), lineup_outcomes(lineup), 1e-9)
    setup, kind = asked.setup, asked.kind
    rolls = (simulate(kind.processes(setup, lane)[0], RandomRolls(1, lane, 0, 40_000)) for lane in LANES)
    rolled, drawn = (found["b_figures"].mean() for found in rolls)
    exact = sum(end[5] * p for end, p in ends(asked).items())
    assert abs(rolled - exact) < 0.08
    assert abs(drawn - exact) < 0.08


BLOW = Ability("mortal_strikes", 1, 2, unique=True)
ARDUS = {**HERO, "dice": ("0", "0", "2")}


@pytest.mark.rule("RW-CARD.1", "RW-SURGE.3")
@pytest.mark.parametrize("once", [False, True])
def test_ardus_has_the_surges_of_friends_that_stand_at_their_costs(once: bool) -> None:
    cheap = replace(BLOW, cost=1)
    friends = [
        fighter("reanimates", 25, surges=(BLOW,), surge_discount=1, lends=(cheap,)),
        fighter("wraiths", 22, surges=(BLOW,), lends=(BLOW,)),
        fighter("wraiths", 22, surges=(BLOW,), lends=(BLOW,)),
    ]
    army = (*friends, fighter("ardus_ixerebus", 37, borrows=True, **ARDUS))
    how = replace(LineUp((), ()).how, unique_once_in_all=once)
    lineup = LineUp(army, (fighter("death_knights", 24),), how=how, first=1, round_limit=1)
    changes = {"situation.round_limit": 1, "rules.unique_surges": "once" if once else "each_card"}
    changes |= {
        "a.1.columns": 1,
        "a.2.columns": 1,
        "a.3.columns": 1,
        "a.2.wounds_suffered": 3,
        "a.3.wounds_suffered": 3,
    }
    thin = [replace(one, unit=replace(one.unit, columns=1)) for one in friends]
    thin[1:] = [replace(one, unit=replace(one.unit, wounds_suffered=3)) for one in thin[1:]]
    lineup = replace(lineup, a=(*thin, army[-1]))
    text = "reanimates+killing_blow+quick_wits,wraiths+killing_blow,wraiths+killing_blow,ardus_ixerebus"
    asked = ask(text, "death_knights", "b", changes)
    assert not apart(ends(asked), lineup_outcomes(lineup), 1e-9)
    alone = replace(lineup, a=tuple(replace(one, lends=()) for one in lineup.a))
    assert apart(ends(asked), lineup_outcomes(alone), 1e-3), "what is lent matters"


@pytest.mark.rule("RW-COND.1", "RW-COND.2", "RW-COND.3")
@pytest.mark.parametrize("option", ["both", "one"])
def test_a_unique_condition_moves_with_its_effect(option: str) -> None:
    """Hawthorne brands one enemy and then the other, who loses no brand of a friend's unless there is one in all."""
    brands, idle = (Ability("branded", 1, 1),), ("0", "0", "0")
    army = (
        replace(HAWTHORNE, unit=replace(HAWTHORNE.unit, surges=brands)),
        fighter("spearmen", 18, columns=1, dice=("0", "1", "0"), surges=brands),
    )
    foe = fighter("spearmen", 18, columns=1, dice=idle)
    lineup = LineUp(army, (foe, foe), round_limit=2, one_in_all=option == "one")
    changes: dict[str, Any] = {"a.surge_abilities": "branded@1", "a.columns": 1, "a.2.red": 0, "b.columns": 1}
    changes |= {"b.red": 0, "b.blue": 0, "situation.round_limit": 2, "rules.unique_conditions": option}
    asked = ask("lord_hawthorne,spearmen", "spearmen:2", changes=changes)
    assert not apart(ends(asked), lineup_outcomes(lineup), 1e-9)
    for other in (replace(lineup, one_in_all=option == "both"), replace(lineup, unique=frozenset())):
        assert apart(ends(asked), lineup_outcomes(other), 1e-4)


@pytest.mark.rule("RW-CARD.4")
def test_upgrades_of_two_factions_are_not_in_one_army() -> None:
    assert ask("reanimates+rotten_edges,spearmen+honed_blades", "spearmen").entrants
    catalogue = patch_catalogue(RUNEWARS.catalogue, {"upgrades.honed_blades.faction": "daqan"})
    game = balance.load("runewars", catalogue)
    with pytest.raises(BalanceError) as error:
        game.ask("lineup", "reanimates+rotten_edges,spearmen+honed_blades", "spearmen")
    assert str(error.value) == (
        "a: 'daqan, waiqar' are factions of upgrades in one army (RW-CARD.4); "
        "allowed: upgrades of one faction, and of none"
    )


@pytest.mark.rule("RW-TRAY.6")
def test_points_left_never_exceed_those_at_the_start() -> None:
    changes = {"a.1.regenerate": 9, "a.1.wounds_suffered": 3}
    lineup = ends(ask("reanimates,reanimates+2x2", "spearmen:2", changes=changes), ("a_points",))
    assert sorted(points for (points,) in lineup) == [0, 16, 26, 42]


@pytest.mark.parametrize(
    ("a", "changes", "told"),
    [
        ("reanimates+4x3:4", {}, "a: '256' points are over the budget; allowed: at most 200; it costs 56 too much"),
        ("spearmen:2", {"a.trays_added": 1}, "set, trays_added: are added in duels only; allowed: 0"),
        (
            "ardus_ixerebus,spearmen+killing_blow,wraiths+shadow_brand,spearmen+file_leader,"
            "spearmen+rain_of_splinters,wraiths+killing_blow+quick_wits",
            {"situation.budget_points": 0},
            "'5' different sets of surge abilities are lent; allowed: at most 4 where somebody borrows them",
        ),
    ],
)
def test_what_cannot_be_is_told(a: str, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BalanceError) as error:
        ask(a, "spearmen", changes=changes)
    assert str(error.value) == told


def test_equal_armies_are_as_good() -> None:
    army = "spearmen,wraiths"
    found = ends(ask(army, army, "random", {"situation.round_limit": 3}), ("winner",))
    assert abs(found[1,] - found[2,]) < 1e-12
    better = ends(ask(army, army, "random", {"situation.round_limit": 3, "a.1.lethal": 2}), ("winner",))
    assert better[1,] > better[2,] + 0.05, "and would not be if one had an advantage"


def test_numbers_of_members_do_not_matter() -> None:
    """An arena plays what is asked of armies one by one, in whatever order its members are, whoever else there is."""
    names = ["spearmen+2x2", "rune_golems", "wraiths", "reanimates", "lord_hawthorne", "ardus_ixerebus"]
    a, b = ["rune_golems", "spearmen+2x2"], ["wraiths", "reanimates"]
    exact = ends(ask(",".join(a), ",".join(b)), ("winner",))
    for members in (names, names[::-1]):
        arena = RUNEWARS.arena("lineup", members)
        assert [arena.marks[members.index(one)] for one in names] == list(RUNEWARS.arena("lineup", names).marks)
        rows = [np.array([[*(members.index(one) for one in army), -1]] * 40_000) for army in (a, b)]
        won = simulate(arena.process(*rows), RandomRolls(0, "arena", 0, 40_000))["winner"]
        for who, p in exact.items():
            assert abs((won == who[0]).mean() - p) < 5 * (0.25 / 40_000) ** 0.5


def test_members_alike_have_one_mark() -> None:
    arena = RUNEWARS.arena("lineup", ["spearmen", "spearmen+2x1", "spearmen+2x2", "reanimates"])
    first, same, *others = arena.marks
    assert first == same
    assert first not in others
    assert len(set(others)) == 2


def test_surges_that_do_nothing_in_a_line_up_make_no_other_member() -> None:
    """Inspiration readies cards: it matters with War Cry, which exhausts, and nobody else's surges are left out."""

    def are_one(first: str, second: str) -> bool:
        marks = RUNEWARS.arena("lineup", [first, second]).marks
        return marks[0] == marks[1]

    assert are_one("spearmen+2x1", "berserkers+2x1")
    duels = [RUNEWARS.duel(one, "reanimates+2x1", first="a").p_win() for one in ("spearmen+2x1", "berserkers+2x1")]
    assert duels[0] == duels[1]
    assert not are_one("spearmen+2x1+war_cry", "berserkers+2x1+war_cry")
    assert not are_one("spearmen+2x1", "spearmen+2x1+killing_blow")


@pytest.mark.parametrize("block", [1024, pytest.param(fair_costs.BLOCK, marks=pytest.mark.slow)])
def test_every_formation_has_a_fair_cost_of_its_own(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an id is made of, `wraiths` and `2x1`, has no price: the whole has."""
    monkeypatch.setattr(fair_costs, "BLOCK", block)
    names = ["spearmen+2x1", "wraiths+2x1", "wraiths+2x2"]
    found = price_list(Runner(RUNEWARS), entrants=names, n_battles=60)
    assert list(found.cards) == list(found.loadouts) == names
    assert [price.cost for price in found.cards.values()] == [18.0, 17.0, 30.0]
    assert found.setting.budgets == ((200.0, 14.0),)
    spearmen, wraiths, _ = (price.fair for price in found.loadouts.values())
    assert spearmen < wraiths, "who takes two wounds a figure, and guards"

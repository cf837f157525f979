"""A hero's duel with an enemy: the promises of the game, ways of answering against each other, many or few hits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.chance.exact.chain import chain_distribution
from balance.chance.pmf import Pmf
from balance.games import check_game
from balance.games.immortal_souls.duel import LONGEST_ROUNDS
from tests.games.immortal_souls.plays import GAME, duel, end, ends, play, power
from tests.games.immortal_souls.test_duel_rules import STILL


@pytest.mark.parametrize("n_pairs", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_attacks_and_duels_keep_the_promises_of_a_game(n_pairs: int) -> None:
    kinds = {name: GAME.definition.kinds[name] for name in ("attack", "duel")}
    assert check_game(replace(GAME.definition, kinds=kinds), n_pairs=n_pairs) == ()


PAIRS: list[tuple[str, str, dict[str, Any]]] = [
    ("ecarus", "green_gremlin", {"situation.round_limit": 3}),
    ("auriel", "red_bandit", {"situation.round_limit": 2, "a.rank": 3}),
    ("shae_assassin", "red_orc_warrior", {"situation.round_limit": 2, "situation.activation_chance": 0.25}),
    ("thorgar+call_lightning_3", "red_orc_shaman", {"situation.round_limit": 2, "a.rank": 4}),
]


SMALL: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"red": 1, "effects": "ko@ABI,critical@MAG", "defence_dice": 1, "focus": True},
        {"blue": 1, "sure": 1, "effects": "blind@ABI,poison1@MAG", "armour": 1, "shields": 1},
    ),
    (
        {
            "blue": 1,
            "effects": "reroll@SHD,fire1@",
            "combat_activities": 2,
            **power(1, 2, "stun@,armour-1@"),
            "save": "HIT",
        },
        {"red": 1, "effects": "critical@,slow@ABI", "defence_dice": 1, "defence_effects": "reroll@ABI", "armour": 1},
    ),
]


@pytest.mark.parametrize(("mine", "its"), SMALL)
def test_rolled_attacks_and_drawn_ones_make_the_same_duel(mine: dict[str, Any], its: dict[str, Any]) -> None:
    """The chain of states with every die of every attack, and with each attack drawn from its distribution."""
    asked = duel(mine, its, round_limit=3, activation_chance=0.75)
    literal, compiled = (
        chain_distribution(asked.kind.processes(asked.setup, lane)[0]) for lane in ("literal", "compiled")
    )
    assert close(literal, compiled)


def close(one: Pmf, other: Pmf) -> bool:
    return one.outcomes.tolist() == other.outcomes.tolist() and bool(np.allclose(one.p, other.p, rtol=0, atol=1e-12))


@pytest.mark.parametrize(("a", "b", "changes"), PAIRS)
def test_random_dice_agree_with_the_distribution(a: str, b: str, changes: dict[str, Any]) -> None:
    asked = GAME.ask("duel", a, b, changes)
    for lane in ("literal", "compiled"):
        simulated = asked.simulate(trials=8192, seed=9, lane=lane)
        assert simulated.agreement is not None
        assert simulated.agreement.p_value > 0.001


@pytest.mark.parametrize(("a", "b", "changes"), PAIRS)
def test_the_sides_the_other_way_round(a: str, b: str, changes: dict[str, Any]) -> None:
    """The hero goes first wherever he stands, so that only the names of the sides change."""
    swapped = {("b." + name[2:] if name.startswith("a.") else name): value for name, value in changes.items()}
    there, back = ends(GAME.ask("duel", a, b, changes)), ends(GAME.ask("duel", b, a, swapped))
    mirrored = {((0, 2, 1)[winner], rounds, mine, its): p for (winner, rounds, its, mine), p in back.items()}
    assert mirrored.keys() == there.keys()
    assert [float(mirrored[row]) for row in there] == pytest.approx([float(p) for p in there.values()], abs=1e-15)


WAYS = ((6, 1), (3, 2), (2, 3), (1, 6))
"""Six hits of a round, in so many attacks of so many hits."""


@pytest.mark.parametrize(
    ("guard", "wounds"),
    [
        ({}, (6, 6, 6, 6)),
        ({"shields": 2}, (4, 4, 4, 4)),  # a pool of the round: spent however the hits come
        ({"armour": 1}, (0, 3, 4, 5)),  # off each attack
        ({"armour": 1, "shields": 2}, (0, 1, 2, 3)),
        ({"armour": 2}, (0, 0, 2, 4)),
        ({"defence_dice": 1}, (3.6, 4.8, 5.2, 5.6)),  # dice anew in each attack: one for six hits, or six
        ({"defence_dice": 2}, (3.6, 3.6, 4.4, 5.2)),
        ({"armour": 1, "defence_dice": 1}, (0, 1.8, 3.2, 4.6)),
    ],
)
def test_many_small_attacks_or_few_big_ones(guard: dict[str, Any], wounds: tuple[float, ...]) -> None:
    """Section 7 of the ledger: the three defences are three kinds of things. A defence die stops 4 of 10 hits."""
    found = []
    for attacks, hits in WAYS:
        asked = duel({"sure": hits, "combat_activities": attacks}, {**guard, **STILL}, round_limit=1)
        found.append(10 - sum(row[3] * float(p) for row, p in ends(asked).items()))
    assert found == pytest.approx(list(wounds))


# -- how often the enemy acts -----------------------------------------------------------------------------------------


def hero_left(**situation: Any) -> dict[int, float]:
    """Return the chance of each health of the hero, whom every activation costs one."""
    return {row[2]: float(p) for row, p in ends(duel({}, {"sure": 1}, **situation)).items()}


def test_a_chance_for_each_enemy_turn() -> None:
    assert hero_left(round_limit=2, activation_chance=1) == pytest.approx({8: 1})
    assert hero_left(round_limit=2, activation_chance=0) == pytest.approx({10: 1})
    assert hero_left(round_limit=2, activation_chance=0.25) == pytest.approx({10: 9 / 16, 9: 6 / 16, 8: 1 / 16})
    assert hero_left(round_limit=1, activation_chance=0.25, enemy_turns=2) == pytest.approx(
        {10: 9 / 16, 9: 6 / 16, 8: 1 / 16}
    )


def test_a_deck_is_drawn_without_replacement_and_shuffled_when_it_is_empty() -> None:
    """Of three cards one lets it act: once in every three Enemy Turns, whatever the order."""
    deck = "1,0,0"
    assert hero_left(round_limit=1, activation_deck=deck) == pytest.approx({10: 2 / 3, 9: 1 / 3})
    for rounds in (3, 6):
        assert hero_left(round_limit=rounds, activation_deck=deck) == pytest.approx({10 - rounds // 3: 1})
    assert hero_left(round_limit=1, enemy_turns=3, activation_deck=deck) == pytest.approx({9: 1})
    assert hero_left(round_limit=4, activation_deck=deck) == pytest.approx({9: 2 / 3, 8: 1 / 3})


def test_an_enemy_acts_in_each_of_several_enemy_turns() -> None:
    for turns in (1, 2, 5):
        assert end(duel({}, {"sure": 1}, round_limit=1, enemy_turns=turns)) == (0, 1, 10 - turns, 10)


# -- how it ends ------------------------------------------------------------------------------------------------------


def test_a_duel_that_leads_nowhere_is_a_draw() -> None:
    assert end(duel({}, {}, round_limit=7)) == (0, 7, 10, 10)
    assert LONGEST_ROUNDS == 5000
    assert end(duel({}, {})) == (0, 5000, 10, 10)


def test_rounds_are_time_phases_begun() -> None:
    """Killed in the first Time Phase, in a Hero Turn, in an Enemy Turn, and in a later Time Phase."""
    assert end(duel({}, {"health": 1, "fire1": 1})) == (1, 1, 10, 0)
    assert end(duel({"sure": 5}, {})) == (1, 2, 10, 0)
    assert end(duel({}, {"sure": 5})) == (2, 2, 0, 10)
    assert end(duel({}, {"health": 2, "fire1": 1, "fire2": 0, "poison": 0, **STILL}, round_limit=2)) == (0, 2, 10, 1)
    assert end(duel({}, {"health": 2, "fire2": 1, **STILL})) == (1, 2, 10, 0)


@pytest.mark.rule("IS-COND.12")
def test_a_blinded_enemy_does_not_attack_in_its_next_activation() -> None:
    """Blinded by the power once in four rounds; the token is off after that activation, acted or not."""
    foe = {"sure": 1, "combat_activities": 2}
    assert [end(duel(power(0, 4, "blind@"), foe, round_limit=rounds))[2] for rounds in (1, 2, 3)] == [10, 8, 6]
    asleep = duel(power(0, 4, "blind@"), foe, round_limit=2, activation_deck="1,0")
    assert {row[2]: float(p) for row, p in ends(asleep).items()} == pytest.approx({10: 1})


def test_what_results_are_spent_on_in_a_duel() -> None:
    """The hero's and the enemy's spending, in attack and in defence, by the choices of their sides."""
    mine = {"red": 1, "effects": "lethal1@ABI,slow@ABI+ABI", "sure": 1}
    guard = {"armour": 9, **STILL}
    dice: dict[str, Any] = {"a_weapon_attack_red": ["ABI+ABI"]}
    for spending, left in (("by_rules", 9), ("most_wounds", 9), ("most_kills", 9), ("conditions", 10), ("dearest", 10)):
        asked = duel(mine, guard, round_limit=1, a_spending=spending)
        assert play(asked, **dice)["b_health"] == left
    parries = {"defence_dice": 2, "defence_effects": "shield1@SHD+SHD", **STILL}
    for defence, left in (("by_rules", 8), ("fewest_wounds", 9), ("dearest", 8)):
        asked = duel({"sure": 3}, parries, round_limit=1, b_defence=defence)
        assert play(asked, a_weapon_defence=["SHD", "SHD"])["b_health"] == left

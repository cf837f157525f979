"""The game that a new one starts from, told again: totals of health, plain loops, and no array."""

from __future__ import annotations

from collections import defaultdict
from math import comb
from typing import Any

import pytest
from pydantic import ValidationError

from balance.catalogue import Record
from balance.chance.trials.lockstep import play_fixed
from balance.game.authoring.template.game import GAME, AllOut, ArmyList, Constants, Fighter, Stance, fight, policy
from balance.game.loaded import load

SKIRMISHERS = load(GAME)
FIGHTERS = {"scout": (5, 1, 3), "soldier": (10, 2, 4), "knight": (20, 3, 6), "giant": (30, 3, 9)}  # cost, dice, health
ARMIES = {
    "patrol": ["soldier", "soldier", "scout", "scout"],
    "guard": ["knight", "soldier"],
    "screen": ["scout", "scout", "knight"],
    "vanguard": ["knight", "scout", "scout"],
}
FRONT, MORE_DICE = 2, 2


def dice_of(team: list[str], total: int) -> int:
    """Return the dice of those in front where a team has so much health left: it was lost from the front."""
    standing = []
    for fighter in reversed(team):
        if total > 0:
            standing.append(fighter)
        total -= FIGHTERS[fighter][2]
    return sum(FIGHTERS[fighter][1] for fighter in standing[::-1][:FRONT])


def told_again(
    teams: dict[str, list[str]], at: dict[str, int], order: str, faces: int, n_strikes: int
) -> dict[tuple[int, int, int, int], float]:
    """Return how likely each outcome is after at most so many strikes; a side goes all out at a foe's health `at`."""
    chances = {tuple(sum(FIGHTERS[fighter][2] for fighter in teams[side]) for side in "ab"): 1.0}
    found = {}
    for strike in range(n_strikes):
        mine, foe = ("ab".index(order[strike % 2]), "ab".index(order[1 - strike % 2]))
        after: dict[tuple[int, ...], float] = defaultdict(float)
        for health, chance in chances.items():
            all_out = health[mine] > 1 and health[foe] <= at["ab"[mine]]
            n_dice = dice_of(teams["ab"[mine]], health[mine]) + MORE_DICE * all_out
            for hits in range(n_dice + 1):
                left = list(health)
                left[mine] -= all_out
                left[foe] = max(left[foe] - hits, 0)
                after[tuple(left)] += (
                    chance * comb(n_dice, hits) * faces**hits * (6 - faces) ** (n_dice - hits) / 6**n_dice
                )
        for (a, b), chance in after.items():
            if not (a and b):
                found[1 if b == 0 else 2, strike + 1, a, b] = chance
        chances = {health: chance for health, chance in after.items() if all(health)}
    return found


def answered(kind: str, one: str, other: str, n_strikes: int, **asked: Any) -> dict[tuple[int, ...], float]:
    """Return how likely each outcome is after at most so many strikes, as the package has it."""
    distribution = SKIRMISHERS.ask(kind, one, other, asked.pop("changes", {}), **asked).distribution
    assert distribution.columns == ("winner", "strikes", "a_health", "b_health")
    chances = distribution.weights / distribution.total
    return {
        tuple(row): p for row, p in zip(distribution.outcomes.tolist(), chances, strict=True) if row[1] <= n_strikes
    }


@pytest.mark.parametrize(
    ("one", "other", "policy_a", "policy_b", "first", "hits_on"),
    [
        ("screen", "vanguard", "steady", "steady", "a", "4-6"),
        ("screen", "vanguard", "bold", "finisher", "b", "4-6"),
        ("patrol", "guard", "finisher", "bold", "a", "5-6"),
        ("guard", "patrol", "steady", "bold", "b", "5-6"),
    ],
)
def test_a_battle_is_what_plain_loops_make_of_it(
    one: str, other: str, policy_a: str, policy_b: str, first: str, hits_on: str
) -> None:
    at = {"steady": 0, "bold": 10**6, "finisher": 2}
    expected = told_again(
        {"a": ARMIES[one], "b": ARMIES[other]},
        {"a": at[policy_a], "b": at[policy_b]},
        "ab" if first == "a" else "ba",
        {"4-6": 3, "5-6": 2}[hits_on],
        n_strikes=9,
    )
    changes = {"rules.hits_on": hits_on}
    found = answered("battle", one, other, 9, changes=changes, first=first, policy_a=policy_a, policy_b=policy_b)
    assert len(expected) > 20
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_duel_is_a_battle_of_armies_of_one() -> None:
    """Whose finisher begins where it was told to; of two orders each is half."""
    teams, at = {"a": ["knight"], "b": ["giant"]}, {"a": 0, "b": 4}
    orders = [told_again(teams, at, order, 3, n_strikes=8) for order in ("ab", "ba")]
    expected = {row: sum(found.get(row, 0) for found in orders) / 2 for row in {**orders[0], **orders[1]}}
    asked = {"changes": {"b.finish_at": "4"}, "policy_b": "finisher", "first": "random"}
    assert answered("duel", "knight", "giant", 8, **asked) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("hits_on", "faces"), [("4-6", 3), ("5-6", 2)])
def test_an_attack_is_one_throw_of_the_attackers_dice(hits_on: str, faces: int) -> None:
    found = SKIRMISHERS.attack("knight", "scout", {"rules.hits_on": hits_on}).distribution
    assert found.columns == ("damage",)
    assert dict(zip(found.outcomes[:, 0].tolist(), found.weights / found.total, strict=True)) == pytest.approx(
        {hits: comb(3, hits) * faces**hits * (6 - faces) ** (3 - hits) / 216 for hits in range(4)}
    )


def test_both_throw_turn_about_and_hits_go_through_from_the_front() -> None:
    """Knight and soldier throw 3 + 2 dice and 2 more; a scout and the knight answer; bold costs a health each time."""
    asked = SKIRMISHERS.ask("battle", "guard", "screen", first="a", policy_a="bold")
    (process,) = fight(asked.setup, "literal")
    dice = {"a dice": [6, 6, 6, 6, 6, 1, 1] + [4] * 7, "b dice": [4, 1, 1, 1]}
    assert play_fixed(process, dice) == {"winner": 1, "strikes": 3, "a_health": 7, "b_health": 0}


def test_who_takes_the_field_and_what_it_costs() -> None:
    fighter, army = GAME.entrant_kinds
    told = {one: (fighter.cost_points(SKIRMISHERS.catalogue, one)) for one in SKIRMISHERS.ids(fighter)}
    assert told == {name: cost for name, (cost, _, _) in FIGHTERS.items()}
    assert {one: army.cost_points(SKIRMISHERS.catalogue, one) for one in SKIRMISHERS.ids(army)} == {
        name: sum(FIGHTERS[one][0] for one in team) for name, team in ARMIES.items()
    }
    assert (fighter.name, army.name, SKIRMISHERS.label("patrol")) == ("fighter", "army", "Patrol")


RAT = {"id": "rat", "name": "Rat", "cost_points": 1, "dice": 1, "health": 1}
NUMBERS = {"faces": 6, "front": 2, "all_out_dice": 2}


@pytest.mark.parametrize(
    ("record", "plain", "field", "low", "high"),
    [
        (Fighter, RAT, "dice", 1, 9),
        (Fighter, RAT, "health", 1, 99),
        (Fighter, RAT, "cost_points", 0, 999),
        (Constants, NUMBERS, "faces", 6, 20),
        (Constants, NUMBERS, "front", 1, 6),
        (Constants, NUMBERS, "all_out_dice", 0, 9),
        (Stance, {}, "finish_at", 0, 99),
    ],
)
def test_every_number_has_its_range(
    record: type[Record], plain: dict[str, Any], field: str, low: int, high: int
) -> None:
    for value in (low, high):
        assert getattr(record.model_validate({**plain, field: value}), field) == value
    for value in (low - 1, high + 1):
        with pytest.raises(ValidationError):
            record.model_validate({**plain, field: value})


def test_an_army_has_one_to_six_fighters() -> None:
    def army(size: int) -> ArmyList:
        return ArmyList(id="many", name="Many", fighters=("scout",) * size)

    assert [len(army(size).fighters) for size in (1, 6)] == [1, 6]
    for size in (0, 7):
        with pytest.raises(ValidationError):
            army(size)


def test_a_policy_goes_all_out_never_whenever_it_may_or_near_the_end() -> None:
    stance = Stance(finish_at=5)
    found = {name: policy(name, stance) for name in ("steady", "bold", "finisher")}
    assert found == {"steady": AllOut(0), "bold": AllOut(999), "finisher": AllOut(5)}

"""One attack: its distribution against every fall of its dice, what its owner may choose, and simulated."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from balance.base.errors import RollsError
from balance.games.immortal_souls.rules.policies import ATTACK_POLICIES, DEFENCE_OPTIONS, SPENDING_OPTIONS
from tests.games.immortal_souls.plays import COLUMNS, GAME, chances, only, play, printed, strike, told

F = Fraction
FACES = range(1, 11)


@pytest.mark.parametrize(
    ("by", "at", "fields", "dice"),
    [
        ("ecarus", "troll", {"red": 1, "effects": "lethal1@ABI,ko@ABI", "armour": 1, "sure": 1}, ["attack red"]),
        ("ecarus", "green_gremlin", {"red": 1, "effects": "reroll@ABI,hits1@MAG"}, ["attack red", "attack red again"]),
        ("red_bandit", "ecarus", {"sure": 1, "defence_dice": 1, "defence_effects": "reroll@ABI,shield1@MAG"},
         ["defence", "defence again"]),
    ],
)  # fmt: skip
def test_the_distribution_is_that_of_every_fall_of_the_dice(
    by: str, at: str, fields: dict[str, Any], dice: list[str]
) -> None:
    """Each combination of faces played by itself; a die that is not rolled changes nothing, whatever it would show."""
    asked = strike(by=by, at=at, **fields)
    first = dice[0]
    seen: Counter[tuple[int, ...]] = Counter()
    for faces in product(FACES, repeat=len(dice)):
        written = {name.replace(" ", "_"): [face] for name, face in zip(dice, faces, strict=True)}
        try:
            outcome = play(asked, **written)
        except RollsError:  # the second die was never rolled
            outcome = play(asked, **{first.replace(" ", "_"): [faces[0]]})
        seen[tuple(outcome.values())] += 1
    assert chances(asked, *COLUMNS) == {row: F(n, 10 ** len(dice)) for row, n in seen.items()}


@pytest.mark.parametrize(
    ("by", "at", "changes"),
    [
        ("thorgar+call_lightning_3", "red_orc_warrior,red_bandit", {"attacker.rank": 3, "situation.focus": True}),
        ("red_orc_warrior", "ecarus", {}),
        ("laegon_archer", "orc_king", {"situation.distance": 3, "situation.supremacy": True}),
    ],
)
def test_random_dice_agree_with_the_distribution(by: str, at: str, changes: dict[str, Any]) -> None:
    asked = GAME.ask("attack", by, at, changes)
    for lane in ("literal", "compiled"):
        simulated = asked.simulate(trials=20_000, seed=4, lane=lane)
        assert simulated.agreement is not None
        assert simulated.agreement.p_value > 0.001


def test_what_is_told_of_an_attack() -> None:
    assert COLUMNS == (
        "hits", "lethal", "wounds", "symbols_left", "effects_bought", "ko", "stun", "slow", "blind", "poison", "fire1",
        "fire2", "others_wounds",
    )  # fmt: skip
    every = strike(sure=2, roll="MAG", effects="stun@,slow@,blind@,poison2@,fire1@,fire2@,fire1@,ko@MAG,lethal1@")
    assert only(every) == {
        **told(2, 2, lethal=1, effects_bought=9),
        "ko": 1,
        "stun": 1,
        "slow": 1,
        "blind": 1,
        "poison": 2,
        "fire1": 2,
        "fire2": 1,
    }


# -- what is chosen ---------------------------------------------------------------------------------------------------


def test_what_may_be_chosen() -> None:
    assert {name: list(kind.options) for name, kind in ATTACK_POLICIES.items()} == {
        "attacker_spending": [*SPENDING_OPTIONS],
        "defender_spending": [*DEFENCE_OPTIONS],
    }


LETHAL, MORE = told(1, 1, lethal=1, effects_bought=1), {"hits": 2, "lethal": 0}


@pytest.mark.parametrize(
    ("spends", "health", "lethal"),
    [("most_wounds", 1, 0), ("most_kills", 1, 1), ("most_kills", 2, 0), ("by_rules", 1, 0), ("conditions", 1, 0)],
)
def test_a_lethal_hit_is_surer_and_two_hits_are_more(spends: str, health: int, lethal: int) -> None:
    """Against dice that stop 4 of 10: one wound for certain; or of two hits 1.2 on average, and one with 84 %."""
    asked = strike(sure=1, roll="ABI", effects="lethal1@ABI,hits1@ABI", defence_dice=9, health=health, spends=spends)
    assert chances(asked, "lethal") == {lethal: 1}
    assert chances(asked, "wounds") == ({1: 1} if lethal else {0: F(16, 100), 1: F(48, 100), 2: F(36, 100)})


def test_one_hit_more_kills() -> None:
    """Eight hits do not kill what has nine health, however many there are."""
    fields: dict[str, Any] = {"roll": "ABI", "effects": "slow@ABI,hits1@ABI", "spends": "most_kills"}
    assert only(strike(sure=8, health=9, **fields)) == told(9, 9, effects_bought=1)
    assert only(strike(sure=8, health=10, **fields)) == told(8, 8, effects_bought=1, slow=1)
    assert only(strike(sure=8, health=8, **fields)) == told(8, 8, effects_bought=1, slow=1)


def test_conditions_before_wounds() -> None:
    fields: dict[str, Any] = {"sure": 2, "roll": "ABI", "effects": "lethal2@ABI,slow@ABI", "armour": 9}
    assert only(strike(**fields)) == told(2, 2, lethal=2, effects_bought=1)
    assert only(strike(**fields, spends="conditions")) == told(2, 0, effects_bought=1, slow=1)
    assert only(strike(**fields, spends="dearest")) == told(2, 2, lethal=2, effects_bought=1)


def test_of_what_is_as_good_more_effects_and_then_those_printed_first() -> None:
    """IS-Q42: nothing here wounds, so that all sets are as good."""
    dear = strike(roll="ABI,ABI", effects="stun@ABI+ABI,slow@ABI,blind@ABI")
    assert only(dear) == told(0, 0, effects_bought=2, slow=1, blind=1)
    first = strike(roll="ABI", effects="stun@ABI,slow@ABI,blind@ABI")
    assert only(first) == told(0, 0, effects_bought=1, stun=1)
    two = strike(roll="ABI,ABI", effects="stun@ABI,slow@ABI,blind@ABI")
    assert only(two) == told(0, 0, effects_bought=2, stun=1, slow=1)


def test_a_repeated_condition_is_bought_for_its_wound() -> None:
    """IS-Q42: the wound of a condition that is there counts as one to be expected; later ones of poison do not."""
    again = strike(sure=1, roll="ABI", effects="fire2@ABI,ko@ABI", ko=True)
    assert only(again) == told(1, 2, effects_bought=1, ko=1)
    fresh = strike(sure=1, roll="ABI", effects="fire2@ABI,poison2@ABI")
    assert only(fresh) == told(1, 1, effects_bought=1, fire2=1)


def test_a_hero_rolls_again_if_that_is_worth_more() -> None:
    """One hit, and 0.8 to be expected: kept; none: rolled; two that are bought, and 1.4 to be expected: kept."""
    asked = strike(red=1, effects="reroll@ABI")
    assert play(asked, attack_red=["HIT+ABI"]) == told(1, 1, symbols_left=2)
    assert play(asked, attack_red=["ABI+ABI"], attack_red_again=["HIT+HIT"]) == told(
        2, 2, symbols_left=2, effects_bought=1
    )
    two = strike(red=1, blue=1, effects="reroll@ABI")  # 0.8 and 0.4 to be expected are more than one
    dice: dict[str, Any] = {"attack_red_again": ["HIT+HIT"], "attack_blue_again": ["HIT"]}
    again = play(two, attack_red=["HIT+ABI"], attack_blue=["MIS"], **dice)
    assert again == told(3, 3, symbols_left=3, effects_bought=1)
    both = strike(red=1, effects="reroll@ABI,hits2@ABI")
    assert play(both, attack_red=["ABI+ABI"]) == told(2, 2, symbols_left=1, effects_bought=1)


def test_a_roll_that_is_written_down_is_not_rolled_again() -> None:
    assert only(strike(roll="ABI,ABI", effects="reroll@ABI", red=4)) == told(0, 0, symbols_left=2)


def test_how_a_defender_spends() -> None:
    """A shield for two rolled is a loss, which only who takes the dearest first buys."""
    changes = {"attacker.sure": 3, "attacker.red": 0, "attacker.blue": 0, "attacker.effects": "none"}
    changes |= {"defender.armour": 0, "defender.defence_dice": 2, "defender.defence_effects": "shield1@SHD+SHD"}
    for enemy, spending, wounds in (
        ("red_bandit", "by_rules", 1), ("red_bandit", "fewest_wounds", 1), ("red_bandit", "dearest", 2),
    ):  # fmt: skip
        asked = GAME.ask("attack", enemy, "ecarus", changes, defender_spending=spending)
        assert play(asked, defence=["SHD", "SHD"])["wounds"] == wounds
    for spending, wounds in (("by_rules", 2), ("fewest_wounds", 1), ("dearest", 2)):
        asked = GAME.ask("attack", "ecarus", "green_gremlin", changes, defender_spending=spending)
        assert play(asked, defence=["SHD", "SHD"])["wounds"] == wounds


def test_an_area_is_bought_for_the_wounds_of_all() -> None:
    """Against one target two lethal hits are worth more; against three, one hit on each."""
    fields: dict[str, Any] = {"sure": 2, "roll": "ABI", "effects": "lethal2@ABI,area0@ABI", "armour": 1}
    assert only(strike(**fields)) == told(2, 2, lethal=2, effects_bought=1)
    assert only(strike(at="green_gremlin,green_gremlin", **fields)) == told(2, 2, lethal=2, effects_bought=1)
    three = strike(at="green_gremlin,green_gremlin,green_gremlin", **fields)
    assert only(three) == told(2, 1, effects_bought=1, others_wounds=2)


@pytest.mark.rule("IS-COND.14")
def test_who_is_immune_has_no_such_condition() -> None:
    """A troll ignores stun, which is neither a token nor a wound; a flyer would ignore K.O., and keep its armour."""
    stunned = strike(at="troll", effects="stun@,stun@")
    assert only(stunned) == told(0, 0, effects_bought=2)
    flying = printed({"enemies.troll.flying": "true"})
    assert only(strike(at="troll", game=flying, sure=2, armour=1, effects="ko@")) == told(2, 1, effects_bought=1)
    assert only(strike(at="troll", sure=2, armour=1, effects="ko@")) == told(2, 2, effects_bought=1, ko=1)

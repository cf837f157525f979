"""What surges buy: in the order listed, unique abilities once, those with any number of surges, and cheaper ones.

A blue die shows two surges at most: `surges(3)` are one with two and one with one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.games.runewars.cells import parse_surges
from balance.games.runewars.rules.surges import Purchase, Spends
from tests.games.runewars.plays import GAME, play, strike, told

HURT = {"defence": 99}


def surges(n: int) -> dict[str, list[str]]:
    """Return three blue dice that show so many surges and nothing else."""
    faces = ["surge+surge"] * (n // 2) + ["surge"] * (n % 2)
    return {"attack_blue": faces + ["blank"] * (3 - len(faces))}


def bought(abilities: str, n: int, rules: dict[str, str] | None = None, **choices: Any) -> dict[str, int]:
    """Return what an attack with so many surges brings, of threat 2, on a defence that is never reached."""
    asked = strike({"blue": 3, "surge_abilities": abilities}, HURT, rules=rules, **choices)
    found = play(asked, **surges(n))
    assert found.pop("surges") == n
    return {
        name: value for name, value in found.items() if value and name not in ("wounds", "figures_lost", "trays_lost")
    }


@pytest.mark.rule("RW-SURGE.1")
@pytest.mark.parametrize(
    ("abilities", "strikes"),
    [
        ("mortal_strikes@1u", [0, 1, 1, 1, 1]),
        ("mortal_strikes@1", [0, 1, 2, 3, 4]),
        ("mortal_strikes@2u", [0, 0, 1, 1, 1]),
        ("mortal_strikes@2", [0, 0, 1, 1, 2]),
        ("mortal_strikes3@2u", [0, 0, 3, 3, 3]),
        ("mortal_strikes@1u,mortal_strikes2@1u", [0, 1, 3, 3, 3]),
        ("mortal_strikes@3u,mortal_strikes@1", [0, 1, 2, 1, 2]),
    ],
)
def test_a_unique_ability_is_bought_once(abilities: str, strikes: list[int]) -> None:
    assert [bought(abilities, n).get("mortal_strikes", 0) for n in range(5)] == strikes


@pytest.mark.rule("RW-SURGE.1")
def test_a_unique_ability_on_two_cards_counts_once_for_each_or_once_in_all() -> None:
    """Crossbows shoot with the ability that Killing Blow gives them a second time; ordinary ones are not merged."""
    changes = {"situation.attack": "ranged", "attacker.red": 0, "attacker.blue": 3, "defender.defence": 99}
    for option, strikes in (("each_card", [0, 1, 1, 2, 2]), ("once", [0, 1, 1, 1, 1])):
        asked = GAME.ask(
            "attack", "heavy_crossbowmen+killing_blow", "spearmen", {**changes, "rules.unique_surges": option}
        )
        assert [play(asked, **surges(n))["mortal_strikes"] for n in (1, 2, 3, 4, 5)] == strikes
        assert bought("hits@1,hits@1", 3, {"unique_surges": option}) == {"hits": 3, "damage": 6}


@pytest.mark.rule("RW-SURGE.2")
@pytest.mark.parametrize(
    ("abilities", "damage"),
    [
        ("damage2@1+", [0, 2, 4, 6, 8]),  # 2 for each surge that is put in
        ("damage2@2+", [0, 0, 2, 2, 4]),
        ("damage@1+,damage3@2", [0, 1, 2, 3, 4]),  # it takes all that is left
        ("damage3@2,damage@1+", [0, 1, 3, 4, 6]),
        ("damage3@2u,damage@1+", [0, 1, 3, 4, 5]),
        ("damage2@1u", [0, 2, 2, 2, 2]),
    ],
)
def test_any_number_of_surges_go_into_one_ability(abilities: str, damage: list[int]) -> None:
    assert [bought(abilities, n).get("damage", 0) for n in range(5)] == damage


@pytest.mark.rule("RW-SURGE.2")
def test_it_is_unique_as_well() -> None:
    """Two cards give it: each once is what one would bring, since the first one takes all surges there are."""
    for option in ("each_card", "once"):
        assert bought("damage2@1+,damage2@1+", 3, {"unique_surges": option}) == {"damage": 6}
    (one,) = parse_surges("damage2@1+")
    assert (one.unique, one.plus) == (True, True)


@pytest.mark.rule("RW-SURGE.3")
@pytest.mark.parametrize("unit", ["berserkers", "ardus_ixerebus"])
def test_a_lower_cost_holds_for_whoever_uses_the_ability(unit: str) -> None:
    """Quick Wits take a surge off the cost of each ability of the unit, whose card it may be on, but not the last."""
    for abilities, usual, cheaper in (
        ("mortal_strikes@2", [0, 0, 1, 1, 2], [0, 1, 2, 3, 4]),
        ("mortal_strikes@3u", [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]),
        ("mortal_strikes@1", [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
    ):
        for by, strikes in ((unit, usual), (f"{unit}+quick_wits", cheaper)):
            asked = strike({"blue": 3, "surge_abilities": abilities}, HURT, by=by)
            assert [play(asked, **surges(n))["mortal_strikes"] for n in range(5)] == strikes
    for by, strikes in ((f"{unit}+killing_blow", [0, 0, 1]), (f"{unit}+killing_blow+quick_wits", [0, 1, 1])):
        dice = {"attacker.red": 0, "attacker.white": 0, "attacker.blue": 3, "defender.defence": 99}
        asked = GAME.ask("attack", by, "reanimates", {**dice, "attacker.brutal": 0})
        assert [play(asked, **surges(n))["mortal_strikes"] for n in range(3)] == strikes


def test_each_effect_is_what_it_says() -> None:
    for ability, brings in (
        ("hits2@1", {"hits": 2, "damage": 4}),
        ("mortal_strikes2@1", {"mortal_strikes": 2}),
        ("damage3@1", {"damage": 3}),
        ("accuracy2@1", {"accuracy": 2}),
        ("morale2@1", {"morale": 2}),
        ("inspiration2@1", {}),
        ("blight@1", {}),
        ("branded@1", {"damage": 1}),
    ):
        assert bought(ability, 1) == brings
        assert bought(ability, 1, attacker_surges="none") == {}
        assert bought(ability, 0) == {}


def test_abilities_are_bought_in_the_order_listed() -> None:
    """Four surges: what is listed first is bought as often as can be, whether that is worth less or not."""
    assert bought("accuracy@1,hits@2", 4) == {"accuracy": 4}
    assert bought("hits@2,accuracy@1", 4) == {"hits": 2, "damage": 4}
    assert bought("hits@3,accuracy@1", 4) == {"hits": 1, "damage": 2, "accuracy": 1}
    assert bought("hits@5,accuracy@3", 4) == {"accuracy": 1}


def test_the_best_is_what_wounds_most_in_this_attack() -> None:
    """A hit is 2 damage: on a defence of 1 two wounds, on one of 3 none, while a mortal strike is always one."""
    fields = {"blue": 1, "surge_abilities": "hits@2,mortal_strikes@2"}
    for defence, best, wounds in ((1, {"hits": 1, "damage": 2}, 2), (3, {"mortal_strikes": 1}, 1)):
        asked = strike(fields, {"defence": defence}, attacker_surges="best")
        assert play(asked, attack_blue=["surge+surge"]) == told(surges=2, wounds=wounds, figures_lost=wounds, **best)
    # of equals the one that is listed first
    assert play(strike(fields, {"defence": 2}, attacker_surges="best"), attack_blue=["surge+surge"])["hits"] == 1


def test_plans_are_listed_with_the_first_abilities_first() -> None:
    purchase = Purchase(parse_surges("hits@2,damage@1+,accuracy@1u"), 3)
    assert purchase.plans.tolist() == [
        [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 3, 0], [0, 2, 1], [0, 2, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0],
    ]  # fmt: skip
    assert purchase.costs.tolist() == [3, 3, 2, 3, 3, 2, 2, 1, 1, 0]
    assert {effect: gain.tolist() for effect, gain in purchase.gains.items()} == {
        "hits": [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        "damage": [1, 0, 0, 3, 2, 2, 1, 1, 0, 0],
        "accuracy": [0, 1, 0, 0, 1, 0, 1, 0, 1, 0],
    }
    able = purchase.affordable(np.array([0, 1, 2, 3]), {})
    wounds = np.tile(purchase.gains["damage"], (4, 1))
    for how, plans in (("listed", [9, 7, 2, 0]), ("none", [9, 9, 9, 9]), ("best", [9, 7, 5, 3])):
        assert Spends(how).plan(able, lambda: wounds).tolist() == plans  # type: ignore[arg-type]

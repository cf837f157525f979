"""Command dials: what is set, who acts first, and that it is set in secret."""

from __future__ import annotations

import numpy as np
import pytest

import balance
from balance.base.errors import RulesError
from balance.chance.rolls.rolls import RandomRolls
from balance.games.runewars import GAME
from balance.games.runewars.cells import Amount
from balance.games.runewars.rules.dials import SetsDial, Settings
from balance.games.runewars.tables import Dial
from tests.games.runewars.plays import printed

RUNEWARS = balance.load(GAME)
SPEARMEN = tuple(
    one for one in RUNEWARS.catalogue.entries(Dial).values() if one.unit == "spearmen" and one.is_for_contact
)
STILL = {f"{side}.{field}": "0" for side in "ab" for field in ("red", "blue", "brutal")}
"""Without dice and runes all that is left to chance is what dials say."""
ONE_ROUND = {**STILL, "a.add_hits": "1", "b.add_hits": "1", "situation.round_limit": "1"}


def after_a_round(a: str, b: str, first: str, **more: str) -> tuple[float, float]:
    """Return the figures that four trays of Spearmen (16 figures) and two Rune Golems have left."""
    changes = {**ONE_ROUND, **more}
    duel = RUNEWARS.ask("duel", "spearmen+2x2", "rune_golems+2x1", changes, first, a_dial=a, b_dial=b)
    return duel.distribution.mean("a_figures"), duel.distribution.mean("b_figures")


@pytest.mark.parametrize(("how", "setting"), [("quickest", 2), ("strongest", 1), ("defend", 3)])
def test_each_policy_sets_what_it_says(how: str, setting: int) -> None:
    """Spearmen have melee at 7 without and with a hit, early melee at 3, and a defence at 3."""
    policy = SetsDial(how, SPEARMEN)  # type: ignore[arg-type]
    view = {"a_left": np.zeros(3, int)}
    assert policy.choose("dial", 4, view, RandomRolls(0, "dial", 0, 3)).tolist() == [setting] * 3


def test_a_random_dial_is_any_setting() -> None:
    chosen = SetsDial("random", SPEARMEN).choose(
        "dial", 4, {"a_left": np.zeros(4000, int)}, RandomRolls(0, "dial", 0, 4000)
    )
    assert np.bincount(chosen).tolist() == pytest.approx([1000] * 4, abs=110)  # four standard errors


def test_what_a_dial_adds() -> None:
    dial = Settings(SetsDial("random", SPEARMEN))
    assert (dial.initiative.tolist(), dial.attacks.tolist()) == ([7, 7, 3, 3], [True, True, True, False])
    assert {icon: numbers.tolist() for icon, numbers in dial.icons.items()} == {"hit": [0, 1, 0, 0]}
    assert (dial.defends, dial.rallies.tolist()) == ((*[Amount(0)] * 3, Amount(1)), [False, False, False, True])


def test_the_lower_initiative_strikes_first_whatever_the_turn_order() -> None:
    """A hit of Golems at threat 2 kills two Spearmen; two hits of Spearmen at threat 2 kill a Golem of 4 and 1.

    With one Golem left of two by an early enough attack, threat is 1 and one Spearman falls instead.
    """
    weak = {"b.wound_threshold": "1", "b.defence": "2"}  # a hit at threat 2 removes a Golem
    for first in "ab":
        assert after_a_round("quickest", "quickest", first, **weak) == (15, 1), "3 before 5: one Golem strikes back"
        assert after_a_round("strongest", "quickest", first, **weak) == (14, 0), "5 before 7: both Golems strike first"


def test_equal_initiative_leaves_it_to_the_turn_order() -> None:
    changes = {**STILL, "a.add_hits": "9", "b.add_hits": "9"}
    for first, winner in (("a", {"a": 1.0, "b": 0.0, "draw": 0.0}), ("b", {"a": 0.0, "b": 1.0, "draw": 0.0})):
        duel = RUNEWARS.ask(
            "duel", "spearmen+2x1", "spearmen+2x1", changes, first, a_dial="quickest", b_dial="quickest"
        )
        assert duel.p_win() == winner


def test_a_defence_holds_all_round_and_does_not_attack() -> None:
    """Spearmen who defend have defence 2: two damage kill one of them, and Golems lose nobody."""
    assert after_a_round("defend", "quickest", "b") == (15, 2)
    assert after_a_round("quickest", "quickest", "b")[0] == 14


def test_what_golems_add_to_their_defence_are_stable_runes() -> None:
    """One or two runes are stable, each as often: 9 hits at threat 2 are 18 damage, at 5 or 6 a wound of a Golem."""
    changes = {**ONE_ROUND, "a.add_hits": "9", "b.wound_threshold": "9"}
    duel = RUNEWARS.ask("duel", "spearmen+2x2", "rune_golems+2x1", changes, "a", a_dial="quickest", b_dial="strongest")
    assert duel.distribution.mean("b_figures") == 2
    changes["b.wound_threshold"] = "3"  # 18 // 5 = 3 wounds, 18 // 6 = 3: one Golem; with 20 damage 4 and 3
    assert (
        RUNEWARS.ask(
            "duel", "spearmen+2x2", "rune_golems+2x1", changes, "a", a_dial="quickest", b_dial="strongest"
        ).distribution.mean("b_figures")
        == 1
    )


@pytest.mark.parametrize("pair", [("none", "quickest"), ("quickest", "none")])
def test_one_dial_alone_is_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(RulesError) as found:
        RUNEWARS.ask("duel", "spearmen", "spearmen", {}, "a", a_dial=pair[0], b_dial=pair[1])
    assert str(found.value) == "choose, dial: is set on one side only; allowed: none, or both"


def test_a_unit_without_a_dial_is_told() -> None:
    game = printed({"dials.wraiths_melee.unit": "spearmen"})
    with pytest.raises(RulesError) as found:
        game.ask("duel", "wraiths", "spearmen", {}, "a", a_dial="quickest", b_dial="quickest")
    assert str(found.value) == "a: 'wraiths' has no command dial in dials; allowed: choose=dial: none"


def test_dials_are_the_same_rolled_and_drawn() -> None:
    duel = RUNEWARS.ask("duel", "spearmen+2x2", "rune_golems+2x1", {}, "a", a_dial="random", b_dial="random")
    exact = duel.p_win()
    for lane in ("literal", "compiled"):
        found = duel.p_win(duel.simulate(40_000, seed=3, lane=lane).distribution)
        assert found == pytest.approx(exact, abs=4 * 0.0025), lane

"""Line-ups that walk: at gap 0 as line-ups are, and who shoots, marches and charges when, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.exact.chain import chain_distribution
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.game import LANES, Lane
from tests.games.runewars.comparing import RUNEWARS

IN_CONTACT = {"situation.gap_bands": "0", "situation.round_limit": "8"}
DEADLY = {
    f"{side}.{field}": value for side in "ab" for field, value in (("red", "0"), ("blue", "0"), ("add_hits", "9"))
}
"""Nine hits and no dice: whoever strikes first destroys a unit of one tray."""
ONE_ROUND = {"situation.round_limit": "1"}


def advance(a: str, b: str, changes: dict[str, str], first: str = "a", **choices: str) -> dict[str, float]:
    """Return the chance of each winner."""
    return RUNEWARS.ask("advance", a, b, changes, first, **choices).p_win()


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("spearmen+3x2:2,rune_golems", "reanimates+3x2,wraiths:2"),
        ("lord_hawthorne,reanimate_archers:2", "carrion_lancers,spearmen+war_cry"),
        ("ardus_ixerebus,reanimates+shadow_brand", "deepwood_archers+3x2"),
    ],
)
def test_in_contact_an_advance_is_a_line_up_trial_by_trial(a: str, b: str, lane: Lane) -> None:
    questions = RUNEWARS.ask("advance", a, b, IN_CONTACT), RUNEWARS.ask("lineup", a, b)
    for walking, standing in zip(*(q.kind.processes(q.setup, lane) for q in questions), strict=True):
        trials = [simulate(process, RandomRolls(7, lane, 0, 2000)) for process in (walking, standing)]
        assert all((trials[0][column] == trials[1][column]).all() for column in trials[1])


@pytest.mark.parametrize(("sooner", "winner"), [("-1", "a"), ("1", "b")])
def test_of_two_charges_that_reach_the_lower_initiative_strikes_first(sooner: str, winner: str) -> None:
    """Three bands apart both charge by the same row of their dial; nobody is left to strike back."""
    changes = {**DEADLY, **ONE_ROUND, "situation.gap_bands": "3", "a.initiative": sooner}
    assert advance("spearmen+2x1", "spearmen+2x1", changes)[winner] == 1


def test_of_equal_initiatives_the_turn_order_decides() -> None:
    changes = {**DEADLY, **ONE_ROUND, "situation.gap_bands": "3"}
    assert [advance("spearmen+2x1", "spearmen+2x1", changes, first)["a"] for first in "ab"] == [1, 0]


@pytest.mark.parametrize(("speed", "wins"), [("0", 0.0), ("1", 1.0)])
def test_a_band_of_speed_brings_a_charge_home(speed: str, wins: float) -> None:
    """The farthest charge of Spearmen is four bands; at five it takes one more to strike in the first round."""
    changes = {**DEADLY, **ONE_ROUND, "situation.gap_bands": "5", "a.speed_bands": speed}
    assert advance("spearmen+2x1", "spearmen+2x1", changes, b_walk="hold")["a"] == wins


def test_a_shot_is_a_ranged_attack_and_nobody_beyond_range_is_hit() -> None:
    """Who holds is shot at once in range: the wounds of the round are those of the verb `attack`."""
    pair = "deepwood_archers+3x2", "rune_golems+3x2"
    reach = RUNEWARS.catalogue.find("units", "deepwood_archers").range_bands  # type: ignore[attr-defined]
    alone = RUNEWARS.ask("attack", *pair, {"situation.attack": "ranged"}).distribution.mean("figures_lost")
    for gap, lost in ((reach, alone), (reach + 1, 0.0)):
        changes = {**ONE_ROUND, "situation.gap_bands": str(gap)}
        question = RUNEWARS.ask("advance", *pair, changes, "a", a_walk="hold", b_walk="hold")
        assert 6 - question.distribution.mean("b_figures") == pytest.approx(lost)


def test_a_unit_that_was_charged_does_not_shoot() -> None:
    """Archers shoot later than cavalry charges; unless they are made sooner, they never strike."""
    pair, changes = (
        ("deepwood_archers+2x1", "oathsworn_cavalry+2x1"),
        {**DEADLY, **ONE_ROUND, "situation.gap_bands": "2"},
    )
    assert advance(*pair, {**changes, "b.initiative": "-9"})["b"] == 1
    assert advance(*pair, {**changes, "b.initiative": "9"})["a"] == 1


@pytest.mark.parametrize("pair", [("deepwood_archers+1x1", "spearmen+2x1"), ("wraiths+2x1", "reanimate_archers+2x1")])
def test_rolled_and_drawn_are_the_same(pair: tuple[str, str]) -> None:
    changes = {f"{side}.figures_per_tray": "2" for side in "ab"} | {f"{side}.columns": "1" for side in "ab"}
    question = RUNEWARS.ask("advance", pair[0].replace("1x1", "2x1"), pair[1], changes, "a")
    exact = [
        chain_distribution(*question.kind.processes(question.setup, lane)).marginal("winner", "rounds")
        for lane in LANES
    ]
    assert np.array_equal(exact[0].outcomes, exact[1].outcomes)
    assert exact[0].p == pytest.approx(exact[1].p, abs=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "gap"),
    [
        ("wraiths+2x1", "death_knights+2x1", 4),
        ("berserkers+2x1", "darnati_warriors+2x1", 6),
        ("wraiths+2x2", "berserkers+2x2", 7),
    ],
)
def test_two_units_walk_as_they_approach_each_other(a: str, b: str, gap: int) -> None:
    """Both charge as soon as they can; 10,000 trials, each chance within four standard errors, wrong once in 5,000."""
    same = {"situation.gap_bands": str(gap), "situation.round_limit": "9"}
    exact = advance(a, b, same, a_walk="close", b_walk="close")
    approach = RUNEWARS.ask("approach", a, b, same, "a", policy_a="charge", policy_b="charge")
    played = approach.p_win(approach.simulate(10_000, seed=11, lane="compiled").distribution)
    assert played == pytest.approx(exact, abs=4 * 0.5 / 10_000**0.5)

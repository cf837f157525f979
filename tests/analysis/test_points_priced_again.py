"""What a change of a card is worth in points, against what pricing all over again says of the changed card.

`--points` plays the card as it is and after the change against the same armies, at costs that it takes as fair, and
takes the difference. The twin solves the fair costs of a whole field twice, with the card as it is and as it is
changed, by another fit, on other armies and dice; the worth is by how much the card's cost grows beside those of the
others. In each field everybody has cards of its own, so that a card changes one member alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.analysis.battles import ArmySetting
from balance.analysis.fair_costs import FairCosts, fair_costs
from balance.analysis.handicap import ArmyField
from balance.analysis.price_card import step_points
from balance.analysis.price_list import army_setting
from balance.analysis.priced import as_printed
from balance.catalogue import patched
from balance.core.estimate import Estimate
from balance.engine.runner import as_runner
from balance.protocol.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

SURE = 1.959964
RUNEWARS = {
    "spearmen+3x2": ("units.spearmen.melee_red", "2"),
    "oathsworn_cavalry+2x2": ("units.oathsworn_cavalry.melee_blue", "2"),
    "reanimates+3x2": ("units.reanimates.melee_red", "3"),
    "berserkers+3x2": ("units.berserkers.melee_blue", "2"),
    "flesh_rippers+3x2": ("units.flesh_rippers.protected", "1"),
    "darnati_warriors+2x2": ("units.darnati_warriors.melee_blue", "4"),
}
WARFORGED = {
    "nexus+shotgun": ("units.nexus.health", "9"),
    "trooper+assault_rifle": ("units.trooper.armour", "2"),
    "aegis+laser_carbine": ("weapons.laser_carbine.precision", "7"),
    "colossus+pulse_pistol": ("weapons.pulse_pistol.damage", "3"),
    "vanguard+marksman_rifle": ("units.vanguard.health", "7"),
    "whisper+smg_pistol": ("weapons.smg_pistol.precision", "9"),
}


def told(loaded: LoadedGame, fair: FairCosts, who: str, path: str, value: str) -> Estimate:
    """Return what `--points` says of a change where the costs that it takes as fair are so."""
    cost = float(fair.fair[fair.entrants.index(who)])
    priced = replace(as_printed(loaded, fair.setting, who), costs=(cost,), fair=cost, low=cost, high=cost)
    priced = replace(priced, field=ArmyField(fair.setting, fair.entrants, tuple(fair.fair.tolist())))
    found = step_points(as_runner(loaded), priced, 5, n_battles=8192)
    (worth,) = [worth for step, worth in found.items() if (step.path, step.value) == (path, value)]
    assert worth is not None
    return worth


def again(loaded: LoadedGame, before: FairCosts, who: str, path: str, value: str, n_battles: int) -> Estimate:
    """Return by how many points the fair cost grows beside those of the others."""
    changed = LoadedGame(loaded.game, patched(loaded.catalogue, {path: value}))
    after = fair_costs(changed, before.setting, before.seed + 1, before.entrants, n_battles=n_battles)
    at, n = before.entrants.index(who), len(before.entrants)
    beside = np.where(np.arange(n) == at, 1.0, -1 / (n - 1))
    growth = float(beside @ (after.log_fair - before.log_fair))
    error = float(np.sqrt(beside @ (before.covariance + after.covariance) @ beside))
    cost = float(before.fair[at])
    return Estimate.of_mean(cost * float(np.expm1(growth)), cost * float(np.exp(growth)) * error, n_battles)


def off(one: Estimate, other: Estimate) -> float:
    """Return how far two numbers are apart, in standard errors of both."""
    return (one.value - other.value) / float(np.hypot(one.half_width, other.half_width)) * SURE


@pytest.mark.parametrize(("who", "strength"), [("ant", "11"), ("ox", "19"), ("elk", "41")])
def test_points_are_what_pricing_again_says(tmp_path: Path, who: str, strength: str) -> None:
    """Each within 3.5 standard errors: 1 of 700 runs fails. Negative control: twice as much is not believed of ant."""
    bodies = [("ant", 10, 10), ("ox", 20, 20), ("elk", 40, 40)]
    tug = load(GAME, write_catalogue(tmp_path / "c", bodies, [("rope", 0, 100)]))
    setting, names = ArmySetting("lineup", ((100.0, 4.0), (200.0, 8.0))), ("ant+rope", "ox+rope", "elk+rope")
    asked = (
        tug,
        fair_costs(tug, setting, 11, names, n_battles=30_000),
        f"{who}+rope",
        f"bodies.{who}.strength",
        strength,
    )
    worth, twin = told(*asked), again(*asked, n_battles=30_000)
    assert abs(off(worth, twin)) < 3.5
    if who == "ant":
        assert abs(off(Estimate.of_mean(2 * worth.value, worth.half_width / SURE, 8192), twin)) > 3.5


@pytest.mark.slow
@pytest.mark.parametrize(("game", "changes"), [("runewars", RUNEWARS), ("warforged", WARFORGED)])
def test_points_are_what_pricing_again_says_of_cards(game: str, changes: dict[str, tuple[str, str]]) -> None:
    """Six cards of each game, each within 3.5 standard errors: 1 of 360 runs fails. Negative control: half as much."""
    loaded, names = load(game), tuple(changes)
    before, halves = fair_costs(loaded, army_setting(loaded), 11, names, n_battles=4000), list[float]()
    for who, (path, value) in changes.items():
        asked = (loaded, before, who, path, value)
        worth, twin = told(*asked), again(*asked, n_battles=4000)
        assert abs(off(worth, twin)) < 3.5, (who, worth, twin)
        halves.append(off(Estimate.of_mean(worth.value / 2, worth.half_width / SURE, 8192), twin))
    assert max(map(abs, halves)) > 3.5

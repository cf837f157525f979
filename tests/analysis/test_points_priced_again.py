"""What a change of a card is worth in points, against what pricing all over again says of the changed card.

`--points` plays the card as it is and after the change against the same armies, at costs that it takes as fair, and
takes the difference. The twin solves the fair costs of a whole field twice, with the card as it is and as it is
changed, by another fit, on other armies and dice; the worth is by how much the card's cost grows beside those of the
others. In each field everybody has cards of its own, so that a card changes one member alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.changes.handicaps.handicap import ArmyField
from balance.analysis.changes.neighbours.price_card import step_points
from balance.analysis.changes.neighbours.priced_item import as_printed
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.fits.fair_costs import FairCosts, fair_costs
from balance.base.numbers import SURE
from balance.catalogue import patch_catalogue
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

SURELY = 3.5
RUNEWARS = (
    ("spearmen+3x2", "units.spearmen.melee_red"),
    ("spearmen+3x2", "units.spearmen.wound_threshold"),
    ("oathsworn_cavalry+2x2", "units.oathsworn_cavalry.melee_blue"),
    ("reanimates+3x2", "units.reanimates.melee_red"),
    ("berserkers+3x2", "units.berserkers.melee_blue"),
    ("flesh_rippers+3x2", "units.flesh_rippers.protected"),
    ("darnati_warriors+2x2", "units.darnati_warriors.melee_blue"),
)
WARFORGED = (
    ("nexus+shotgun", "weapons.shotgun.damage"),
    ("trooper+assault_rifle", "units.trooper.health"),
    ("aegis+laser_carbine", "weapons.laser_carbine.precision"),
    ("colossus+pulse_pistol", "weapons.pulse_pistol.damage"),
    ("vanguard+marksman_rifle", "weapons.marksman_rifle.damage"),
    ("whisper+smg_pistol", "weapons.smg_pistol.precision"),
    ("trooper+assault_rifle", "units.trooper.armour"),
)


def told(loaded: LoadedGame, fair: FairCosts, who: str, path: str) -> tuple[str, Estimate]:
    """Return one step up and what `--points` says of it where the costs that it takes as fair are so."""
    cost = float(fair.fair[fair.entrants.index(who)])
    printed = as_printed(loaded, fair.setting, who)
    price = replace(printed.price, fair=cost, dice_low=cost, dice_high=cost)
    field = ArmyField(fair.setting, fair.entrants, tuple(fair.fair.tolist()))
    priced = replace(printed, costs=(cost,), price=price, field=field)
    found = step_points(Runner(loaded), priced, 5, n_battles=8192)
    ((value, worth),) = [(step.value, worth) for step, worth in found.items() if step.path == path and step.by > 0]
    assert worth is not None
    return value, worth


def again(loaded: LoadedGame, before: FairCosts, who: str, path: str, value: str, n_battles: int) -> Estimate:
    """Return by how many points the fair cost grows beside those of the others."""
    changed = LoadedGame(loaded.definition, patch_catalogue(loaded.catalogue, {path: value}))
    after = fair_costs(Runner(changed), before.setting, before.seed + 1, before.entrants, n_battles=n_battles)
    at, n = before.entrants.index(who), len(before.entrants)
    beside = np.where(np.arange(n) == at, 1.0, -1 / (n - 1))
    growth = float(beside @ (after.log_fair - before.log_fair))
    error = float(np.sqrt(beside @ (before.covariance + after.covariance) @ beside))
    cost = float(before.fair[at])
    return Estimate.of_mean(cost * float(np.expm1(growth)), cost * float(np.exp(growth)) * error, n_battles)


def off(one: Estimate, other: Estimate) -> float:
    """Return how far two numbers are apart, in standard errors of both."""
    return (one.value - other.value) / float(np.hypot(one.half_width, other.half_width)) * SURE


def halved(one: Estimate) -> Estimate:
    return Estimate.of_mean(one.value / 2, one.half_width / SURE, one.n_trials)


@pytest.mark.parametrize("who", ["ant", "ox", "elk"])
def test_points_are_what_pricing_again_says(tmp_path: Path, who: str) -> None:
    """Each within 3.5 standard errors: 1 of 700 runs fails. Negative control: half as much of ant is not believed."""
    bodies = [("ant", 10, 10), ("ox", 20, 20), ("elk", 40, 40)]
    tug = load(GAME, write_catalogue(tmp_path / "c", bodies, [("rope", 0, 100)]))
    setting, names = ArmySetting("lineup", ((100.0, 4.0), (200.0, 8.0))), ("ant+rope", "ox+rope", "elk+rope")
    before, path = fair_costs(Runner(tug), setting, 11, names, n_battles=30_000), f"bodies.{who}.strength"
    value, worth = told(tug, before, f"{who}+rope", path)
    twin = again(tug, before, f"{who}+rope", path, value, 30_000)
    assert abs(off(worth, twin)) < SURELY
    assert who != "ant" or abs(off(halved(worth), twin)) > SURELY


@pytest.mark.slow("test_points_are_what_pricing_again_says")
@pytest.mark.parametrize(("game", "changes"), [("runewars", RUNEWARS), ("warforged", WARFORGED)])
def test_points_are_what_pricing_again_says_of_cards(game: str, changes: Sequence[tuple[str, str]]) -> None:
    """All but one of each game's within 3.5 standard errors: pricing again lets the costs of the others answer.

    Negative control: of half as much at least three are not believed.
    """
    loaded, names = load(game), tuple(dict.fromkeys(who for who, _ in changes))
    before, apart, control = fair_costs(Runner(loaded), army_setting(loaded), 11, names, n_battles=4000), [], []
    for who, path in changes:
        value, worth = told(loaded, before, who, path)
        twin = again(loaded, before, who, path, value, 4000)
        print(f"{path:38} {value:>4}  {worth.value:6.2f}  {twin.value:6.2f}  z {off(worth, twin):5.2f}")
        apart.append(abs(off(worth, twin)))
        control.append(abs(off(halved(worth), twin)))
    assert sum(z > SURELY for z in apart) <= 1
    assert sum(z > SURELY for z in control) >= 3

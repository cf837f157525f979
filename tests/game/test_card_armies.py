"""Armies of cards: an arena plays what the question plays, and a cost that is planted wrong is seen with its size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.fits.fair_costs import fair_costs
from balance.catalogue import Catalogue, patch_catalogue
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.engine.runner import Runner
from balance.game.authoring.template.game import GAME
from balance.game.loaded import LoadedGame, load

SKIRMISHERS = load(GAME)
N = 20_000
FIGHTERS = ("scout", "soldier", "knight", "giant")


@pytest.mark.parametrize(("policy", "one", "other"), [("steady", "2,0,0", "0,2,0"), ("bold", "1,2", "3,-1")])
def test_armies_of_each_trial_fight_as_those_that_are_asked(policy: str, one: str, other: str) -> None:
    """Half of the trials are of other armies, so that nobody's dice are another's; 5 standard errors, 1 in 10**6."""
    chosen = {"policy_a": policy, "policy_b": policy}
    rows = [np.array([int(word) for word in army.split(",")]) for army in (one, other)]
    a, b = (np.where(np.arange(N)[:, None] % 2, army, army[::-1]) for army in rows)
    process = SKIRMISHERS.arena("battle", FIGHTERS, **chosen).process(a, b)
    won = simulate(process, RandomRolls(0, "arena", 0, N), in_order=True)["winner"] == 1
    for odd in (0, 1):
        armies = [[FIGHTERS[at] for at in (army if odd else army[::-1]) if at >= 0] for army in rows]
        mine, theirs = (",".join(army) for army in armies)
        asked = SKIRMISHERS.ask("battle", mine, theirs, first="a", policy_a=policy, policy_b=policy).distribution
        truth = float(asked.weights[asked.outcomes[:, 0] == 1].sum() / asked.total)
        assert won[odd::2].mean() == pytest.approx(truth, abs=5 * (0.25 / (N / 2)) ** 0.5)


def test_an_army_is_a_row_or_written_out_and_costs_its_members() -> None:
    for army, name, cost in (("screen", "Screen", 30), ("scout:2,knight", "2 Scout, Knight", 30)):
        assert (SKIRMISHERS.label(army), SKIRMISHERS.cost_points(army)) == (name, cost)
    listed, written = (SKIRMISHERS.ask("battle", army, "guard").distribution for army in ("screen", "scout:2,knight"))
    assert np.array_equal(listed.weights, written.weights)


def priced(changes: dict[str, str]) -> dict[str, float]:
    """Return by how much each fighter costs more than is fair, as a ratio, with these cards."""
    loaded = LoadedGame(GAME, patch_catalogue(SKIRMISHERS.catalogue, changes))
    found = fair_costs(Runner(loaded), army_setting(loaded, budgets=[(60.0, 4.0)]), 0)
    return dict(zip(found.entrants, (found.printed_costs / found.fair).tolist(), strict=True))


@pytest.mark.slow("test_copies_of_one_card_cost_the_same_whatever_they_are_called")
def test_a_cost_planted_a_quarter_too_high_is_seen_with_its_size() -> None:
    """Against the same fighters without it: the knight's cost alone, and by 25 %."""
    before, after = priced({}), priced({"fighters.knight.cost_points": "25"})
    ratios = {name: after[name] / before[name] for name in before}
    others = np.mean([ratio for name, ratio in ratios.items() if name != "knight"])
    assert ratios["knight"] / others == pytest.approx(1.25, rel=0.03)
    assert max(ratios, key=lambda name: ratios[name]) == "knight"


def test_copies_of_one_card_cost_the_same_whatever_they_are_called() -> None:
    catalogue = SKIRMISHERS.catalogue
    knight = catalogue.tables["fighters"]["knight"]
    copies = {name: knight.model_copy(update={"id": name, "name": name}) for name in ("ant", "bee", "cat")}
    tables = {"fighters": copies, "armies": {}}
    alike: Catalogue = replace(catalogue, tables=tables, sources=())
    loaded = LoadedGame(GAME, alike)
    found = fair_costs(Runner(loaded), army_setting(loaded), 0, n_battles=200)
    assert found.fair == pytest.approx([20.0] * 3)
    assert loaded.entrants_of("battle") == ("ant", "bee", "cat")

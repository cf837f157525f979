"""Strikes that differ by trial, as on the board, have exactly the distribution of one strike for all trials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.chance.exact.enumeration import exact_distribution
from balance.chance.pmf import Pmf
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.kit import once
from balance.games.battlelore.building import Post, Referee
from balance.games.battlelore.rules.dice import FLAG, LORE, SWORD, SWORDS, swords_counted, swords_that_hit, throw
from balance.games.battlelore.rules.strike import Strike, Strikes, Targets, resolve, roll
from balance.games.battlelore.sides import parse_fighter
from balance.games.battlelore.tables import rules_of
from tests.games.battlelore.adventure.scenes import catalogue

COLUMNS = ("hits", "flags", "lore", "wounds", "pending", "gained", "webbed", "poisoned")
SPIDER: dict[str, Any] = {"policy": "poison_or_web", "stored": 1}
CASES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "short swords against riders": ("blue_foot", "red_mounted", {}, {}, {}),
    "Bold by support": ("red_foot", "blue_foot", {}, {"supported": True}, {}),
    "dice of a card": ("green_foot+common_bow", "dwarf_blue_foot", {"extra_dice": 2}, {}, {}),
    "in a web": ("blue_foot", "dwarf_blue_foot", {}, {"webbed": True, "supported": True}, {}),
    "in a web, but for flags ignored": ("blue_foot", "dwarf_blue_foot", {}, {"webbed": True}, {"BL-Q38": "taken_hit"}),
    "poisoned": ("blue_mounted", "goblin_blue_foot", {}, {"poisoned": True}, {}),
    "poisoned, and Lore collected": ("blue_mounted", "blue_foot", {}, {"poisoned": True}, {"BL-Q41": "collected"}),
    "a creature attacked": ("red_foot", "giant_spider", {"extra_dice": 1}, {}, {}),
    "a creature that webs and poisons": ("giant_spider", "dwarf_blue_foot", SPIDER, {}, {}),
    "creature against creature": ("giant_spider", "giant_spider", SPIDER, {}, {}),
}  # fmt: skip
"""Attacker, target, what is set of either, and other readings."""
OPTIONS = {"BL-Q38": "webbed_flags", "BL-Q41": "poison_lore"}


def law(columns_of: Any) -> Pmf:
    """Return the exact distribution of what `columns_of` makes of rolls."""

    def step(state: State, rolls: Rolls) -> State:
        columns = columns_of(rolls, len(state["hits"]))
        return {name: np.broadcast_to(columns[name], len(columns["hits"])).astype(np.int16) for name in COLUMNS}

    return exact_distribution(once(dict.fromkeys(COLUMNS, 0), [step], COLUMNS))


@pytest.mark.parametrize("adventure", ["lore", "medieval"])
@pytest.mark.parametrize("name", list(CASES))
def test_strikes_by_trial_are_the_strike_for_all(name: str, adventure: str) -> None:
    by, on, of_attacker, of_target, readings = CASES[name]
    rules = rules_of(catalogue()).model_copy(update={OPTIONS[key]: value for key, value in readings.items()})
    referee = Referee.of(catalogue(), rules, adventure)
    attacker, target = (parse_fighter(catalogue(), text) for text in (by, on))
    a, t = Post(attacker, attacker.unit.figures, **of_attacker), Post(target, target.unit.figures, **of_target)
    strike, which = referee.strike(a, t), SWORDS.index(swords_that_hit(attacker, target.unit.kind, True, rules))

    def condition(n: int) -> State:
        values = {"stored": a.stored, "webbed": t.webbed, "poisoned": t.poisoned, "figures": t.figures}
        return {key: np.full(n, value, np.int16) for key, value in values.items()}

    def by_trial(rolls: Rolls, n: int) -> State:
        letters = throw(strike.target.faces, np.full(n, strike.n_dice), rolls, "battle")
        return _resolved(strike, letters, which, condition, rolls)

    assert law(by_trial) == law(lambda rolls, n: roll(strike, condition(n), rolls, "one"))


def _resolved(strike: Strike, letters: IntArray, which: int, condition: Any, rolls: Rolls) -> State:
    n, colour = len(letters), "GBR".index(strike.target.helmet)
    struck = Targets(strike.target.faces, np.full(n, colour), np.full(n, strike.target.creature))
    strikes = Strikes(struck, strike.rules, strike.lore_adventure, strike.spend, strike.reward)
    hits = struck.helmets_of(letters) + swords_counted(letters[:, SWORD], np.full(n, which))
    symbols = {"hits": hits, "flags": letters[:, FLAG], "lore": letters[:, LORE]}
    bold = {"bold": np.full(n, strike.target.bold)}
    return resolve(strikes, symbols, condition(n) | bold, rolls, "")

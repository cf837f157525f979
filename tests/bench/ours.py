"""The tasks as a user of balance asks them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance import LoadedGame, Pmf, Question, die, pool
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.game import Lane

CARDS = {"precision": 7, "damage": 4, "effects": ""}
BODY = {"armour": 3, "abilities": ""}


@cache
def _game() -> LoadedGame:
    return balance.load("warforged")


@cache
def attack_question() -> Question:
    """T1: precision 7 and damage 4 against armour 3."""
    changes = {f"attacker.{name}": value for name, value in CARDS.items()}
    changes |= {f"defender.{name}": value for name, value in BODY.items()}
    return _game().attack("nexus+assault_rifle", "trooper", changes)


@cache
def kill_question() -> Question:
    """T2: T1 against 12 health."""
    changes = {f"attacker.{name}": value for name, value in CARDS.items()}
    changes |= {f"defender.{name}": value for name, value in (BODY | {"health": 12}).items()}
    return _game().kill("nexus+assault_rifle", "trooper", changes)


@cache
def duel_question() -> Question:
    """T5: two sides of T1's weapon, armour 3 and 12 health."""
    cards = CARDS | BODY | {"health": 12}
    changes = {f"{side}.{name}": value for side in "ab" for name, value in cards.items()}
    return _game().duel("nexus+assault_rifle", "nexus+assault_rifle", changes, first="a")


@cache
def _caches() -> list[Callable[[], None]]:
    modules = [module for name, module in sys.modules.items() if name.startswith("balance.games.")]
    found = [value for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")]
    return [function.cache_clear for function in found]


def forget_tables() -> None:
    """Empty every cache of distributions and tables, so that an exact answer is built from the rules again."""
    for clear in _caches():
        clear()


def _distribution(question: Question) -> Pmf:
    forget_tables()
    return replace(question).distribution


def attack() -> list[float]:
    """T1 exactly: P(damage = 0..4), the one column that is asked."""
    forget_tables()
    return list(attack_question().marginal("damage").p)


def attack_of_all() -> list[float]:
    """T1 exactly, from the joint distribution of all seven columns."""
    return list(_distribution(attack_question()).marginal("damage").p)


def kill() -> list[float]:
    """T2 exactly: P(dies on attack 3..8), the one column that is asked."""
    forget_tables()
    return list(kill_question().marginal("actions").p[:6])


def kill_of_all() -> list[float]:
    """T2 exactly, from the joint distribution of attacks and overkill."""
    return list(_distribution(kill_question()).marginal("actions").p[:6])


def duel() -> list[float]:
    """T5 exactly: P(a wins), from the joint distribution of winner, rounds, health left and overkill."""
    return [_distribution(duel_question()).chance(lambda winner: winner == 1)]


def dice_pool(n_dice: int) -> list[float]:
    """T3 exactly: the joint distribution of hits, flags and lore."""
    face = Pmf.from_faces([{"hits": 1}, {"hits": 1}, {"flags": 1}, {"lore": 1}, {}, {}])
    distribution = pool(face, n_dice)
    return [float(len(distribution)), distribution.chance(lambda hits: hits == n_dice)]


def creature() -> list[float]:
    """T4 exactly, with 2, 3 and 4 dice: a die kills if it hits and then shows the green helmet."""
    one = die(6, "roll").joint(die(6, "again")).map(lambda roll, again: {"kills": (roll <= 2) & (again == 1)})
    return [pool(one, n).chance(lambda kills: kills > 0) for n in (2, 3, 4)]


def sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """T1 sampled: how often each damage came up; tables are kept between calls."""
    task = attack_question().task(lane)
    counts = collect(task, FixedTrials(n_trials), seed=0, n_threads=n_threads).counts.marginal("damage")
    return _by_value(counts, "damage", 5)


def kills_sampled(lane: Lane, n_trials: int) -> npt.NDArray[Any]:
    """T2 sampled in lockstep: how many targets died on attack 1, 2, ..."""
    counts = collect(kill_question().task(lane), FixedTrials(n_trials), seed=0).counts.marginal("actions")
    return _by_value(counts, "actions", 200)[1:]


def _by_value(counts: Pmf, column: str, length: int) -> npt.NDArray[Any]:
    by_value = np.zeros(length, np.int64)
    by_value[counts[column]] = counts.weights
    return by_value

"""From two ids and some overrides to a duel, or a skirmish of two lines, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from balance.catalogue import Catalogue, Overrides
from balance.core.process import Process
from balance.errors import Fault, RulesError
from balance.games.battlelore.asked import FLAGS, Asked, ask
from balance.games.battlelore.building import Post, Referee, start_of
from balance.games.battlelore.duel import Duel, Duellist, duel_processes
from balance.games.battlelore.encounter import RESOLVERS
from balance.games.battlelore.powers import POLICIES
from balance.games.battlelore.sides import Stance
from balance.games.battlelore.situation import DuelSituation, SkirmishSituation
from balance.games.battlelore.skirmish import Line, Skirmish, skirmish_processes

__all__ = [
    "DUEL_CHOICES",
    "SKIRMISH_CHOICES",
    "DuelSetup",
    "SkirmishSetup",
    "duel_rung_processes",
    "duel_setup",
    "skirmish_rung_processes",
    "skirmish_setup",
]

SKIRMISH_CHOICES = {"a_flags": FLAGS, "b_flags": FLAGS, "battle_back": ("yes", "no")}
DUEL_CHOICES = {**SKIRMISH_CHOICES, "a_powers": tuple(POLICIES), "b_powers": tuple(POLICIES)}
"""What the owners decide; the defaults are as in a combat."""
STANCES = {"a": Stance(), "b": Stance()}


@dataclass(frozen=True)
class DuelSetup:
    """A duel, and what was asked."""

    duel: Duel
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class SkirmishSetup:
    """A skirmish, and what was asked."""

    skirmish: Skirmish
    inputs: Mapping[str, Any]


def duel_setup(
    catalogue: Catalogue, entrants: tuple[str, str], overrides: Overrides, first: str = "random", **choices: str
) -> DuelSetup:
    """Prepare a duel in melee; `first` is "a", "b" or "random", `choices` those of `DUEL_CHOICES`.

    Raises
    ------
    BalanceError
        An unknown id or field, or a value the rules do not allow; names the rule.
    """
    chosen = {name: choices.get(name, allowed[0]) for name, allowed in DUEL_CHOICES.items()}
    asked = ask(catalogue, entrants, overrides, DuelSituation(), STANCES, chosen)
    a, b, referee = _post(asked, "a"), _post(asked, "b"), asked.referee
    backs = chosen["battle_back"] == "yes"
    one = Duellist(referee.encounter("a", a, "b", b), backs and referee.may_battle_back(a))
    other = Duellist(referee.encounter("b", b, "a", a), backs and referee.may_battle_back(b))
    start = start_of((one.encounter, other.encounter), {"a": a, "b": b})
    needs_flag = referee.rules.battle_back_needs == "ignored_flag"
    duel = Duel(one, other, start, first, asked.situation.turn_limit, needs_flag)
    return DuelSetup(duel, _inputs(asked, first))


def duel_rung_processes(setup: DuelSetup, lane: str) -> tuple[Process, ...]:
    """Return a duel's processes in a lane."""
    return duel_processes(setup.duel, RESOLVERS[lane])


def skirmish_setup(
    catalogue: Catalogue, entrants: tuple[str, str], overrides: Overrides, first: str = "random", **choices: str
) -> SkirmishSetup:
    """Prepare a skirmish of two lines of equal units; `first` and `choices` as for a duel.

    Raises
    ------
    BalanceError
        As for a duel, or a condition that a whole line cannot have.
    """
    chosen = {name: choices.get(name, allowed[0]) for name, allowed in SKIRMISH_CHOICES.items()}
    asked = ask(catalogue, entrants, overrides, SkirmishSituation(), STANCES, chosen)
    if faults := [fault for root, side in asked.sides.items() for fault in _line_faults(root, side.stance)]:
        raise RulesError(faults)
    posts, situation, referee = {name: _post(asked, name) for name in STANCES}, asked.situation, asked.referee
    backs = chosen["battle_back"] == "yes"
    skirmish = Skirmish(
        a=_line(referee, "a", "b", posts, situation.a_units, backs),
        b=_line(referee, "b", "a", posts, situation.b_units, backs),
        first=first,
        round_limit=-(-situation.turn_limit // 2),
        friends=referee.constants.morale.friends_for_support,
        back_needs_flag=referee.rules.battle_back_needs == "ignored_flag",
    )
    return SkirmishSetup(skirmish, _inputs(asked, first))


def _post(asked: Asked, name: str) -> Post:
    free, extra = (getattr(asked.situation, f"{name}_{field}") for field in ("free_hexes", "extra_dice"))
    return asked.post(name, f"{name}_terrain", free_hexes=free, extra_dice=extra)


def _inputs(asked: Asked, first: str) -> dict[str, Any]:
    return asked.inputs() | {"first": first, "choices": dict(asked.chosen)}


def _line_faults(root: str, stance: Stance) -> list[Fault]:
    """In a line, support follows from who stands beside, and nobody begins webbed, poisoned or with stored Lore."""
    set_here = {name: getattr(stance, name) for name in ("supported", "webbed", "poisoned", "stored_lore")}
    message = "is not for a line: its units support each other, and begin untouched (BL-MOR-07)"
    return [Fault(message, f"--set {root}", None, name, str(value)) for name, value in set_here.items() if value]


def _line(referee: Referee, me: str, foe: str, posts: Mapping[str, Post], n_units: int, backs: bool) -> Line:
    encounter = referee.encounter(me, posts[me], foe, posts[foe])
    duellist = Duellist(replace(encounter, varies=(("supported", 2),)), backs)
    post = posts[me]
    return Line(duellist, n_units, post.figures, referee.bold(post), referee.bold(post, supported=True))


def skirmish_rung_processes(setup: SkirmishSetup, lane: str) -> tuple[Process, ...]:
    """Return a skirmish's processes in a lane."""
    return skirmish_processes(setup.skirmish, RESOLVERS[lane])

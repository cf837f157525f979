"""From two ids and some overrides to a duel, or a skirmish of two lines, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from balance.catalogue import Catalogue, Overrides, apply
from balance.core.process import Process
from balance.errors import Fault, RulesError
from balance.games.battlelore.building import Post, Referee, start_of
from balance.games.battlelore.duel import Duel, Duellist, duel_processes
from balance.games.battlelore.encounter import RESOLVERS
from balance.games.battlelore.powers import POLICIES, Policy
from balance.games.battlelore.setup import FLAGS, check_powers, most_ignored
from balance.games.battlelore.sides import Side, Stance, read_side
from balance.games.battlelore.situation import DuelSituation, SkirmishSituation, ground_of
from balance.games.battlelore.skirmish import Line, Skirmish, skirmish_processes
from balance.games.battlelore.tables import rules_of

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


@dataclass(frozen=True)
class _Asked:
    """What was asked, read and checked, and the two units in their places."""

    referee: Referee
    situation: Any
    sides: Mapping[str, Side[Stance]]
    posts: Mapping[str, Post]
    inputs: Mapping[str, Any]


def _ask(
    catalogue: Catalogue,
    entrants: tuple[str, str],
    overrides: Overrides,
    situation: DuelSituation,
    chosen: Mapping[str, str],
    first: str,
) -> _Asked:
    rules = apply(rules_of(catalogue), overrides.take("rules"), "--set rules")
    found = apply(situation, overrides.take("situation"), "--set situation")
    check_powers(found.adventure, chosen)
    sides = {
        root: read_side(catalogue, text, overrides.take(root), root, Stance())
        for root, text in zip(("a", "b"), entrants, strict=True)
    }
    posts = {root: _post(catalogue, root, side, found, chosen) for root, side in sides.items()}
    asked = {root: side.inputs() for root, side in sides.items()}
    plain = {"situation": found.model_dump(mode="json"), "rules": rules.model_dump(mode="json")}
    inputs = {**asked, **plain, "first": first, "choices": dict(chosen)}
    return _Asked(Referee.of(catalogue, rules, found.adventure), found, sides, posts, inputs)


def _post(
    catalogue: Catalogue, root: str, side: Side[Stance], situation: DuelSituation, chosen: Mapping[str, str]
) -> Post:
    stance, field = side.stance, f"{root}_terrain"
    return Post(
        side.fighter,
        side.figures,
        ground_of(catalogue, getattr(situation, field), field),
        stance.supported,
        stance.bold,
        free_hexes=getattr(situation, f"{root}_free_hexes"),
        extra_dice=getattr(situation, f"{root}_extra_dice"),
        most_ignored=most_ignored(chosen[f"{root}_flags"]),
        policy=cast("Policy", chosen.get(f"{root}_powers", POLICIES[0])),
        webbed=stance.webbed,
        poisoned=stance.poisoned,
        stored=stance.stored_lore,
    )


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
    asked = _ask(catalogue, entrants, overrides, DuelSituation(), chosen, first)
    a, b, referee = asked.posts["a"], asked.posts["b"], asked.referee
    backs = chosen["battle_back"] == "yes"
    one = Duellist(referee.encounter("a", a, "b", b), backs and referee.may_battle_back(a))
    other = Duellist(referee.encounter("b", b, "a", a), backs and referee.may_battle_back(b))
    start = start_of((one.encounter, other.encounter), {"a": a, "b": b})
    needs_flag = referee.rules.battle_back_needs == "ignored_flag"
    return DuelSetup(Duel(one, other, start, first, asked.situation.turn_limit, needs_flag), asked.inputs)


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
    asked = _ask(catalogue, entrants, overrides, SkirmishSituation(), chosen, first)
    if faults := [fault for root, side in asked.sides.items() for fault in _line_faults(root, side.stance)]:
        raise RulesError(faults)
    posts, situation, referee = asked.posts, asked.situation, asked.referee
    backs = chosen["battle_back"] == "yes"
    skirmish = Skirmish(
        a=_line(referee, "a", "b", posts, situation.a_units, backs),
        b=_line(referee, "b", "a", posts, situation.b_units, backs),
        first=first,
        round_limit=-(-situation.turn_limit // 2),
        friends=referee.constants.morale.friends_for_support,
        back_needs_flag=referee.rules.battle_back_needs == "ignored_flag",
    )
    return SkirmishSetup(skirmish, asked.inputs)


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

"""From two ids and some overrides to a duel, or a skirmish of two lines, ready to be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from balance.base.errors import Fault, RulesError
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import Policy
from balance.game.armies.armies import Arena, Army, AskedArena
from balance.game.armies.lost_actions import lost_at_start
from balance.game.setup import Asked, Setup
from balance.games.battlelore.building import Post, Referee, start_of
from balance.games.battlelore.duel import Duel, Duellist, duel_processes
from balance.games.battlelore.lineup import Line, LineUnit, LineUp, lineup_process, lineup_processes
from balance.games.battlelore.rules.encounter import MELEE_RESOLVERS, RESOLVERS
from balance.games.battlelore.rules.targets import OPPOSITE
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.scene import Scene, scene_of
from balance.games.battlelore.sides import DuellistStance, Side
from balance.games.battlelore.situation import DuelSituation, SkirmishSituation

__all__ = [
    "duel_kind_processes",
    "duel_setup",
    "lineup_arena",
    "lineup_kind_processes",
    "lineup_setup",
    "skirmish_setup",
]


def duel_setup(asked: Asked[BattleLoreRules, DuelSituation, Side[DuellistStance]]) -> Setup[Duel]:
    """Prepare a duel in melee.

    Raises
    ------
    BalanceError
        A terrain that does not exist, or a value the rules do not allow; names the rule.
    """
    scene = scene_of(asked)
    (a, b), referee = (_post(scene, name, side) for name, side in asked.sides.items()), scene.referee
    backs = asked.choices["battle_back"] == "yes"
    one = Duellist(referee.encounter("a", a, "b", b), backs and referee.may_battle_back(a))
    other = Duellist(referee.encounter("b", b, "a", a), backs and referee.may_battle_back(b))
    start = start_of((one.encounter, other.encounter), {"a": a, "b": b})
    lost = [lost_at_start(name, side.stance.lost_actions) for name, side in asked.sides.items()]
    needs_flag = referee.rules.battle_back_needs == "ignored_flag"
    duel = Duel(one, other, {**start, **lost[0], **lost[1]}, asked.first, asked.situation.turn_limit, needs_flag)
    return Setup(duel, asked.inputs())


def duel_kind_processes(setup: Setup[Duel], lane: str) -> tuple[Process, ...]:
    """Return a duel's processes in a lane."""
    return duel_processes(setup.play, RESOLVERS[lane])


def skirmish_setup(asked: Asked[BattleLoreRules, SkirmishSituation, Side[DuellistStance]]) -> Setup[LineUp]:
    """Prepare a skirmish: the line-up of equal units, each of which attacks the enemy opposite.

    Raises
    ------
    BalanceError
        As for a duel, or a condition that a unit in line cannot have.
    """
    numbers = {"a": asked.situation.a_units, "b": asked.situation.b_units}
    members = {name: [(side, numbers[name])] for name, side in asked.sides.items()}
    lost = {name: side.stance.lost_actions for name, side in asked.sides.items()}
    return Setup(_lineup(asked, members, dict.fromkeys(members, OPPOSITE), lost), asked.inputs())


def lineup_setup(asked: Asked[BattleLoreRules, DuelSituation, Army[Side[DuellistStance]]]) -> Setup[LineUp]:
    """Prepare a line-up: the units of an army stand in line as they are written.

    Raises
    ------
    BalanceError
        As for a skirmish.
    """
    members = {name: list(zip(army.members, army.counts, strict=True)) for name, army in asked.sides.items()}
    lost = {name: army.lost_actions or 0 for name, army in asked.sides.items()}
    return Setup(_lineup(asked, members, asked.policies, lost), asked.inputs())


def lineup_arena(asked: AskedArena[BattleLoreRules, DuelSituation, Side[DuellistStance]]) -> Arena:
    """Open the arena in which armies of some units meet in line.

    Raises
    ------
    BalanceError
        As for a line-up.
    """
    line: Members = [(unit, 1) for unit in asked.members.values()]
    sides = {"a": line, "b": line}
    given: Asked[BattleLoreRules, DuelSituation, Any] = Asked(
        ("", ""), asked.catalogue, asked.rules, asked.situation, {}, "a", asked.choices, asked.policies
    )
    lineup = _lineup(given, sides, asked.policies, dict.fromkeys(sides, 0))
    return Arena(tuple(asked.members), _marks(lineup), partial(lineup_process, lineup, MELEE_RESOLVERS["compiled"]))


def _marks(lineup: LineUp) -> tuple[str, ...]:
    """Return what tells units apart that do not play alike: what they are, and all strikes by them and on them."""
    told = []
    for place, (a, b) in enumerate(zip(lineup.a.units, lineup.b.units, strict=True)):
        own = [repr(replace(unit, strikes=())) for unit in (a, b)]
        by = [sorted({repr(strike) for strike in unit.strikes}) for unit in (a, b)]
        on = [sorted({repr(unit.strikes[place]) for unit in line.units}) for line in (lineup.a, lineup.b)]
        told.append(repr((own, by, on)))
    return tuple(told)


Members: TypeAlias = Sequence[tuple[Side[DuellistStance], int]]
"""Units and how many of each stand side by side, in the order of the line."""


def _lineup(
    asked: Asked[BattleLoreRules, Any, Any],
    members: Mapping[str, Members],
    policies: Mapping[str, Policy],
    lost: Mapping[str, int],
) -> LineUp:
    scene = scene_of(asked)
    if faults := [fault for name, line in members.items() for fault in _line_faults(name, line)]:
        raise RulesError(faults)
    referee, backs = scene.referee, asked.choices["battle_back"] == "yes"
    posts = {
        name: [post for unit, n in line for post in [_post(scene, name, unit)] * n] for name, line in members.items()
    }
    a, b = (
        Line(_line_units(referee, posts[me], posts[foe]), policies[me], backs, lost[me]) for me, foe in ("ab", "ba")
    )
    return LineUp(
        a=a,
        b=b,
        first=asked.first,
        round_limit=-(-asked.situation.turn_limit // 2),
        friends=referee.constants.morale.friends_for_support,
        back_needs_flag=referee.rules.battle_back_needs == "ignored_flag",
    )


def _post(scene: Scene[Any], name: str, unit: Side[Any]) -> Post:
    free, extra = (getattr(scene.situation, f"{name}_{field}") for field in ("free_hexes", "extra_dice"))
    return scene.posted(unit, name, f"{name}_terrain", free_hexes=free, extra_dice=extra)


def _line_faults(name: str, line: Members) -> Iterator[Fault]:
    """In a line, support follows from who stands beside, and nobody begins webbed, poisoned or with stored Lore."""
    message = "is not for a line: its units support each other, and begin untouched (BL-MOR-07)"
    for place, (unit, _) in enumerate(line, start=1):
        root = name if len(line) == 1 else f"{name}.{place}"
        for field in ("supported", "webbed", "poisoned", "stored_lore"):
            if value := getattr(unit.stance, field):
                yield Fault(message, f"--set {root}", None, field, str(value))


def _line_units(referee: Referee, mine: Sequence[Post], theirs: Sequence[Post]) -> tuple[LineUnit, ...]:
    return tuple(
        LineUnit(
            post.figures,
            post.fighter.unit.figures,
            referee.bold(post),
            referee.bold(post, supported=True),
            tuple(referee.strike(post, foe) for foe in theirs),
        )
        for post in mine
    )


def lineup_kind_processes(setup: Setup[LineUp], lane: str) -> tuple[Process, ...]:
    """Return a skirmish's or a line-up's processes in a lane."""
    return lineup_processes(setup.play, MELEE_RESOLVERS[lane])

"""From two ids and some overrides to a duel, or a skirmish of two lines, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.core.process import Process
from balance.core.rolls import Policy
from balance.errors import Fault, RulesError
from balance.games.battlelore.building import Post, Referee, start_of
from balance.games.battlelore.duel import Duel, Duellist, duel_processes
from balance.games.battlelore.encounter import MELEE_RESOLVERS, RESOLVERS
from balance.games.battlelore.lineup import Line, LineUnit, LineUp, lineup_processes
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.scene import Scene, scene_of
from balance.games.battlelore.sides import Side, Stance
from balance.games.battlelore.situation import DuelSituation, SkirmishSituation
from balance.games.battlelore.targets import OPPOSITE
from balance.protocol.asked import Asked, Setup

__all__ = [
    "duel_kind_processes",
    "duel_setup",
    "lineup_kind_processes",
    "skirmish_setup",
]


def duel_setup(asked: Asked[BattleLoreRules, DuelSituation, Side[Stance]]) -> Setup[Duel]:
    """Prepare a duel in melee.

    Raises
    ------
    BalanceError
        A terrain that does not exist, or a value the rules do not allow; names the rule.
    """
    scene = scene_of(asked)
    a, b, referee = _post(scene, "a"), _post(scene, "b"), scene.referee
    backs = asked.choices["battle_back"] == "yes"
    one = Duellist(referee.encounter("a", a, "b", b), backs and referee.may_battle_back(a))
    other = Duellist(referee.encounter("b", b, "a", a), backs and referee.may_battle_back(b))
    start = start_of((one.encounter, other.encounter), {"a": a, "b": b})
    needs_flag = referee.rules.battle_back_needs == "ignored_flag"
    duel = Duel(one, other, start, asked.first, asked.situation.turn_limit, needs_flag)
    return Setup(duel, asked.inputs())


def duel_kind_processes(setup: Setup[Duel], lane: str) -> tuple[Process, ...]:
    """Return a duel's processes in a lane."""
    return duel_processes(setup.play, RESOLVERS[lane])


def skirmish_setup(asked: Asked[BattleLoreRules, SkirmishSituation, Side[Stance]]) -> Setup[LineUp]:
    """Prepare a skirmish: the line-up of equal units, each of which attacks the enemy opposite.

    Raises
    ------
    BalanceError
        As for a duel, or a condition that a whole line cannot have.
    """
    scene = scene_of(asked)
    if faults := [fault for root, side in asked.sides.items() for fault in _line_faults(root, side.stance)]:
        raise RulesError(faults)
    numbers = {"a": asked.situation.a_units, "b": asked.situation.b_units}
    posts = {name: [_post(scene, name)] * n_units for name, n_units in numbers.items()}
    return Setup(_lineup(scene, posts, dict.fromkeys(numbers, OPPOSITE)), asked.inputs())


def _post(scene: Scene[Any], name: str) -> Post:
    free, extra = (getattr(scene.situation, f"{name}_{field}") for field in ("free_hexes", "extra_dice"))
    return scene.post(name, f"{name}_terrain", free_hexes=free, extra_dice=extra)


def _line_faults(root: str, stance: Stance) -> list[Fault]:
    """In a line, support follows from who stands beside, and nobody begins webbed, poisoned or with stored Lore."""
    set_here = {name: getattr(stance, name) for name in ("supported", "webbed", "poisoned", "stored_lore")}
    message = "is not for a line: its units support each other, and begin untouched (BL-MOR-07)"
    return [Fault(message, f"--set {root}", None, name, str(value)) for name, value in set_here.items() if value]


def _lineup(scene: Scene[Any], posts: Mapping[str, Sequence[Post]], policies: Mapping[str, Policy]) -> LineUp:
    referee, asked = scene.referee, scene.asked
    backs = asked.choices["battle_back"] == "yes"
    return LineUp(
        a=Line(_line_units(referee, posts["a"], posts["b"]), policies["a"], backs),
        b=Line(_line_units(referee, posts["b"], posts["a"]), policies["b"], backs),
        first=asked.first,
        round_limit=-(-asked.situation.turn_limit // 2),
        friends=referee.constants.morale.friends_for_support,
        back_needs_flag=referee.rules.battle_back_needs == "ignored_flag",
    )


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

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


def duel_setup(question: Asked[BattleLoreRules, DuelSituation, Side[DuellistStance]]) -> Setup[Duel]:
    """Prepare a duel in melee; `BalanceError`, with the rule, for an unknown terrain or a value the rules forbid."""
    scene = scene_of(question)
    (a, b), referee = (_post(scene, name, side) for name, side in question.sides.items()), scene.referee
    backs = question.choices["battle_back"] == "yes"
    duellist_a, duellist_b = (
        Duellist(
            referee.encounter(me, own, foe, other),
            referee.encounter(me, own, foe, other, backs=True),
            backs and referee.may_battle_back(own),
        )
        for me, own, foe, other in (("a", a, "b", b), ("b", b, "a", a))
    )
    begin = start_of((duellist_a.encounter, duellist_b.encounter), {"a": a, "b": b})
    lost_actions = [lost_at_start(name, side.stance.lost_actions) for name, side in question.sides.items()]
    needs_flag = referee.rules.back_needs_flag
    start = {**begin, **lost_actions[0], **lost_actions[1]}
    duel = Duel(duellist_a, duellist_b, start, question.first, question.situation.turn_limit, needs_flag)
    return Setup(duel, question.inputs())


def duel_kind_processes(setup: Setup[Duel], lane: str) -> tuple[Process, ...]:
    """Return a duel's processes; the lane "compiled" draws whole strikes, "literal" rolls their dice."""
    return duel_processes(setup.play, RESOLVERS[lane])


def skirmish_setup(question: Asked[BattleLoreRules, SkirmishSituation, Side[DuellistStance]]) -> Setup[LineUp]:
    """Prepare a skirmish: the line-up of equal units, each of which attacks the enemy opposite.

    `BalanceError` as for a duel, or for a condition that a unit in line cannot have.
    """
    numbers = {"a": question.situation.a_units, "b": question.situation.b_units}
    members = {name: [(side, numbers[name])] for name, side in question.sides.items()}
    lost_actions = {name: side.stance.lost_actions for name, side in question.sides.items()}
    return Setup(_lineup(question, members, dict.fromkeys(members, OPPOSITE), lost_actions), question.inputs())


def lineup_setup(question: Asked[BattleLoreRules, DuelSituation, Army[Side[DuellistStance]]]) -> Setup[LineUp]:
    """Prepare a line-up of armies, their units in the order written; `BalanceError` as for a skirmish."""
    members = {name: list(zip(army.members, army.counts, strict=True)) for name, army in question.sides.items()}
    lost_actions = {name: army.lost_actions or 0 for name, army in question.sides.items()}
    return Setup(_lineup(question, members, question.policies, lost_actions), question.inputs())


def lineup_arena(question: AskedArena[BattleLoreRules, DuelSituation, Side[DuellistStance]]) -> Arena:
    """Open the arena in which armies of some units meet in line; `BalanceError` as for a line-up."""
    line: Members = [(unit, 1) for unit in question.members.values()]
    sides = {"a": line, "b": line}
    line_question: Asked[BattleLoreRules, DuelSituation, Any] = Asked(
        ("", ""), question.catalogue, question.rules, question.situation, {}, "a", question.choices, question.policies
    )
    lineup = _lineup(line_question, sides, question.policies, dict.fromkeys(sides, 0))
    return Arena(tuple(question.members), _marks(lineup), partial(lineup_process, lineup, MELEE_RESOLVERS["compiled"]))


def _marks(lineup: LineUp) -> tuple[str, ...]:
    """Return a text per unit, equal for units that play alike: values and all strikes by them and on them."""
    marks = []
    for place, (a, b) in enumerate(zip(lineup.a.units, lineup.b.units, strict=True)):
        alone = [repr(replace(unit, strikes=(), backs=())) for unit in (a, b)]
        by = [sorted({repr(pair) for pair in unit.both}) for unit in (a, b)]
        on = [sorted({repr(unit.both[place]) for unit in line.units}) for line in (lineup.a, lineup.b)]
        marks.append(repr((alone, by, on)))
    return tuple(marks)


Members: TypeAlias = Sequence[tuple[Side[DuellistStance], int]]
"""Units and how many of each stand side by side, in the order of the line."""


def _lineup(
    question: Asked[BattleLoreRules, Any, Any],
    members: Mapping[str, Members],
    policies: Mapping[str, Policy],
    lost_actions: Mapping[str, int],
) -> LineUp:
    scene = scene_of(question)
    if faults := [fault for name, line in members.items() for fault in _line_faults(name, line)]:
        raise RulesError(faults)
    referee, backs = scene.referee, question.choices["battle_back"] == "yes"
    posts = {
        name: [post for unit, n in line for post in [_post(scene, name, unit)] * n] for name, line in members.items()
    }
    a, b = (
        Line(_line_units(referee, posts[side], posts[foe]), policies[side], backs, lost_actions[side])
        for side, foe in ("ab", "ba")
    )
    return LineUp(
        a=a,
        b=b,
        first=question.first,
        round_limit=-(-question.situation.turn_limit // 2),
        friends=referee.constants.morale.friends_for_support,
        back_needs_flag=referee.rules.back_needs_flag,
    )


def _post(scene: Scene[Any], name: str, unit: Side[Any]) -> Post:
    free, extra = (getattr(scene.situation, f"{name}_{field}") for field in ("free_hexes", "extra_dice"))
    return scene.post_of(unit, name, f"{name}_terrain", free_hexes=free, extra_dice=extra)


def _line_faults(name: str, line: Members) -> Iterator[Fault]:
    """Yield a fault for support, webs, poison or stored Lore set of a unit: in a line neighbours support each other."""
    message = "is not for a line: its units support each other, and begin untouched (BL-MOR-07)"
    for place, (unit, _) in enumerate(line, start=1):
        root = name if len(line) == 1 else f"{name}.{place}"
        for field in ("supported", "webbed", "poisoned", "stored_lore"):
            if value := getattr(unit.stance, field):
                yield Fault(message, f"§set {root}", None, field, str(value))


def _line_units(referee: Referee, own_posts: Sequence[Post], enemy_posts: Sequence[Post]) -> tuple[LineUnit, ...]:
    return tuple(
        LineUnit(
            post.figures,
            post.fighter.unit.figures,
            referee.bold(post),
            referee.bold(post, is_supported=True),
            tuple(referee.strike(post, foe) for foe in enemy_posts),
            tuple(referee.strike(post, foe, backs=True) for foe in enemy_posts),
        )
        for post in own_posts
    )


def lineup_kind_processes(setup: Setup[LineUp], lane: str) -> tuple[Process, ...]:
    """Return the processes of a skirmish or line-up; the lane "compiled" draws whole strikes, "literal" rolls dice."""
    return lineup_processes(setup.play, MELEE_RESOLVERS[lane])

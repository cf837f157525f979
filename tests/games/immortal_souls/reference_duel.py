"""A duel of Immortal Souls, a hero against an enemy, told a second time: round by round, from state to state.

`a` is the hero, `b` the enemy. The chances of one attack are the exact ones of `reference`, as floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from tests.games.immortal_souls.reference import Attack, Defender, State, recaps, struck
from tests.games.immortal_souls.reference_spending import Game


@dataclass(frozen=True)
class Fighter:
    """A side. `defender.state` is how it starts, its magic shields at their maximum; a power is a hero's.

    `save` is the result that saves, `focus` whether the first attack of each turn has one more hit.
    """

    health: int
    weapon: Attack
    defender: Defender
    combat_activities: int = 1
    fire1: int = 0
    fire2: int = 0
    save: str = ""
    focus: bool = False
    power: Attack | None = None
    cooldown: int = 0


class Rules(NamedTuple):
    """`enemy_turns`: how often a round the enemy may act, each time with the chance of `activation_chance`."""

    round_limit: int = 20
    activation_chance: float = 1.0
    game: Game = Game()
    enemy_turns: int = 1


class Side(NamedTuple):
    health: int
    state: State
    fire1: int
    fire2: int


class Now(NamedTuple):
    """`cooling`: rounds until the power is ready; `fresh`: no attack was made in this turn."""

    a: Side
    b: Side
    cooling: int
    fresh: bool = True


Chances = dict[Now, float]
END = tuple[int, int, int, int]


def step(chances: Mapping[Now, float], move: Callable[[Now], Iterable[tuple[Now, float]]]) -> Chances:
    """Return the chances after a move; a duel that is over moves no more."""
    found: Chances = {}
    for now, p in chances.items():
        over = now.a.health <= 0 or now.b.health <= 0
        for after, q in [(now, 1.0)] if over else move(now):
            if q:
                found[after] = found.get(after, 0.0) + p * q
    return found


def without(side: Side, *conditions: str) -> Side:
    return side._replace(state=side.state._replace(**dict.fromkeys(conditions, 0)))


def burnt(side: Side, most_shields: int) -> Side:
    """Return a side after the damage of fire and poison, its magic shields back."""
    health = side.health - side.fire1 - side.fire2 - side.state.poison
    return Side(health, side.state._replace(shields=most_shields), side.fire2, 0)


@cache
def hurts(attack: Attack, defender: Defender, game: Game) -> tuple[tuple[tuple[int, State, int, int], float], ...]:
    """Return the chance of each (wounds, state after, Fire I, Fire II) of one attack."""
    found: dict[tuple[int, State, int, int], float] = {}
    for (blow, _, _), p in recaps(attack, (defender,), game).items():
        fires = [number for name, number in blow.marks if name == "fire"]
        for (wounds, state), q in struck(blow, defender, game).items():
            key = wounds, state, fires.count(1), fires.count(2)
            found[key] = found.get(key, 0.0) + float(p * q)
    return tuple(found.items())


def struck_side(
    attack: Attack, by: Side, bonus: int, whom: Fighter, side: Side, game: Game
) -> list[tuple[Side, float]]:
    """Return how a side may stand after one attack."""
    bonus += int(side.state.ko and game.has("supremacy") == "yes") - by.state.red_hits
    effects = () if by.state.silenced else attack.effects
    attack = replace(attack, bonus_hits=attack.bonus_hits + bonus, effects=effects)
    after = []
    for (wounds, state, fire1, fire2), p in hurts(attack, replace(whom.defender, state=side.state), game):
        health = side.health - wounds - (state.red_health - side.state.red_health)
        after.append((Side(health, state, side.fire1 + fire1, side.fire2 + fire2), p))
    return after


def duel_outcomes(a: Fighter, b: Fighter, rules: Rules) -> dict[END, float]:
    """Return {(winner, rounds, health of a, health of b): probability}; winner: 0 nobody, 1 a, 2 b."""
    game = rules.game
    save = sum(bool(set(face.split()) & {a.save}) for face in game.blue) / len(game.blue)

    def time(now: Now) -> list[tuple[Now, float]]:
        one, two = burnt(now.a, a.defender.state.shields), burnt(now.b, b.defender.state.shields)
        after = Now(one, two, max(0, now.cooling - 1))
        if one.state.poison and one.health > 0:
            return [(after, 1 - save), (after._replace(a=without(one, "poison")), save)]
        return [(after, 1.0)]

    def activity(now: Now) -> list[tuple[Now, float]]:
        powered = a.power is not None and a.cooldown > 0 and now.cooling == 0
        cooling = a.cooldown if powered else now.cooling
        attack = a.power if powered and a.power else a.weapon
        bonus = int(a.focus and now.fresh and not now.a.state.slow)
        made = struck_side(attack, now.a, bonus, b, now.b, game)
        chance = save if now.a.state.blind else 1.0
        wasted = now._replace(cooling=cooling if game.has("Q45") == "yes" else now.cooling)
        return [(wasted, 1 - chance), *((Now(now.a, side, cooling, False), chance * p) for side, p in made)]

    def hero_turn(now: Now) -> list[tuple[Now, float]]:
        attacks = 1 if now.a.state.slow else a.combat_activities
        chances = {now._replace(a=without(now.a, "ko"), fresh=True): 1.0}
        if now.a.state.stun:
            attacks, chances = 0, {now: 1.0}
        elif now.a.state.ko and now.a.state.slow:
            attacks = 0
        for _ in range(attacks):
            chances = step(chances, activity)
        ended: Chances = {}
        for one, p in chances.items():
            after = one._replace(a=without(one.a, "stun", "slow", "blind"), fresh=True)
            ended[after] = ended.get(after, 0.0) + p
        return list(ended.items())

    def enemy_turn(now: Now) -> list[tuple[Now, float]]:
        acts, state = rules.activation_chance, now.b.state
        attacks = 0 if state.blind or state.stun else 1 if state.slow else b.combat_activities
        off = ("stun",) if state.stun else ("ko", "slow", "blind")
        up = without(now.b, *off, *(("ko",) if game.has("Q40") == "yes" else ()))
        chances = {now._replace(b=up): 1.0}
        for _ in range(attacks):
            chances = step(
                chances,
                lambda one: [(one._replace(a=side), p) for side, p in struck_side(b.weapon, one.b, 0, a, one.a, game)],
            )
        return [(now, 1 - acts), *((one, acts * p) for one, p in chances.items())]

    one, two = (Side(side.health, side.defender.state, side.fire1, side.fire2) for side in (a, b))
    start = Now(one, two, 0)
    chances, ends = {start: 1.0}, dict[END, float]()
    for number in range(1, rules.round_limit + 1):
        for move in (time, hero_turn, *[enemy_turn] * rules.enemy_turns):
            chances = step(chances, move)
        going: Chances = {}
        for now, p in chances.items():
            fallen = now.a.health <= 0, now.b.health <= 0
            if any(fallen) or number == rules.round_limit:
                winner = {(True, False): 2, (False, True): 1}.get(fallen, 0)
                end = winner, number, max(0, now.a.health), max(0, now.b.health)
                ends[end] = ends.get(end, 0.0) + p
            else:
                going[now] = p
        chances = going
    return ends

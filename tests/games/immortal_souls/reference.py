"""One attack of Immortal Souls written a second time, from the rules ledger, in plain Python and exact fractions.

Nothing here is shared with the package: dictionaries of results, every roll, every set of effects tried in turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.games.immortal_souls.reference_spending import (
    HIT,
    SHD,
    Counts,
    Effect,
    Game,
    Token,
    best,
    dearest,
    minus,
    settled,
    thrown,
)  # fmt: skip

F = Fraction
PHYSICAL = ("ko", "poison", "stun", "slow", "blind")
ON_TARGET = (*PHYSICAL, "armour", "fire")


class State(NamedTuple):
    """What an attack may change of a defender, its health and fire apart; `red_...`: what red criticals take away."""

    shields: int = 0
    ko: int = 0
    poison: int = 0
    stun: int = 0
    slow: int = 0
    blind: int = 0
    red_armour: int = 0
    red_hits: int = 0
    red_health: int = 0
    silenced: int = 0


START = State()


@dataclass(frozen=True)
class Attack:
    """`roll`: the results, if they are settled; then there is no re-roll."""

    sure: int = 0
    red: int = 0
    blue: int = 0
    bonus_hits: int = 0
    damage_type: str = "none"
    effects: tuple[Effect, ...] = ()
    spending: str = "most_wounds"
    roll: Counts | None = None


@dataclass(frozen=True)
class Defender:
    """`defence_dice`: 0 for no value, 1 for a hero without armour. `spending`: fewest_wounds, or dearest."""

    armour: int = 0
    defence_dice: int = 0
    modifiers: tuple[tuple[str, int], ...] = ()
    effects: tuple[Effect, ...] = ()
    spending: str = "dearest"
    state: State = START


class Outcome(NamedTuple):
    hits: int
    lethal: int
    wounds: int
    symbols_left: int
    effects_bought: int
    ko: int
    stun: int
    slow: int
    blind: int
    poison: int
    fire1: int
    fire2: int
    others_wounds: int = 0


class Blow(NamedTuple):
    """What every target of one attack meets: `marks` are the effects in force on it, in order."""

    hits: int
    lethal: int
    wholly: bool
    damage_type: str
    criticals: int
    area: bool
    marks: tuple[tuple[str, int], ...]


# The defence of one target, and what an attack does to it.


def weakened(blow: Blow, defender: Defender, game: Game) -> list[tuple[int, int]]:
    """Return the (lethal, normal) hits that step 1 leaves: several where the attacker may choose among them."""
    change = 0
    for kind, number in defender.modifiers:
        but = kind.removeprefix("all_but_")
        if kind == but:
            change += number * (kind == blow.damage_type)
        elif but != blow.damage_type and (blow.damage_type != "none" or game.has("Q7") == "reduced"):
            change += number
    if change > 0 and (blow.hits or game.has("Q4") == "yes"):
        more = blow.hits + change
        lethal = more if blow.wholly and blow.hits else blow.lethal
        return [(lethal, more - lethal)]
    lost, normal = min(max(-change, 0), blow.hits), blow.hits - blow.lethal
    splits = [
        (blow.lethal - k, normal - (lost - k)) for k in range(lost + 1) if k <= blow.lethal and lost - k <= normal
    ]
    return {"lethal_first": splits[-1:], "normal_first": splits[:1], "attacker_chooses": splits}[game.has("Q3")]


def through(n_hits: int, results: Counts, defender: Defender, bought: tuple[int, ...]) -> int:
    """Return the normal hits that are left once shields rolled and bought have cancelled theirs."""
    left = list(results)
    stopped = 0
    for i in bought:
        left = [have - due for have, due in zip(left, defender.effects[i].cost, strict=True)]
        stopped += (defender.effects[i].number or 0) * (defender.effects[i].name == "shield")
    return max(0, n_hits - stopped - left[SHD])


@cache
def rolled(n_hits: int, defender: Defender, game: Game) -> dict[int, Fraction]:
    """Return the chance of each number of normal hits that are left after steps 4 to 6."""
    dice = (0, min(n_hits, defender.defence_dice))
    compelled = defender.spending == "dearest"

    @cache
    def left(results: Counts) -> int:
        if compelled:
            return through(n_hits, results, defender, dearest(defender.effects, results))
        chosen = best(defender.effects, results, lambda one: F(-through(n_hits, results, defender, one)))
        return through(n_hits, results, defender, chosen)

    found: dict[int, Fraction] = {}
    for first, p in thrown(*dice, game).items():
        final = settled(first, dice, defender.effects, compelled, lambda results: F(-left(results)), game)
        for (results, _), q in final.items():
            found[left(results)] = found.get(left(results), F(0)) + p * q
    return found


@cache
def defended(blow: Blow, defender: Defender, game: Game) -> dict[tuple[int, int], Fraction]:
    """Return the chance of each (wounds, magic shields left) of the defence phase."""
    state = defender.state
    softer = sum(number for name, number in blow.marks if name == "armour")
    armour = 0 if state.ko else max(0, defender.armour - state.red_armour + softer)
    if state.silenced:
        defender = replace(defender, effects=())
    ways = []
    for lethal, normal in weakened(blow, defender, game):
        wounds, shields = max(0, lethal - state.shields), max(0, state.shields - lethal)
        normal = max(0, normal - armour)
        normal, shields = max(0, normal - shields), max(0, shields - normal)
        ways.append({(wounds + more, shields): p for more, p in rolled(normal, defender, game).items()})
    return max(ways, key=lambda way: sum(wounds * p for (wounds, _), p in way.items()))


def marked(state: State, mark: tuple[str, int], drawn: bool, game: Game) -> tuple[int, State]:
    """Return the wounds at once, and the state, of a condition bought or `drawn` with a critical."""
    name, number = mark
    if name not in PHYSICAL:
        return 0, state
    there, value = getattr(state, name), number if name == "poison" else 1
    after = state._replace(**{name: max(there, value)})
    repeated = there > 0 and (name != "ko" or game.has("Q21") == "wound")
    return int(repeated and (drawn or value > there or game.has("Q39") == "yes")), after


def drawn(state: State, token: Token, game: Game) -> tuple[int, State]:
    """Return the wounds at once, and the state, of a critical token."""
    wounds = token.wounds
    sizes = -token.armour, -token.hits, -token.health, int(token.silences)
    for name, size in zip(("red_armour", "red_hits", "red_health", "silenced"), sizes, strict=True):
        there = getattr(state, name)
        wounds += int(0 < size <= there and (size == there or game.has("Q44") == "wound"))
        state = state._replace(**{name: max(there, size)})
    if token.condition:
        more, state = marked(state, (token.condition.rstrip("12"), int(token.condition[-1:] == "2") + 1), True, game)
        wounds += more
    return wounds, state


Hands = tuple[tuple[Token, ...], ...]
"""The critical tokens that each target draws."""


@cache
def hands(n_targets: int, criticals: int, game: Game) -> dict[Hands, Fraction]:
    """Return the chance of what targets draw: one after the other from the bag, which is whole for each critical."""
    found: dict[Hands, Fraction] = {((),) * n_targets: F(1)}
    for _ in range(criticals):
        bags = {(held, game.bag): p for held, p in found.items()}
        for target in range(n_targets if game.has("Q35") == "each" else 1):
            more: dict[tuple[Hands, tuple[Token, ...]], Fraction] = {}
            for (held, left), p in bags.items():
                bag = left if any(token.tokens for token in left) else game.bag  # mixed anew when it is empty
                for kind, token in enumerate(bag):
                    now = (*held[:target], (*held[target], token._replace(tokens=1)), *held[target + 1 :])
                    rest = (*bag[:kind], token._replace(tokens=max(0, token.tokens - 1)), *bag[kind + 1 :])
                    share = p * F(token.tokens, sum(one.tokens for one in bag))
                    more[now, rest] = more.get((now, rest), F(0)) + share
            bags = more
        found = {}
        for (held, _), p in bags.items():
            found[held] = found.get(held, F(0)) + p
    return {held: p for held, p in found.items() if p}


@cache
def struck_with(
    blow: Blow, defender: Defender, hand: tuple[Token, ...], game: Game
) -> dict[tuple[int, State], Fraction]:
    """Return the chance of each (wounds, state after) of one target of a blow that has drawn its criticals."""
    wounds, state = 0, defender.state
    for token in hand:
        hurt, state = drawn(state, token, game)
        wounds += hurt
    for mark in blow.marks:
        hurt, state = marked(state, mark, False, game)
        wounds += hurt
    return {
        (wounds + more, state._replace(shields=shields)): p
        for (more, shields), p in defended(blow, replace(defender, state=state), game).items()
    }


@cache
def struck(blow: Blow, defender: Defender, game: Game, primary: bool = True) -> dict[tuple[int, State], Fraction]:
    """Return the chance of each (wounds, state after) of one target of a blow, whatever befalls the others."""
    found: dict[tuple[int, State], Fraction] = {}
    draws = primary or game.has("Q35") == "each"
    for (hand,), p in hands(1, blow.criticals * draws, game).items():
        for key, q in struck_with(blow, defender, hand, game).items():
            found[key] = found.get(key, F(0)) + p * q
    return found


# The hit phase.


def blow_of(attack: Attack, results: Counts, bought: tuple[int, ...], game: Game) -> tuple[Blow, Counts]:
    """Return what the attack has become at the recap, and the results not spent."""
    chosen = [attack.effects[i] for i in bought]
    left = results
    for effect in chosen:
        paid = minus(left, effect.cost)
        assert paid is not None
        left = paid
    hits = attack.sure + left[HIT] + sum(one.number or 0 for one in chosen if one.name == "hits")
    hits = 0 if game.has("Q8") == "no" and hits <= 0 else max(0, hits + attack.bonus_hits)
    numbers = [hits if one.number is None else one.number for one in chosen if one.name == "lethal"]
    lethal = min(hits, sum(numbers) if game.has("Q5") == "sum" else max(numbers, default=0))
    in_force = hits > 0 or game.has("Q2") == "no hit needed"
    return Blow(
        hits,
        lethal,
        any(one.name == "lethal" and one.number is None for one in chosen),
        attack.damage_type,
        sum(one.name == "critical" for one in chosen) if hits else 0,
        any(one.name == "area" for one in chosen),
        tuple((one.name, one.number or 0) for one in chosen if one.name in ON_TARGET and in_force),
    ), left


@cache
def mean_wounds(blow: Blow, targets: tuple[Defender, ...], game: Game) -> Fraction:
    """Return the wounds to be expected of a blow on all whom it hits."""
    whom = targets if blow.area else targets[:1]
    return sum(
        (p * wounds for i, one in enumerate(whom) for (wounds, _), p in struck(blow, one, game, i == 0).items()), F(0)
    )


@cache
def bought_of(attack: Attack, results: Counts, targets: tuple[Defender, ...], game: Game) -> tuple[int, ...]:
    """Return the effects that are bought with results, by their places, in the order in which they are applied."""
    if attack.spending == "dearest":
        return dearest(attack.effects, results)
    return best(attack.effects, results, lambda one: mean_wounds(blow_of(attack, results, one, game)[0], targets, game))


def recaps(attack: Attack, targets: tuple[Defender, ...], game: Game) -> dict[tuple[Blow, int, int], Fraction]:
    """Return the chance of each (blow, results not spent, effects bought)."""

    @cache
    def worth(results: Counts) -> Fraction:
        bought = bought_of(attack, results, targets, game)
        return mean_wounds(blow_of(attack, results, bought, game)[0], targets, game)

    found: dict[tuple[Blow, int, int], Fraction] = {}
    dice = attack.red, attack.blue
    for first, p in ({attack.roll: F(1)} if attack.roll else thrown(*dice, game)).items():
        offers = () if attack.roll else attack.effects
        final = settled(first, dice, offers, attack.spending == "dearest", worth, game)
        for (results, again), q in final.items():
            bought = bought_of(attack, results, targets, game)
            blow, left = blow_of(attack, results, bought, game)
            key = blow, sum(left), len(bought) + again
            found[key] = found.get(key, F(0)) + p * q
    return found


@cache
def all_struck(blow: Blow, targets: tuple[Defender, ...], game: Game) -> dict[tuple[int, State, int], Fraction]:
    """Return the chance of each (wounds of the first target, its state, wounds of all the others)."""
    found: dict[tuple[int, State, int], Fraction] = {}
    for held, p in hands(len(targets), blow.criticals, game).items():
        stages = {
            (wounds, state, 0): p * q for (wounds, state), q in struck_with(blow, targets[0], held[0], game).items()
        }
        for one, hand in zip(targets[1:], held[1:], strict=True):
            more: dict[tuple[int, State, int], Fraction] = {}
            for (wounds, state, others), q in stages.items():
                for (hurt, _), r in struck_with(blow, one, hand, game).items():
                    key = wounds, state, others + hurt
                    more[key] = more.get(key, F(0)) + q * r
            stages = more
        for key, q in stages.items():
            found[key] = found.get(key, F(0)) + q
    return found


def attack_outcomes(attack: Attack, targets: tuple[Defender, ...], game: Game) -> dict[Outcome, Fraction]:
    """Return the chance of each outcome of one attack: what becomes of the first target, and of the others' wounds."""
    found: dict[Outcome, Fraction] = {}
    for (blow, left, n_bought), p in recaps(attack, targets, game).items():
        fires = [number for name, number in blow.marks if name == "fire"]
        for (wounds, now, others), q in all_struck(blow, targets if blow.area else targets[:1], game).items():
            conditions = now.ko, now.stun, now.slow, now.blind, now.poison
            burns = fires.count(1), fires.count(2)
            outcome = Outcome(blow.hits, blow.lethal, wounds, left, n_bought, *conditions, *burns, others)
            found[outcome] = found.get(outcome, F(0)) + p * q
    return found

"""A line-up: two armies stand in contact, front to front, and strike unit by unit, round by round.

State columns of side s, `int16[n, k]` by place in its army: `s_members` (numbers, the last stands for nobody), `s_left`
and, where somebody has one, `s_upgrade` (wounds that figures and figure upgrade can still take); where they matter
`s_ready` and `s_inspiration` (a card that exhausts) and each condition: 1 and the place of who put it there, 99 for the
start. Runes are of both; `first` is 1 and the place of whom a unit attacked that goes on to attack all others. Attacks
that a side has still to lose are a column of the side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from balance.chance.pmf.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import BoolArray, Process, State, Step
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting, lost_in_trials
from balance.game.game import Lane
from balance.game.kit.combat.members import nearest_least, numbers_in, put_at, start_of, value_at
from balance.game.kit.combat.orders import turns
from balance.game.kit.combat.outcome import outcome_columns, side_is_out, winner
from balance.games.runewars.duel import used
from balance.games.runewars.lineup.roster import Roster
from balance.games.runewars.lineup.tables import Tables, tables_of
from balance.games.runewars.rules.formation import Formation
from balance.games.runewars.rules.harm import Target, harm
from balance.games.runewars.tables import RUNES, Amount

__all__ = ["Picks", "lineup_process"]

AT_START = 99
"""Who put a condition on a unit that has it at the start."""
LOST_ALL = -1
"""In place of whom a unit attacked first: nobody, as it has lost its attack, and with it those on all others."""
ANY = Target(Formation(1, 1, 1, 1, 1), Amount(0), 0, 0, Amount(0))
"""A target of which everything is met."""


@dataclass(frozen=True)
class Picks:
    """Whom a unit attacks: what its aim likes best; of equals the nearest in line, of two as near the further left.

    What it sees is its place, and what is `left` of enemies and what they cost, `int[n, k]`.

    >>> view = 1, np.array([[4, 0, 2], [3, 0, 3]]), np.array([[20, 20, 40], [40, 20, 20]])
    >>> {aim: Picks(aim).choose("", view[1] > 0, view).tolist() for aim in ("opposite", "weakest", "dearest")}
    {'opposite': [0, 0], 'weakest': [2, 0], 'dearest': [2, 0]}
    """

    aim: Literal["opposite", "weakest", "dearest"]

    def choose(
        self, name: str, legal: Legal, view: tuple[int, IntArray, IntArray], rolls: Rolls | None = None
    ) -> IntArray:
        """Return the place of the enemy to attack, `int64[n]`."""
        place, left, points = view
        dislike = {"opposite": 0 * left, "weakest": left, "dearest": -points}[self.aim]
        return nearest_least(np.where(np.asarray(legal), dislike, 2**14), place)


@dataclass(frozen=True)
class Play:
    """How a line-up is played: the columns of state that are of units, and who may stand where, by side."""

    tables: Tables
    lane: Lane
    columns: tuple[str, ...]
    seen: dict[str, tuple[tuple[int, ...], ...]]


def lineup_process(
    roster: Roster,
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
    *,
    lane: Lane = "compiled",
    order: str = "ab",
    lost: tuple[int, int] = (0, 0),
) -> Process:
    """Return the process of line-ups whose armies differ by trial; nothing hangs on unit limits.

    Parameters
    ----------
    a, b
        Numbers of the members of each army, `int[n, k]`, -1 for nobody; a single row holds for every trial.
    order
        Which side strikes first, "ab" or "ba".
    lost
        Attacks that side a and side b lose at the start.
    """
    armies = {"a": np.asarray(a, np.int16), "b": np.asarray(b, np.int16)}
    seen = {side: tuple(tuple(numbers_in(places)) for places in army.T) for side, army in armies.items()}
    armies = {side: np.where(army < 0, len(roster.members), army).astype(np.int16) for side, army in armies.items()}
    play = Play(tables_of(roster), lane, tuple(name for name, _ in roster.unique), seen)
    start = {name: column for side, army in armies.items() for name, column in _start(play.tables, side, army).items()}
    start |= {kind: np.zeros(len(a), np.int16) for kind in roster.runes.kinds}
    start |= lost_in_trials("ab", lost, len(a))
    steps: list[Step] = [roster.runes.throw] if roster.runes.kinds else []
    for me, foe in turns(order):
        for place, who in enumerate(seen[me]):
            steps.append(partial(_attack, play, me, foe, place, None))
            if any(roster.members[number].attacks_all for number in who):
                start["first"] = np.zeros(len(a), np.int16)
                steps += [partial(_attack, play, me, foe, place, other) for other in range(len(seen[foe]))]
    steps += [partial(_end_of_round, play)] if _ends(roster) else []
    return Process(
        start=start_of(start),
        steps=tuple(steps),
        over=_over,
        outcome=partial(_outcome, play, len(steps)),
        max_steps=roster.round_limit * len(steps),
        policies={side: Picks(aim) for side, aim in roster.policies},  # type: ignore[arg-type]
    )


def _ends(roster: Roster) -> bool:
    return bool(roster.runes.kinds) or any(one.regenerate != Amount(0) for one in roster.members)


def _start(tables: Tables, side: str, army: IntArray) -> State:
    members, roster = tables.roster.members, tables.roster
    found = {"members": army, "left": tables.of("left", army)}
    if any(one.upgrade for one in members):
        found["upgrade"] = tables.of("upgrade", army)
    if any(any(attack.attack.strike.when_ready) for one in members for attack in one.attacks):
        found |= {"ready": np.ones_like(army), "inspiration": np.zeros_like(army)}
    for name, _ in roster.unique:
        found[name] = tables.listed(AT_START * (name in one.conditions) for one in members).take(army)
    return {f"{side}_{name}": values for name, values in found.items()}


def _standing(state: State, side: str) -> BoolArray:
    """Return which units of a side are left, `bool[n, k]`."""
    left: BoolArray = state[f"{side}_left"] > 0
    return left | (state[f"{side}_upgrade"] > 0) if f"{side}_upgrade" in state else left


def _attack(play: Play, me: str, foe: str, place: int, other: int | None, state: State, rolls: Rolls) -> State:
    """Attack whom the unit at a place picks; or another, if it attacks all."""
    tables, standing, enemies = play.tables, _standing(state, me), _standing(state, foe)
    own = {name[2:]: values[:, place] for name, values in _of_units(state, me)}
    due, name = standing[:, place], f"{me} attack {place + 1}"
    if other is None:
        acts, state = acting(state, me, due)
        points = tables.of("cost_points", state[f"{foe}_members"])
        view, names = (place, state[f"{foe}_left"], points), [f"{foe}{n + 1}" for n in range(enemies.shape[1])]
        target = rolls.choose(me, f"{me} target {place + 1}", enemies, view, names)
    else:
        target, name = np.full(len(due), other), f"{name} on {other + 1}"
        able = tables.of("attacks_all", own["members"]) > 0
        acts = due & able & enemies[:, other] & ~np.isin(state["first"], (other + 1, LOST_ALL))
    prey = {name[2:]: value_at(values, target) for name, values in _of_units(state, foe)}
    lying = {kind: state[kind] for kind in RUNES if kind in state}
    met = {**prey, **lying, **_met(tables, me, place, state)}
    met["guard"] = tables.amount("guard_rerolls", prey["members"], state)
    met["defend"] = tables.amount("defence", prey["members"], state)
    own["lives"] = np.asarray(own["upgrade"] > 0, np.intp) if "upgrade" in own else np.zeros(len(acts), np.intp)
    resolve = tables.draw if play.lane == "compiled" else tables.roll
    brought = {one: values * acts for one, values in resolve(own, met, play.seen[me][place], rolls, name).items()}
    changed = _suffered(tables, brought, met)
    changed |= {one: np.where(brought[one] > 0, place + 1, met[one]) for one in play.columns if one in brought}
    after = dict(state)
    for one, unique in tables.roster.unique:
        if unique and one in brought:
            given = state[f"{foe}_{one}"]
            theirs = given > 0 if tables.roster.one_in_all else given == place + 1
            after[f"{foe}_{one}"] = np.where(theirs & (brought[one] > 0)[:, None], 0, given).astype(np.int16)
    for one, values in changed.items():
        after[f"{foe}_{one}"] = put_at(after[f"{foe}_{one}"], target, values)
    if "ready" in own:
        cards = used(own["ready"], own["inspiration"], acts, brought.get("inspiration", 0))
        after |= {f"{me}_{one}": put_at(state[f"{me}_{one}"], place, values) for one, values in cards.items()}
    if other is None and "first" in state:
        after["first"] = np.where(due & ~acts, LOST_ALL, target + 1).astype(np.int16)
    elif other is not None:
        after["first"] = state["first"] * (other + 1 < enemies.shape[1])
    return after


def _of_units(state: State, side: str) -> Iterator[tuple[str, IntArray]]:
    """Yield the columns of a side that are of its units."""
    yield from ((name, values) for name, values in state.items() if name.startswith(f"{side}_") and values.ndim == 2)


def _met(tables: Tables, me: str, place: int, state: State) -> State:
    """Return what a unit meets of its own side: its card that exhausts, and friends that lend it abilities."""
    members = state[f"{me}_members"]
    found = {"ready": state[f"{me}_ready"][:, place]} if f"{me}_ready" in state else {}
    which, standing = tables.of("lends", members), _standing(state, me)
    for case in (case for case in tables.cases if case.startswith("lent ")):
        lends = standing & (which == int(case[5:]))
        found[case] = lends.sum(axis=1) - lends[:, place]
    return found


def _suffered(tables: Tables, brought: State, met: State) -> State:
    """Return what is left of those attacked."""
    off = {"mortal_strikes": "mortal_ward", "damage": "protected"}
    net = {one: np.maximum(brought[one] - tables.of(by, met["members"]), 0) for one, by in off.items()}
    target = replace(ANY, figure_defence=tables.of("figure_defence", met["members"]))
    done = harm(target, "unit", met, net)
    after = {"left": met["left"] - done["wounds"]}
    return after | ({"upgrade": met["upgrade"] - done["upgrade_wounds"]} if "upgrade" in met else {})


def _end_of_round(play: Play, state: State, rolls: Rolls) -> State:
    """Figures come back into empty slots; the runes are taken up."""
    after, tables = dict(state), play.tables
    for side in "ab":
        members, left = state[f"{side}_members"], state[f"{side}_left"]
        lives = state[f"{side}_upgrade"] > 0 if f"{side}_upgrade" in state else np.zeros_like(left)
        room = tables.standing[1][np.asarray(lives, np.intp), members, left]
        back = np.minimum(tables.amount("regenerate", members, state), room)
        after[f"{side}_left"] = left + back * tables.of("wound_threshold", members)
    return {**after, **{kind: np.zeros_like(state[kind]) for kind in tables.roster.runes.kinds}}


def _over(state: State) -> BoolArray:
    return side_is_out(_standing(state, "a"), _standing(state, "b"))


def _outcome(play: Play, steps_per_round: int, state: State, steps: IntArray) -> State:
    counts: dict[str, list[IntArray]] = {"units": [], "figures": [], "points": []}
    for side in "ab":
        standing, members = _standing(state, side), state[f"{side}_members"]
        counts["units"].append(standing.sum(axis=1))
        thresholds = np.maximum(play.tables.of("wound_threshold", members), 1)
        counts["figures"].append((-(-state[f"{side}_left"] // thresholds)).sum(axis=1))
        counts["points"].append((play.tables.of("cost_points", members) * standing).sum(axis=1))
    a, b = (units > 0 for units in counts["units"])
    return outcome_columns(winner(a, b), steps, steps_per_round, **counts)

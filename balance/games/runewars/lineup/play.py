"""A line-up: two armies stand in contact, front to front, and strike unit by unit, round by round.

State columns of side s, `int16[n, k]` by place in its army: `s_members` (numbers, the last stands for nobody), `s_left`
and, where somebody has one, `s_upgrade` (wounds that figures and figure upgrade can still take); where they matter
`s_ready` and `s_inspiration` (a card that exhausts) and each condition: 1 and the place of who put it there, 99 for the
start. Runes are of both; `first` is 1 and the place of whom a unit attacked that goes on to attack all others. Attacks
that a side has still to lose are a column of the side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import Process, State, Step, n_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting, lost_in_trials
from balance.game.game import Lane
from balance.game.kit.combat.members import nearest_least, numbers_in, put_at, start_of, value_at
from balance.game.kit.combat.orders import turns
from balance.game.kit.combat.outcome import outcome_columns, side_is_out, winner
from balance.games.runewars.cells import RUNES, Amount
from balance.games.runewars.duel import cards_after
from balance.games.runewars.lineup.roster import Roster
from balance.games.runewars.lineup.tables import Tables, tables_of
from balance.games.runewars.rules.formation import Formation
from balance.games.runewars.rules.harm import Target, harm

AT_START = 99
"""Who put a condition on a unit that has it at the start."""
LOST_ALL = -1
"""In place of whom a unit attacked first: nobody, as it has lost its attack, and with it those on all others."""
EXPOSED_TARGET = Target(Formation(1, 1, 1, 1, 1), Amount(0), 0, 0, Amount(0))
"""A target that takes nothing off what it suffers."""


@dataclass(frozen=True)
class Picks:
    """Attacks the enemy that its aim likes best; of equals the nearest in line, of two as near the one further left.

    It sees its own place, wounds that enemies can still take and their cost in points, `int[n, k]` each.

    >>> view = 1, np.array([[4, 0, 2], [3, 0, 3]]), np.array([[20, 20, 40], [40, 20, 20]])
    >>> {aim: Picks(aim).choose("", view[1] > 0, view).tolist() for aim in ("opposite", "weakest", "dearest")}
    {'opposite': [0, 0], 'weakest': [2, 0], 'dearest': [2, 0]}
    """

    aim: Literal["opposite", "weakest", "dearest"]

    def choose(
        self, name: str, legal: Legal, view: tuple[IntArray | int, IntArray, IntArray], rolls: Rolls | None = None
    ) -> IntArray:
        """Return the place of the enemy to attack, `int64[n]`, among those that `legal`, `bool[n, k]`, allows."""
        place, health, points = view
        dislike = {"opposite": 0 * health, "weakest": health, "dearest": -points}[self.aim]
        return nearest_least(np.where(np.asarray(legal), dislike, 2**14), place)


@dataclass(frozen=True)
class Play:
    """How a line-up is played.

    `columns`: names of the conditions that matter, which are columns of units. `occupants`: side -> for each place the
    numbers of the members that stand there in some trial.
    """

    tables: Tables
    lane: Lane
    columns: tuple[str, ...]
    occupants: dict[str, tuple[tuple[int, ...], ...]]


Fought: TypeAlias = Callable[[Play, str, State], list[Step]]
"""(play, order, columns at the start) -> the steps of a round, with columns that they need added to those."""


def lineup_process(
    roster: Roster,
    a: IntArray,
    b: IntArray,
    limits: IntArray | None = None,
    *,
    lane: Lane = "compiled",
    order: str = "ab",
    lost_actions: tuple[int, int] = (0, 0),
    fought: Fought | None = None,
) -> Process:
    """Return the process of line-ups whose armies differ by trial; unit limits play no part in this game.

    Armies are numbers of members, `int[n, k]`, -1 for nobody. `order`, "ab" or "ba", says who strikes first, and
    `lost_actions` how many attacks side a and side b lose at the start; `fought` gives the steps of a round.
    """
    armies = {"a": np.asarray(a, np.int16), "b": np.asarray(b, np.int16)}
    occupants = {side: tuple(tuple(numbers_in(places)) for places in army.T) for side, army in armies.items()}
    armies = {side: np.where(army < 0, len(roster.members), army).astype(np.int16) for side, army in armies.items()}
    play = Play(tables_of(roster), lane, tuple(name for name, _ in roster.unique), occupants)
    start = {name: column for side, army in armies.items() for name, column in _start(play.tables, side, army).items()}
    start |= {kind: np.zeros(len(a), np.int16) for kind in roster.runes.kinds}
    start |= lost_in_trials("ab", lost_actions, len(a))
    steps: list[Step] = [roster.runes.throw] if roster.runes.kinds else []
    steps += (fought or _in_contact)(play, order, start)
    steps += [partial(_end_of_round, play)] if _ends(roster) else []
    return Process(
        start=start_of(start),
        steps=tuple(steps),
        over=_over,
        outcome=partial(_outcome, play, len(steps)),
        max_steps=roster.round_limit * len(steps),
        policies={side: Picks(aim) for side, aim in roster.policies},  # type: ignore[arg-type]
    )


def _in_contact(play: Play, order: str, start: State) -> list[Step]:
    steps: list[Step] = []
    for side, foe in turns(order):
        for place, members in enumerate(play.occupants[side]):
            steps.append(partial(_attack, play, side, foe, place, None))
            if any(play.tables.roster.members[number].attacks_all for number in members):
                start["first"] = np.zeros(n_trials(start), np.int16)
                steps += [partial(_attack, play, side, foe, place, rival) for rival in range(len(play.occupants[foe]))]
    return steps


def _ends(roster: Roster) -> bool:
    return bool(roster.runes.kinds) or any(member.regenerate != Amount(0) for member in roster.members)


def _start(tables: Tables, side: str, army: IntArray) -> State:
    members, roster = tables.roster.members, tables.roster
    columns = {"members": army, "left": tables.of("health", army)}
    if any(member.upgrade for member in members):
        columns["upgrade"] = tables.of("upgrade", army)
    if any(any(attack.attack.strike.when_ready) for member in members for attack in member.attacks):
        columns |= {"ready": np.ones_like(army), "inspiration": np.zeros_like(army)}
    for name, _ in roster.unique:
        columns[name] = tables.by_member(AT_START * (name in member.conditions) for member in members).take(army)
    return {f"{side}_{name}": values for name, values in columns.items()}


def alive(state: State, side: str) -> BoolArray:
    """Return which units of a side have a figure or a figure upgrade left, `bool[n, k]`."""
    has_figures: BoolArray = state[f"{side}_left"] > 0
    return has_figures | (state[f"{side}_upgrade"] > 0) if f"{side}_upgrade" in state else has_figures


def _attack(play: Play, side: str, foe: str, place: int, rival: int | None, state: State, rolls: Rolls) -> State:
    """Let the unit at a place attack the enemy it picks; with a `rival` place, attack that too if it attacks all."""
    tables, enemies, due = play.tables, alive(state, foe), alive(state, side)[:, place]
    unit, name = unit_at(state, side, place), f"{side} attack {place + 1}"
    if rival is None:
        acts, state = acting(state, side, due)
        target = _target(play, side, foe, place, state, rolls)
    else:
        target, name = np.full(len(due), rival), f"{name} on {rival + 1}"
        able = tables.of("attacks_all", unit["members"]) > 0
        acts = due & able & enemies[:, rival] & ~np.isin(state["first"], (rival + 1, LOST_ALL))
    after = struck(play, side, foe, place, target, acts, unit, state, rolls, name, play.occupants[side][place])
    if rival is None and "first" in state:
        after["first"] = np.where(due & ~acts, LOST_ALL, target + 1).astype(np.int16)
    elif rival is not None:
        after["first"] = state["first"] * (rival + 1 < enemies.shape[1])
    return after


def struck(
    play: Play,
    side: str,
    foe: str,
    place: IntArray | int,
    target: IntArray,
    acts: BoolArray,
    unit: State,
    state: State,
    rolls: Rolls,
    name: str,
    members: tuple[int, ...],
) -> State:
    """Return the state after the unit at a place attacks the enemy at the place `target`, in trials in which it acts.

    `unit` is what `unit_at` returns of it, and one of `members` in every trial.
    """
    tables = play.tables
    context = _context(tables, side, foe, place, target, state)
    resolve = tables.draw if play.lane == "compiled" else tables.roll
    results = {column: values * acts for column, values in resolve(unit, context, members, rolls, name).items()}
    after = {**state, **_changes_of_foe(play, foe, place, target, context, results, state)}
    if "ready" in unit:
        cards = cards_after(unit["ready"], unit["inspiration"], acts, results.get("inspiration", 0))
        after |= {f"{side}_{card}": put_at(state[f"{side}_{card}"], place, values) for card, values in cards.items()}
    return after


def unit_at(state: State, side: str, place: IntArray | int) -> State:
    """Return the columns of the unit at a place, `[n]` each, and as `lives` 1 while its figure upgrade does."""
    unit = {name[2:]: value_at(values, place) for name, values in _of_units(state, side)}
    unit["lives"] = (
        np.asarray(unit["upgrade"] > 0, np.intp) if "upgrade" in unit else np.zeros(n_trials(state), np.intp)
    )
    return unit


def _target(play: Play, side: str, foe: str, place: int, state: State, rolls: Rolls) -> IntArray:
    """Return the place of the enemy that the unit at a place picks, `int64[n]`."""
    enemies, points = alive(state, foe), play.tables.of("cost_points", state[f"{foe}_members"])
    names = [f"{foe}{n + 1}" for n in range(enemies.shape[1])]
    return rolls.choose(side, f"{side} target {place + 1}", enemies, (place, state[f"{foe}_left"], points), names)


def _context(tables: Tables, side: str, foe: str, place: IntArray | int, target: IntArray, state: State) -> State:
    """Return what an attack depends on beside the attacker, `int[n]`: target, runes, and cards and friends."""
    prey = {name[2:]: value_at(values, target) for name, values in _of_units(state, foe)}
    runes = {kind: state[kind] for kind in RUNES if kind in state}
    context = {**prey, **runes, **_own_side_context(tables, side, place, state)}
    context["guard"] = tables.amount("guard_rerolls", prey["members"], state)
    context["defend"] = tables.amount("defence", prey["members"], state)
    return context


def _changes_of_foe(
    play: Play, foe: str, place: IntArray | int, target: IntArray, context: State, results: State, state: State
) -> State:
    """Return the columns of the side attacked that an attack from a place changes, `int16[n, k]` each."""
    after, roster = State(), play.tables.roster
    for condition in (name for name, is_unique in roster.unique if is_unique and name in results):
        source = state[f"{foe}_{condition}"]
        is_own = source == np.reshape(place + 1, (-1, 1))
        is_taken_off = (source > 0 if roster.one_in_all else is_own) & (results[condition] > 0)[:, None]
        after[f"{foe}_{condition}"] = np.where(is_taken_off, 0, source).astype(np.int16)
    changes = _health_after(play.tables, results, context)
    conditions = (name for name in play.columns if name in results)
    changes |= {name: np.where(results[name] > 0, place + 1, context[name]) for name in conditions}
    for column, values in ((f"{foe}_{name}", values) for name, values in changes.items()):
        after[column] = put_at(after.get(column, state[column]), target, values)
    return after


def _of_units(state: State, side: str) -> Iterator[tuple[str, IntArray]]:
    """Yield the columns of a side that have a value for each of its units, `[n, k]`."""
    yield from ((name, values) for name, values in state.items() if name.startswith(f"{side}_") and values.ndim == 2)


def _own_side_context(tables: Tables, side: str, place: IntArray | int, state: State) -> State:
    """Return what a unit has of its side, `int[n]`: a card that exhausts, and friends that lend sets of abilities."""
    members = state[f"{side}_members"]
    context = {"ready": value_at(state[f"{side}_ready"], place)} if f"{side}_ready" in state else {}
    loans, lives = tables.of("lends", members), alive(state, side)
    for case in (case for case in tables.cases if case.startswith("lent ")):
        lends = lives & (loans == int(case[5:]))
        context[case] = lends.sum(axis=1) - value_at(lends, place)
    return context


def _health_after(tables: Tables, results: State, context: State) -> State:
    """Return the wounds that figures and figure upgrade of the units attacked can still take, `int[n]` each."""
    off = {"mortal_strikes": "mortal_ward", "damage": "protection"}
    net = {result: np.maximum(results[result] - tables.of(by, context["members"]), 0) for result, by in off.items()}
    target = replace(EXPOSED_TARGET, figure_defence=tables.of("figure_defence", context["members"]))
    losses = harm(target, "unit", context, net)
    after = {"left": context["left"] - losses["wounds"]}
    return after | ({"upgrade": context["upgrade"] - losses["upgrade_wounds"]} if "upgrade" in context else {})


def _end_of_round(play: Play, state: State, rolls: Rolls) -> State:
    """Bring figures back into empty slots, and take up the runes."""
    after, tables = dict(state), play.tables
    for side in "ab":
        members, health = state[f"{side}_members"], state[f"{side}_left"]
        lives = state[f"{side}_upgrade"] > 0 if f"{side}_upgrade" in state else np.zeros_like(health)
        room = tables.by_health[1][np.asarray(lives, np.intp), members, health]
        back = np.minimum(tables.amount("regenerate", members, state), room)
        after[f"{side}_left"] = health + back * tables.of("wound_threshold", members)
    return {**after, **{kind: np.zeros_like(state[kind]) for kind in tables.roster.runes.kinds}}


def _over(state: State) -> BoolArray:
    return side_is_out(alive(state, "a"), alive(state, "b"))


def _outcome(play: Play, steps_per_round: int, state: State, steps: IntArray) -> State:
    counts: dict[str, list[IntArray]] = {"units": [], "figures": [], "points": []}
    for side in "ab":
        lives, members = alive(state, side), state[f"{side}_members"]
        counts["units"].append(lives.sum(axis=1))
        thresholds = np.maximum(play.tables.of("wound_threshold", members), 1)
        counts["figures"].append((-(-state[f"{side}_left"] // thresholds)).sum(axis=1))
        counts["points"].append((play.tables.of("cost_points", members) * lives).sum(axis=1))
    a, b = (units > 0 for units in counts["units"])
    return outcome_columns(winner(a, b), steps, steps_per_round, **counts)

"""The smallest skirmish: a line of n equal units against a line of m, in contact, turn about.

Units stand side by side; each attacks the enemy opposite, or the nearest that is left (of two, the one further left).
A unit with friends on both sides is supported (BL-MOR-07), so the ends of a line are weak and a gap weakens its
neighbours. A unit that is eliminated is worth a banner; one that leaves its hex is out of the fight. Nobody pursues.
The skirmish ends when one line is gone.

State columns are `a1`, `a2`, ... `b1`, ...: figures in each place, 0 if nobody is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.core.process import BoolArray, Process, State
from balance.core.rolls import Rolls
from balance.games.battlelore.duel import Duellist
from balance.games.battlelore.encounter import Resolver
from balance.games.battlelore.strike import suffer
from balance.pmf.arrays import IntArray
from balance.protocol.game import Column
from balance.protocol.kit import WINNER, orders, per_side

__all__ = [
    "SKIRMISH_CANNOT_SEE",
    "SKIRMISH_COLUMNS",
    "SKIRMISH_PLAYED",
    "Line",
    "Skirmish",
    "skirmish_processes",
]

LONGEST_ROUNDS = 10_000

SKIRMISH_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    **per_side("units", "units of side {me} still in line"),
    **per_side("banners", "banners side {me} won: units of side {foe} eliminated"),
}
"""What a skirmish reports."""
SKIRMISH_PLAYED = (
    "Two lines, each of one sort of unit, stand in contact and attack turn about, each unit the enemy opposite or the "
    "nearest left; friends on both sides support a unit. One that is eliminated is a banner, one driven from its hex "
    "is out. Whoever still has a unit in line when the other has none wins."
)
SKIRMISH_CANNOT_SEE = (
    "Manoeuvre: nobody moves, closes a gap or pursues, and every unit attacks every turn.",
    "Mixed lines: all units of a side are of one sort, and begin untouched.",
    "Banners: they are counted, but the line that is left wins, not the side with more of them.",
)
"""How a skirmish is played and won, and what its answer leaves out."""


@dataclass(frozen=True)
class Line:
    """One side: how many units, their figures, and their strike on a unit of the other side.

    Attributes
    ----------
    duellist
        Its strike varies by `supported` and nothing else; whether it battles back is asked of each unit.
    bold, supported_bold
        Flags a unit may ignore without and with support.
    """

    duellist: Duellist
    n_units: int
    figures: int
    bold: int
    supported_bold: int


@dataclass(frozen=True)
class Skirmish:
    """A skirmish, ready to be played; `friends` are the neighbours that support needs."""

    a: Line
    b: Line
    first: str
    round_limit: int
    friends: int
    back_needs_flag: bool


def skirmish_processes(skirmish: Skirmish, resolve: Resolver) -> tuple[Process, ...]:
    """Return the skirmish as processes, all equally likely: one, or one for each side going first."""
    return tuple(_process(skirmish, resolve, order) for order in orders(skirmish.first))


def _process(skirmish: Skirmish, resolve: Resolver, order: str) -> Process:
    lines = {"a": skirmish.a, "b": skirmish.b}
    figures = {f"{side}{i + 1}": line.figures for side, line in lines.items() for i in range(line.n_units)}
    steps = [
        partial(act, skirmish, lines, resolve, me, foe, place)
        for me, foe in ((order[0], order[1]), (order[1], order[0]))
        for place in range(lines[me].n_units)
        for act in (_attack, _battle_back)
    ]
    harmless = not any(line.duellist.encounter.strike.n_dice for line in lines.values())
    return Process(
        start={**figures, "a_banners": 0, "b_banners": 0, "back": 0},
        steps=tuple(steps),
        over=partial(_decided, lines),
        outcome=partial(_skirmish_outcome, lines, len(steps)),
        max_steps=(skirmish.round_limit or (1 if harmless else LONGEST_ROUNDS)) * len(steps),
    )


def _places(state: State, side: str, line: Line) -> IntArray:
    """Return the figures of a line by place, `int16[places, n]`."""
    return np.stack([state[f"{side}{place + 1}"] for place in range(line.n_units)])


def _opposite(figures: IntArray, place: int) -> IntArray:
    """Return the place of the nearest unit left to `place`, `int64[n]`; any place where nobody is left."""
    order = sorted(range(len(figures)), key=lambda other: (abs(other - place), other))
    there = figures[order] > 0
    places: IntArray = np.asarray(order)[there.argmax(axis=0)]
    return places


def _supported(figures: IntArray, which: IntArray, friends: int) -> IntArray:
    """Return 1 where the unit at place `which` has at least `friends` units next to it in line."""
    padded = np.pad(figures > 0, ((1, 1), (0, 0)))
    beside = padded[:-2].astype(np.int16) + padded[2:]
    return np.asarray(np.take_along_axis(beside, which[None, :], axis=0)[0] >= friends, np.int16)


def _strike(
    skirmish: Skirmish, lines: Mapping[str, Line], resolve: Resolver, by: str, on: str, name: str,
    which: IntArray, struck: BoolArray, state: State, rolls: Rolls,
) -> tuple[State, State, IntArray]:  # fmt: skip
    """Return the state after a strike on the unit at place `which`, what the strike did, and that unit's support."""
    figures = _places(state, on, lines[on])
    support = _supported(figures, which, skirmish.friends)
    encounter = lines[by].duellist.encounter
    whole = resolve(encounter, {encounter.column("supported"): support}, rolls, name)
    before = np.take_along_axis(figures, which[None, :], axis=0)[0]
    left = suffer(before, whole, whole, struck)
    stays = left["figures"] * (left["travelled"] == 0)
    after = dict(state)
    for place in range(lines[on].n_units):
        key = f"{on}{place + 1}"
        after[key] = np.where(struck & (which == place), stays, state[key]).astype(np.int16)
    won = ((left["figures"] == 0) & (before > 0) & struck).astype(np.int16)
    after[f"{by}_banners"] = state[f"{by}_banners"] + won
    return after, {**whole, **left}, support


def _attack(
    skirmish: Skirmish, lines: Mapping[str, Line], resolve: Resolver, me: str, foe: str, place: int,
    state: State, rolls: Rolls,
) -> State:  # fmt: skip
    which = _opposite(_places(state, foe, lines[foe]), place)
    struck = state[f"{me}{place + 1}"] > 0
    name = f"{me} attack {place + 1}"
    after, whole, support = _strike(skirmish, lines, resolve, me, foe, name, which, struck, state, rolls)
    line = lines[foe]
    bold = np.where(support > 0, line.supported_bold, line.bold) > 0
    able = struck & (whole["held"] > 0) & bold & line.duellist.battles_back
    if skirmish.back_needs_flag:
        able = able & (whole["ignored"] > 0)
    return {**after, "back": ((which + 1) * able).astype(np.int16)}


def _battle_back(
    skirmish: Skirmish, lines: Mapping[str, Line], resolve: Resolver, me: str, foe: str, place: int,
    state: State, rolls: Rolls,
) -> State:  # fmt: skip
    which = np.full(len(state["back"]), place)
    struck = state["back"] > 0
    name = f"{foe} back {place + 1}"
    after, _, _ = _strike(skirmish, lines, resolve, foe, me, name, which, struck, state, rolls)
    return {**after, "back": np.zeros_like(state["back"])}


def _decided(lines: Mapping[str, Line], state: State) -> BoolArray:
    a_left, b_left = ((_places(state, side, line) > 0).any(axis=0) for side, line in lines.items())
    return np.asarray(~a_left | (~b_left))


def _skirmish_outcome(lines: Mapping[str, Line], steps_per_round: int, state: State, steps: IntArray) -> State:
    a, b = ((_places(state, side, line) > 0).sum(axis=0).astype(np.int16) for side, line in lines.items())
    return {
        "winner": np.where((a > 0) & (b > 0), 0, np.where(a > 0, 1, 2)).astype(np.int16),
        "rounds": (steps - 1) // steps_per_round + 1,
        "a_units": a,
        "b_units": b,
        "a_banners": state["a_banners"],
        "b_banners": state["b_banners"],
    }

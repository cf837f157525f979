"""A line-up: a line of n units against a line of m, in contact, turn about; a skirmish is one of equal units.

Units stand side by side. Each attacks the enemy that its side's policy picks, by default the one opposite, or the
nearest that is left (of two, the one further left). A unit with friends on both sides is supported (BL-MOR-07), so the
ends of a line are weak and a gap weakens its neighbours. A unit that is eliminated is worth a banner; one that leaves
its hex is out of the fight. Nobody pursues. It ends when one line is gone.

State columns are `a` and `b`: figures in each place, `int16[n, places]`, 0 if nobody is there; the banners of each
side; and `back`: the place, from 1, of the unit that is about to battle back, 0 if none is. Where the units of each
trial are its own, `a_who` and `b_who` are their numbers among all that may stand in line, `int16[n, places]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State, Step, n_trials
from balance.chance.rolls.rolls import Policy, Rolls
from balance.game.armies.lost_actions import acting, lost_in_trials
from balance.game.game import Column
from balance.game.kit import WINNER, orders, per_side
from balance.game.kit.combat.budget import step_limit
from balance.game.kit.combat.members import put_at, start_of, value_at
from balance.game.kit.combat.orders import turns
from balance.game.kit.combat.outcome import outcome_columns, side_is_out, winner
from balance.games.battlelore.rules.encounter import Melee, MeleeResolver
from balance.games.battlelore.rules.morale import battles_back
from balance.games.battlelore.rules.strike import Strike, suffer
from balance.games.battlelore.rules.targets import Facing

LINEUP_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    **per_side("units", "units of side {me} still in line"),
    **per_side("banners", "banners side {me} won: units of side {foe} eliminated"),
}
"""What a line-up and a skirmish report."""
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
LINEUP_PLAYED = (
    "Two armies stand in line, their units in the order written, and attack turn about, every unit once a turn; "
    "friends on both sides support a unit, and a Bold one that holds its hex battles back. One that is eliminated is a "
    "banner, one driven from its hex is out. Whoever still has a unit in line when the other has none wins."
)
LINEUP_CANNOT_SEE = (
    "Prices: BattleLore has none. Every unit is worth one victory banner, whatever it is; cost here counts banners.",
    "Orders: every unit attacks every turn, in the order of its line; no command card says which may.",
    "Range and movement: bows and crossbows fight at point blank; nobody closes a gap, pursues or rides round a flank.",
    "Reach: a unit told to focus or to spread attacks any enemy in line, however far along it.",
    "Powers: a creature's Lore faces go into the chalice, so nobody is webbed or poisoned.",
    "Banners: they are counted, but the line that is left wins, not the side with more of them.",
)
"""How a line-up is played and won, and what its answer leaves out."""
IRRELEVANT_FIELDS = ("battle_move", "move", "range_hexes", "powers")
"""Fields of cards that make no difference in line."""


@dataclass(frozen=True)
class LineUnit:
    """A unit in its place.

    `figures` and `full`: figures it begins with, and at full strength. `bold` and `supported_bold`: flags it may ignore
    without and with support. `strikes`: its strike on the unit in each place of the other line; supported or not,
    whoever has friends beside it. `backs`: the same when it battles back.
    """

    figures: int
    full: int
    bold: int
    supported_bold: int
    strikes: tuple[Strike, ...]
    backs: tuple[Strike, ...]

    @property
    def both(self) -> tuple[tuple[Strike, Strike], ...]:
        """(strike, battle back) on each unit of the other line."""
        return tuple(zip(self.strikes, self.backs, strict=True))


@dataclass(frozen=True)
class Line:
    """One side: its units, whom they attack, whether they battle back where they may, and attacks it loses.

    The number of a unit is its place, unless armies differ by trial.
    """

    units: tuple[LineUnit, ...]
    policy: Policy
    battles_back: bool
    lost_actions: int = 0

    @cached_property
    def rolls_dice(self) -> BoolArray:
        """Whether each of its n units rolls any dice at all, `bool[n]`."""
        return np.array([any(strike.n_dice for strike in unit.strikes) for unit in self.units])

    def melee_by(self, place: int) -> Melee:
        """Return the strikes of the unit in a place on each of the other line."""
        return Melee.of(self.units[place].strikes)

    def back_on(self, place: int) -> Melee:
        """Return the battle back of each of its units on the unit in a place of the other line."""
        return Melee.of([unit.backs[place] for unit in self.units])

    def melee_of_all(self) -> Melee:
        """Return the strikes of each of its units on each of the other line, by own unit and then by target."""
        return Melee.of([strike for unit in self.units for strike in unit.strikes])

    def back_of_all(self) -> Melee:
        """Return the battle back of each of its units on each of the other line, by own unit and then by target."""
        return Melee.of([strike for unit in self.units for strike in unit.backs])


@dataclass(frozen=True)
class LineUp:
    """A line-up, ready to be played.

    `friends` is the number of neighbours that support needs, and a `round_limit` of 0 is none.
    """

    a: Line
    b: Line
    first: str
    round_limit: int
    friends: int
    back_needs_flag: bool

    @property
    def lines(self) -> dict[str, Line]:
        """Side, "a" or "b" -> its line."""
        return {"a": self.a, "b": self.b}


def lineup_processes(lineup: LineUp, resolve: MeleeResolver) -> tuple[Process, ...]:
    """Return the line-up as processes, all equally likely: one, or one for each side going first.

    `resolve` plays one strike: rolled in full, or drawn whole.
    """
    return tuple(_process(lineup, resolve, order) for order in orders(lineup.first))


def lineup_process(
    lineup: LineUp, resolve: MeleeResolver, a: IntArray, b: IntArray, limits: IntArray | None = None
) -> Process:
    """Return the process of line-ups with other units in each trial, side a attacking first.

    `a` and `b` are numbers of the units of each line by place, `int[n, k]`, -1 for nobody; `limits` are not used.
    """
    return _process(lineup, resolve, "ab", {"a": a, "b": b})


def _process(
    lineup: LineUp, resolve: MeleeResolver, order: str, armies: Mapping[str, IntArray] | None = None
) -> Process:
    lines = lineup.lines
    n_places = {side: len(line.units) if armies is None else armies[side].shape[1] for side, line in lines.items()}
    melees = {} if armies is None else {side: line.melee_of_all() for side, line in lines.items()}
    backs = {} if armies is None else {side: line.back_of_all() for side, line in lines.items()}
    steps: list[Step] = []
    for side, foe in turns(order):
        for place in range(n_places[side]):
            attack = melees.get(side) or lines[side].melee_by(place)
            back = backs.get(foe) or lines[foe].back_on(place)
            steps.append(partial(_attack, lineup, resolve, attack, side, foe, place))
            steps.append(partial(_battle_back, lineup, resolve, back, side, foe, place))
    harmless = not any(line.rolls_dice.any() for line in lines.values())
    return Process(
        start=start_of(_start(lines, armies)),
        steps=tuple(steps),
        over=_is_over,
        outcome=partial(_outcome, len(steps)),
        max_steps=step_limit(lineup.round_limit, len(steps), harmless=harmless),
        policies={side: line.policy for side, line in lines.items()},
    )


def _start(lines: Mapping[str, Line], armies: Mapping[str, IntArray] | None) -> State:
    """Return the state before the first attack: one row, or one for each trial of `armies`."""
    state: State = {}
    for side, line in lines.items():
        figures = np.array([*(unit.figures for unit in line.units), 0], np.int16)  # the last is nobody, -1
        if armies is None:
            state[side] = figures[None, :-1]
        else:
            state |= {side: figures[armies[side]], f"{side}_who": np.maximum(armies[side], 0).astype(np.int16)}
    n = n_trials(state)
    state |= {name: np.zeros(n, np.int16) for name in ("a_banners", "b_banners", "back")}
    return state | lost_in_trials(lines, (line.lost_actions for line in lines.values()), n)


def _numbers(state: State, side: str, places: IntArray) -> IntArray:
    """Return the number of the unit at a place of a line in each trial, `int[n]`."""
    unit_numbers = state.get(f"{side}_who")
    return places if unit_numbers is None else value_at(unit_numbers, places)


def _strike_numbers(lineup: LineUp, state: State, by: str, striker: IntArray, on: str, target: IntArray) -> IntArray:
    """Return the index of each trial's strike among those of all units on all, by the places of the two units."""
    return _numbers(state, by, striker).astype(np.int32) * len(lineup.lines[on].units) + _numbers(state, on, target)


def _support(figures: IntArray, places: IntArray, friends: int) -> IntArray:
    """Return 1 where the unit at its place has `friends` or more neighbours, `int16[n]`; `figures` is `int[n, k]`."""
    is_there, last = figures > 0, figures.shape[1] - 1
    has_left = value_at(is_there, np.maximum(places - 1, 0)) & (places > 0)
    has_right = value_at(is_there, np.minimum(places + 1, last)) & (places < last)
    return np.asarray(has_left.astype(np.int16) + has_right >= friends, np.int16)


def _strike(whole: State, by: str, on: str, places: IntArray, mask: BoolArray, state: State) -> tuple[State, IntArray]:
    """Return the state after a strike on the unit at its place in each trial, and whether that unit held its hex."""
    before = value_at(state[on], places)
    result = suffer(before, whole, whole, mask)
    figures = put_at(state[on], places, np.where(mask, result["figures"] * (result["travelled"] == 0), before))
    banners = ((result["figures"] == 0) & (before > 0) & mask).astype(np.int16)
    return {**state, on: figures, f"{by}_banners": state[f"{by}_banners"] + banners}, result["held"]


def _nobody_strikes(lineup: LineUp, state: State, side: str, place: int) -> bool:
    """Return whether in armies that differ by trial no unit left in a place rolls dice, so that it can be skipped.

    That lasts, as nobody moves to another place.
    """
    if f"{side}_who" not in state:
        return False
    return not ((state[side][:, place] > 0) & lineup.lines[side].rolls_dice[state[f"{side}_who"][:, place]]).any()


def _attack(
    lineup: LineUp, resolve: MeleeResolver, melee: Melee, side: str, foe: str, place: int, state: State, rolls: Rolls
) -> State:
    if _nobody_strikes(lineup, state, side, place):
        return state
    line, enemies, names = lineup.lines[foe], state[foe], [f"{foe}{i + 1}" for i in range(state[foe].shape[1])]
    full = np.array([unit.full for unit in line.units])
    facing = Facing(place, enemies, full[state[f"{foe}_who"]] if f"{foe}_who" in state else full)
    places = rolls.choose(side, f"{side} target {place + 1}", enemies > 0, facing, names)
    acts, state = acting(state, side, state[side][:, place] > 0)
    support = _support(enemies, places, lineup.friends)
    attackers = np.full(len(places), place)
    strikes = _strike_numbers(lineup, state, side, attackers, foe, places) if f"{side}_who" in state else places
    whole = resolve(melee, strikes, support, rolls, f"{side} attack {place + 1}")
    after, holds = _strike(whole, side, foe, places, acts, state)
    bold = np.array([(unit.bold, unit.supported_bold) for unit in line.units])
    bold_now = bold[_numbers(state, foe, places), support]
    able = acts & line.battles_back & battles_back(holds, bold_now, 0, whole["ignored"], lineup.back_needs_flag)
    return {**after, "back": ((places + 1) * able).astype(np.int16)}


def _battle_back(
    lineup: LineUp, resolve: MeleeResolver, melee: Melee, side: str, foe: str, place: int, state: State, rolls: Rolls
) -> State:
    if _nobody_strikes(lineup, state, side, place):
        return state
    acts = state["back"] > 0
    attacker = np.full(len(acts), place)
    support, back = _support(state[side], attacker, lineup.friends), np.maximum(state["back"] - 1, 0)
    strikes = _strike_numbers(lineup, state, foe, back, side, attacker) if f"{side}_who" in state else back
    whole = resolve(melee, strikes, support, rolls, f"{foe} back {place + 1}")
    after, _ = _strike(whole, foe, side, attacker, acts, state)
    return {**after, "back": np.zeros_like(state["back"])}


def _is_over(state: State) -> BoolArray:
    return side_is_out(state["a"] > 0, state["b"] > 0)


def _outcome(steps_per_round: int, state: State, steps: IntArray) -> State:
    units = [(state[side] > 0).sum(axis=1).astype(np.int16) for side in "ab"]
    banners = state["a_banners"], state["b_banners"]
    return outcome_columns(winner(units[0] > 0, units[1] > 0), steps, steps_per_round, units=units, banners=banners)

"""How large a duel is, from random probes: lines of play, and positions.

A probe plays any legal choice, each as likely as every other. The product of how many there were, on its way, is on
average the number of *lines of play* (Knuth, Estimating the efficiency of backtrack programs, 1975). Many lines lead to
the same *position*; how many positions there are at least follows from how many were met once and twice (Chao,
Nonparametric estimation of the number of classes, 1984, with his error of 1987). Both say how far they may be off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from balance.base.arrays import FloatArray, IntArray
from balance.base.numbers import SURE
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel, Resolver
from balance.games.edadh.policies.policy import any_option
from balance.games.edadh.rules.view import PLAY_COUNT, SIDES, View
from balance.games.edadh.solving.moves import canonical_places

IDLE = ("over", "a_lost", "b_lost")
"""Columns of a state that say nothing of what may follow."""
MOST_PERIODS = 20
"""Periods that a probe plays at most."""
BLOCK = 20_000
"""Probes played together."""


@dataclass(frozen=True)
class CountEstimate:
    """A count estimated from probes, and half its 95 % interval."""

    number: float
    half_width: float


@dataclass(eq=False)
class _Prober:
    """Chooses any legal option, and multiplies up how many there were for each probe (Knuth 1975)."""

    lines: FloatArray
    sides: list[str] = field(default_factory=list)

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return a legal option, each as likely as every other, and multiply `lines` by their number."""
        n_options = np.asarray(legal).sum(axis=1) if np.ndim(legal) == 2 else np.asarray(legal)
        has_choice = (view.state["turns"] > 0) | (name != "card")
        self.lines *= np.where(has_choice, n_options, 1)
        return any_option(name, legal, rolls)


def lines_of_play(duel: Duel, resolve: Resolver, n: int, seed: int) -> CountEstimate:
    """Return how many lines of play the first Period has, from n random probes (Knuth 1975), not from its policies."""
    prober = _Prober(np.ones(n))
    process = duel_process(replace(duel, policies=(prober, prober)), resolve)
    rolls, state = RandomRolls(seed, "probe lines", 0, n), start_state(process, n)
    finished_lines = list[FloatArray]()
    for number in range(process.max_steps // duel.max_periods):
        state = process.step(number)(state, rolls)
        alive = np.flatnonzero(state["over"] == 0)
        finished_lines.append(np.delete(prober.lines, alive))
        state, prober.lines = take_trials(state, alive), prober.lines[alive]
        rolls.keep(alive)
    lines = np.concatenate([*finished_lines, prober.lines])
    return CountEstimate(float(lines.mean()), float(SURE * lines.std(ddof=1) / np.sqrt(n)))


def count_positions(duel: Duel, resolve: Resolver, n: int, seed: int) -> dict[int, tuple[int, CountEstimate]]:
    """Return, for 0, 1 ... turns left, how many positions n probes met, and a lower bound of all (Chao 1984).

    Without a turn left they stand as the end of the Period finds them. The duel's policies do not play.
    """
    keys_by_turns: dict[int, list[npt.NDArray[np.uint64]]] = {}
    for block in range(-(-n // BLOCK)):
        for state in _probe_states(
            duel, resolve, RandomRolls(seed, "probe positions", block, min(BLOCK, n - block * BLOCK))
        ):
            keys = _keys(duel, state)
            for turns in np.unique(state["turns"]).tolist():
                keys_by_turns.setdefault(turns, []).append(keys[state["turns"] == turns])
    estimates = {}
    for turns in sorted(keys_by_turns):
        counts = np.unique(np.concatenate(keys_by_turns[turns]), return_counts=True)[1]
        estimates[turns] = len(counts), chao(counts)
    return estimates


def chao(counts: IntArray) -> CountEstimate:
    """Return Chao's lower bound of the number of kinds, from how often each kind that was met was met, `int[k]`.

    >>> chao(np.array([2, 3, 2, 5]))
    CountEstimate(number=4.0, half_width=0.0)
    >>> round(chao(np.array([1] * 10 + [2] * 5)).number, 1)
    24.0
    """
    once, twice = int((counts == 1).sum()), max(int((counts == 2).sum()), 1)
    ratio = once / twice
    spread = np.sqrt(twice * (ratio**4 / 4 + ratio**3 + ratio**2 / 2))
    return CountEstimate(len(counts) + once * max(once - 1, 0) / (2 * twice), float(SURE * spread))


def _probe_states(duel: Duel, resolve: Resolver, rolls: RandomRolls) -> Iterator[State]:
    """Play probes, and yield the positions before each turn and at the end of each Period, of those that go on."""
    prober = _Prober(np.ones(rolls.n))
    process = duel_process(replace(duel, policies=(prober, prober)), resolve)
    n_turns, state = min(int(force.unit.n_front[0]) for force in duel.arena.forces), start_state(process, rolls.n)
    for number in range(MOST_PERIODS * len(process.steps)):
        place = number % len(process.steps) - duel.is_led  # a duel that is led begins with a step of its own
        if 0 <= place < n_turns:
            yield take_trials(state, np.flatnonzero(state["turns"] > 0))
        elif place == n_turns:
            yield state
        state = process.step(number)(state, rolls)
        alive = np.flatnonzero(state["over"] == 0)
        state, prober.lines = take_trials(state, alive), prober.lines[alive]
        rolls.keep(alive)
        if not len(alive):
            return


def _keys(duel: Duel, state: State) -> npt.NDArray[np.uint64]:
    """Return a number for each position; alike columns of cards count in any order, Periods by their combat level."""
    columns = {name: values for name, values in state.items() if name not in IDLE and PLAY_COUNT not in name}
    columns["period"] = np.minimum(state["period"], len(duel.levels))
    for side, force in zip(SIDES, duel.arena.forces, strict=True):
        place = canonical_places(force)[state[f"{side}_unit"].astype(np.intp) * 8 + state[f"{side}_up"]]
        columns |= {f"{side}_unit": place >> 3, f"{side}_up": place & 7}
    key = np.zeros(len(state["over"]), np.uint64)
    for name in sorted(columns):  # a hash: two of a million positions share one about once in ten million tables
        key = (key ^ columns[name].astype(np.uint16)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key

"""A turn as a look-up: what `resolve_turn` says of every pair of cards and of fighters, listed once.

The rules of a turn involve no chance, so listing them loses nothing; the literal lane resolves every turn afresh, this
table answers the compiled lane, and tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.rules.forces import Arena, Force
from balance.games.edadh.rules.mastery import N_VALUES
from balance.games.edadh.rules.strike import Boost, Ground, Ints, Profile, with_bonus
from balance.games.edadh.rules.turn import Outcome, resolve_turn

MOST_CELLS = 4_000_000
"""A table with more cells would cost more than it saves."""


def fighters_at(force: Force, level: Ints, fighter: Ints) -> Profile[Ints]:
    """Return the values of fighters' Selected Troops at combat levels 0 to 2; numbers, or arrays that broadcast."""
    values = [column[level, fighter] for column in force.profile[:-1]]
    return Profile._make([*values, force.profile.dv[fighter]])


NO_BOOST = (Boost(), Boost())


def resolve_literally(
    arena: Arena,
    level: Ints,
    cards: tuple[Ints, Ints],
    fighters: tuple[Ints, Ints],
    boosts: tuple[Boost, Boost] = NO_BOOST,
) -> Outcome:
    """Resolve turns by the rules, each afresh; arguments are numbers or `int[n]`.

    Levels are 0 to 2, cards CVs 0 to 12 (0: no turn) and fighters numbers, for side a and side b; `boosts` are what
    cards behind the Units add.
    """
    sides = zip(arena.forces, fighters, strict=True)
    helpers = tuple(force.helpers_att[level, fighter] for force, fighter in sides)
    profiles = [fighters_at(force, level, fighter) for force, fighter in zip(arena.forces, fighters, strict=True)]
    troops = [with_boost(troop, boost) for troop, boost in zip(profiles, boosts, strict=True)]
    grounds = [
        Ground(np.asarray(ground.modifier)[level], np.asarray(ground.protection)[level] + boost.ground)
        for ground, boost in zip(arena.grounds, boosts, strict=True)
    ]
    return resolve_turn(
        arena.mastery,
        cards,
        (troops[0], troops[1]),
        arena.read,
        grounds=(grounds[0], grounds[1]),
        helpers_att=(helpers[0], helpers[1]),
        champion_damage=(boosts[0].damage, boosts[1].damage),
        relief=(boosts[0].relief, boosts[1].relief),
    )


def with_boost(troop: Profile[Ints], boost: Boost) -> Profile[Ints]:
    """Return a Selected Troop's printed values plus what cards behind the Unit add, from `ml` to `defence`."""
    bonuses = {name: getattr(boost, name) for name in ("ml", "mp_bonus", "protection", "att", "defence")}
    return with_bonus(troop, **{name: amount for name, amount in bonuses.items() if np.any(amount)})


def literally(arena: Arena) -> Callable[..., Outcome]:
    """Return `resolve_literally` with its arena fixed, to be called like a `TurnTable`."""
    return partial(resolve_literally, arena)


def quickest(arena: Arena, levels: Sequence[int] = (0, 1, 2)) -> Callable[..., Outcome]:
    """Return a `TurnTable` for some combat levels, 0 to 2, where it is small enough, else `resolve_literally`."""
    n_a, n_b = (force.n_fighters for force in arena.forces)
    is_small = len(levels) * N_VALUES**2 * n_a * n_b <= MOST_CELLS
    return TurnTable.of(arena, levels) if is_small else literally(arena)


@lru_cache(maxsize=8)
def quickly(arena: Arena) -> Callable[..., Outcome]:
    """Return `quickest` at all levels; the last eight arenas are kept, so that their turns are listed once."""
    return quickest(arena)


@dataclass(frozen=True, eq=False)
class TurnTable:
    """Every turn of an arena, listed.

    `columns`: arrays over the flattened [level, a's card, b's card, a's fighter, b's fighter]; a column that is the
    same everywhere is a single number. `places`: for each field of `Outcome`, the columns of side a and of side b.
    `level_place`: `int8[3]`: where each level is listed.
    """

    columns: tuple[npt.NDArray[np.int16], ...]
    places: tuple[tuple[int, int], ...]
    level_place: npt.NDArray[np.int8]
    n_fighters: tuple[int, int]

    @classmethod
    def of(cls, arena: Arena, levels: Sequence[int] = (0, 1, 2)) -> TurnTable:
        """Resolve every pair of cards and of fighters at some combat levels, 0 to 2, and list the outcomes."""
        n_a, n_b = (force.n_fighters for force in arena.forces)
        axes = (len(levels), N_VALUES, N_VALUES, n_a, n_b)
        place, card_a, card_b, fighter_a, fighter_b = np.ix_(*(np.arange(n) for n in axes))
        outcome = resolve_literally(arena, np.array(levels)[place], (card_a, card_b), (fighter_a, fighter_b))
        distinct = {id(side): side for pair in outcome for side in pair}
        columns = tuple(_flat(np.broadcast_to(side, axes)) for side in distinct.values())
        number = {key: i for i, key in enumerate(distinct)}
        level_place = np.zeros(len(LEVELS), np.int8)
        level_place[list(levels)] = range(len(levels))
        return cls(columns, tuple((number[id(a)], number[id(b)]) for a, b in outcome), level_place, (n_a, n_b))

    def __call__(self, level: Ints, cards: tuple[Ints, Ints], fighters: tuple[Ints, Ints]) -> Outcome:
        """Look turns up; arguments and result as for `resolve_literally`."""
        n_a, n_b = self.n_fighters
        pair = self.level_place[level].astype(np.intp) * N_VALUES**2 + cards[0] * N_VALUES + cards[1]
        cell = (pair * n_a + fighters[0]) * n_b + fighters[1]
        values = [column.take(cell) if column.ndim else column for column in self.columns]
        return Outcome._make((values[a], values[b]) for a, b in self.places)


def _flat(values: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return a column in one row, or as one number if it is the same everywhere."""
    flat = np.ascontiguousarray(values, bool if values.dtype == bool else np.int16).ravel()
    return flat[:1].reshape(()) if (flat == flat[0]).all() else flat

"""Roll dice for many trials at once, as arrays with one row per trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray
from balance.base.errors import DistributionError
from balance.base.limits import MOST_DICE_ROLLS
from balance.chance.dice.exact.rows import Values, as_it_is, counter_of, is_among, stays_of
from balance.chance.dice.rolling.draws import draw_cards, lowest_among, steps_of_draw, within
from balance.chance.dice.rolling.table import Table
from balance.chance.dice.tree import PASS, SHIFT, Explosion, KeptDice, Mix, Node, Pool, Program, Reroll

EXTRA = 2
"""The same of what an extra roll takes beside itself."""


class DiceRoller:
    """Roll dice with one generator, at most `MOST_DICE_ROLLS`; `Roller` adds all other parts of expressions."""

    def __init__(self, rng: np.random.Generator, n_symbols: int = 0) -> None:
        self.rng, self.n_symbols, self.rolls = rng, n_symbols, 0

    def roll(self, node: Node | Program, n: int) -> Values:
        """Return the result of a part, or of a whole program, in n trials, `int64[n]`, of symbols `int64[n, k]`."""
        raise NotImplementedError

    def pool(self, node: Pool, n: int) -> Values:
        """Return the results of n pools of dice, `int64[n]`, of uncounted symbols `int64[n, k]`."""
        n_dice_each, n_skipped = self._pool_sizes(node, n)
        has_die = np.arange(int(n_dice_each.max(initial=0))) < n_dice_each[:, None]
        counts = counter_of(node.count)
        dice = self.dice(node, has_die, counts if node.adds_rolls else as_it_is)
        if node.picks:
            faces = _in_order(dice, has_die)
            return np.asarray(
                np.where(stays_of(node.picks, has_die, n_dice_each), counts(faces), 0).sum(axis=1) + n_skipped
            )
        if not node.adds_rolls:
            dice = counts(dice)
        if not (node.die.symbolic and node.count is None):
            faces = np.zeros(has_die.shape, np.int64)
            faces[has_die] = dice
            return np.asarray(faces.sum(axis=1) + n_skipped)
        symbols = np.zeros((*has_die.shape, self.n_symbols), np.int64)
        symbols[has_die] = dice
        return np.asarray(symbols.sum(axis=1))

    def _pool_sizes(self, node: Pool, n: int) -> tuple[Values, Values | int]:
        """Return the number of dice in each of n pools, and how many successes skip the roll and count without one."""
        if isinstance(node.n_dice, int):
            return np.full(n, node.n_dice), 0
        n_dice = self.roll(node.n_dice, n)
        skips = isinstance(node.n_dice, Pool) and node.n_dice.count is not None and node.n_dice.count.skip is not None
        return (n_dice % PASS, n_dice // PASS) if skips else (n_dice, 0)

    def rows(self, node: Pool | Mix, n: int) -> tuple[Values, BoolArray]:
        """Return the face of each die of n pools, `int64[n, k]`, the highest first, and which of the k dice exist.

        Keeping and counting are ignored.
        """
        if isinstance(node, Pool):
            n_dice, _ = self._pool_sizes(node, n)
            has_die = np.arange(int(n_dice.max(initial=0))) < n_dice[:, None]
            return _in_order(self.dice(node, has_die, as_it_is), has_die), has_die
        faces = np.concatenate([self.rows(pool, n)[0] for pool in node.parts], axis=1)
        return -np.sort(-faces, axis=1), np.ones(faces.shape, bool)

    def kept_rows(self, node: Pool | Mix, n: int) -> tuple[Values, BoolArray]:
        """Return the face of each die of n pools, `int64[n, k]`, the highest first, and which of the k are kept."""
        faces, has_die = self.rows(node, n)
        return faces, stays_of(node.picks, has_die, has_die.sum(axis=1)) if node.picks else has_die

    def mix(self, node: Mix, n: int) -> Values:
        """Return the results of n mixed pools, `int64[n]`, kept and counted across all their dice."""
        if not node.picks:
            return np.asarray(sum(self.pool(replace(pool, count=node.count), n) for pool in node.parts))
        faces, has_die = self.rows(node, n)
        stays = stays_of(node.picks, has_die, has_die.sum(axis=1))
        return np.asarray(np.where(stays, counter_of(node.count)(faces), 0).sum(axis=1))

    def kept_dice(self, node: KeptDice, n: int) -> Values:
        """Return the results of n pools whose kept dice are re-rolled, exploded or counted afterwards, `int64[n]`."""
        pool, counts = node.pool, counter_of(node.count)
        faces, has_die = self.rows(replace(pool, picks=()), n)
        stays = stays_of(pool.picks, has_die, has_die.sum(axis=1))
        first_faces = self._rolled_on(faces[stays], node.reroll, pool)
        is_summed = node.each is not None or (node.explosion is not None and node.explosion.together)

        def once(n_dice: int) -> Values:
            return self._rolled_on(self._once(pool, n_dice), node.reroll, pool)

        dice = self._explode(first_faces, node.explosion, _top(pool), once, as_it_is if is_summed else counts)
        results = np.zeros(faces.shape, np.int64)
        results[stays] = counts(within(node.each, dice)) if is_summed else dice
        return np.asarray(results.sum(axis=1))

    def dice(self, node: Pool, has_die: BoolArray, counts: Callable[[Values], Values]) -> Values:
        """Return what each existing die counts over all its rolls, row after row, `int64[d]`.

        Which of the dice exist tells `has_die`, `bool[n, k]`, d in all; `counts` gives what each face that is rolled
        counts.
        """
        faces = self._first_rolls(node, has_die)
        dice = self._explode(faces, node.explosion, _top(node), partial(self._once, node), counts)
        return within(node.each, dice)

    def _first_rolls(self, node: Pool, has_die: BoolArray) -> Values:
        """Return the faces of the existing dice, row after row, re-rolls included but before explosions."""
        faces = self._draw(node, has_die) if node.drawn else self._once(node, int(has_die.sum()))
        if node.reroll is not None and node.reroll.max_dice is not None:
            faces = self._some_again(node, node.reroll, faces, has_die)
        return faces

    def table(self, node: Pool | Mix, n: int) -> Table:
        """Roll n pools once, with nothing kept or counted, as a table of which several results can be read."""
        if isinstance(node, Mix):
            tables = [self.table(pool, n) for pool in node.parts]
            faces = np.concatenate([table.faces for table in tables], axis=1)
            rolls = [roll for table in tables for roll in table.rolls]
            return Table(-np.sort(-faces, axis=1), np.ones(faces.shape, bool), rolls)
        n_dice, _ = self._pool_sizes(node, n)
        has_die = np.arange(int(n_dice.max(initial=0))) < n_dice[:, None]
        trial = np.nonzero(has_die)[0]
        first_faces = self._first_rolls(node, has_die)
        dice, rolls = first_faces.copy(), [(trial, first_faces)]
        extra_rolls = self._extra_rolls(first_faces, node.explosion, _top(node), partial(self._once, node))
        for again, faces in extra_rolls:
            dice[again] += faces
            rolls.append((trial[again], faces))
        if node.die.symbolic:
            return Table(np.zeros((n, 0), np.int64), np.zeros((n, 0), bool), rolls)
        return Table(_in_order(within(node.each, dice), has_die), has_die, rolls)

    def _some_again(self, node: Pool, reroll: Reroll, faces: Values, has_die: BoolArray) -> Values:
        """Re-roll the lowest dice of each row that a limited re-roll allows, in place, and return the faces."""
        again = np.flatnonzero(lowest_among(reroll, faces, has_die))
        faces[again] = self._once(node, len(again))
        while reroll.always and len(again := again[is_among(reroll.faces, faces[again])]):
            faces[again] = self._once(node, len(again))
        return faces

    def _draw(self, node: Pool, has_die: BoolArray) -> Values:
        """Draw cards without replacement for each row, and return their faces, row after row."""
        n_cards = [number for _, number in node.die.faces]
        self.rolls += int(has_die.sum()) + len(has_die) * steps_of_draw(n_cards)
        if self.rolls > MOST_DICE_ROLLS:
            raise too_many_rolls()
        places = draw_cards(self.rng, n_cards, has_die.sum(axis=1))
        return self._faces_of(node)[places]

    def _explode(
        self,
        faces: Values,
        explosion: Explosion | None,
        top: int | None,
        once: Callable[[int], Values],
        counts: Callable[[Values], Values],
    ) -> Values:
        """Return what each die counts, the counts of its explosions added."""
        results = counts(faces)
        for again, extra_faces in self._extra_rolls(faces, explosion, top, once):
            results[again] += counts(extra_faces)
        return results

    def _extra_rolls(
        self, faces: Values, explosion: Explosion | None, top: int | None, once: Callable[[int], Values]
    ) -> Iterator[tuple[Values, Values]]:
        """Yield (dice that explode, faces of their extra rolls), until none explodes or the limit is reached."""
        if explosion is None:
            return
        again, times = np.flatnonzero(_explodes(explosion, top, faces)), 0
        while len(again) and (explosion.max_times is None or times < explosion.max_times):
            faces = once(len(again))
            self.rolls += EXTRA * len(again)
            yield again, faces
            again, times = again[_explodes(explosion, top, faces)], times + 1

    def _once(self, node: Pool, n: int) -> Values:
        """Return n rolls with their unlimited re-rolls; one limited to some dice of a pool is left out."""
        reroll = None if node.reroll is None or node.reroll.max_dice is not None else node.reroll
        return self._rolled_on(self._single(node, n), reroll, replace(node, reroll=None))

    def _rolled_on(self, faces: Values, reroll: Reroll | None, node: Pool) -> Values:
        """Return faces after a re-roll, in place, once or until no face is re-rolled."""
        if reroll is not None:
            again = np.flatnonzero(is_among(reroll.faces, faces))
            while len(again):
                faces[again] = self._once(node, len(again))
                again = again[is_among(reroll.faces, faces[again])] if reroll.always else again[:0]
        return faces

    def _single(self, node: Pool, n: int) -> Values:
        self.rolls += n * max(1, self.n_symbols // 4 if node.die.symbolic else 1)
        if self.rolls > MOST_DICE_ROLLS:
            raise too_many_rolls()
        if node.die.inner is not None:
            return self.roll(node.die.inner, n)
        times = [n_faces for _, n_faces in node.die.faces]
        places = self.rng.integers(sum(times), size=n)
        if sum(times) > len(times):
            places = np.searchsorted(np.cumsum(times), places, side="right")
        return self._faces_of(node)[places]

    def _faces_of(self, node: Pool) -> Values:
        """Return the numbers on the faces of a die, `int64[f]`, or how often each shows each symbol, `int64[f, k]`."""
        values = [value for value, _ in node.die.faces]
        if not node.die.symbolic:
            return np.array(values, np.int64)
        table = [[value >> SHIFT * place & (1 << SHIFT) - 1 for place in range(self.n_symbols)] for value in values]
        return np.array(table, np.int64)


def _top(pool: Pool) -> int | None:
    """Return the highest face that a die may end on, after an `always` re-roll; None if faces are not listed."""
    reroll = pool.reroll if pool.reroll is not None and pool.reroll.always else None
    limited = reroll is not None and reroll.max_dice is not None
    faces = [face for face, _ in pool.die.faces if reroll is None or limited or not reroll.faces.has(face)]
    return max(faces, default=None)


def _in_order(dice: Values, has_die: BoolArray) -> Values:
    """Return dice as rows, `int64[n, k]`, the highest first; missing dice hold the lowest integer."""
    faces = np.full(has_die.shape, np.iinfo(np.int64).min)
    faces[has_die] = dice
    return np.asarray(-np.sort(-(faces + 1), axis=1) - 1)


def _explodes(explosion: Explosion, top: int | None, rolls: Values) -> BoolArray:
    return np.asarray(rolls == top) if explosion.faces is None else is_among(explosion.faces, rolls)


def too_many_rolls(most_trials: int = 0) -> DistributionError:
    """Return the error for more rolls than a command may make; its tip names `most_trials` if that is above 0."""
    problem = f"more than {MOST_DICE_ROLLS:,} dice would be rolled or terms worked out"
    tip = (
        f"§trials={most_trials} is about the most there is time for"
        if most_trials
        else "ask for fewer dice or fewer §trials"
    )
    return DistributionError(problem, tip)

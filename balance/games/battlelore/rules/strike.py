"""One unit's attack on another, from the dice to the end of the retreat: steps 3 to 9 of the ledger's one combat.

The rule is written once: `roll` throws the battle dice and `resolve` counts what they do (hits before flags,
BL-HIT-05), `flee` resolves the flags (ignoring them, the retreat, what blocks it, panic). None looks at how many
figures are left, so one distribution serves a unit at any strength; `suffer` takes the figures away. Random dice
simulate, all dice at once give the exact distribution, and the faces of an example replay it. On a board, where each
trial has units of its own (`Strikes`), cards come between throw and effect, and units retreat hex by hex: it throws by
letter, calls `resolve`, and for the retreat `fewest_ignored`, `panic` and `cornered`.

Columns are `int[n]`, one entry per trial.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.games.battlelore.rules.dice import hits_shown, throw
from balance.games.battlelore.rules.powers import Powers, use_powers
from balance.games.battlelore.ruleset import BattleLoreRules


@dataclass(frozen=True)
class Target:
    """The unit that is attacked, as far as a strike depends on it.

    * `faces` and `helmet`: faces of the battle die, and the one that hits it: of its colour.
    * `bold` and `supported_bold`: flags it may ignore (a creature must), and flags where a trial's condition says that
      it is supported.
    * `hexes_per_flag` and `free_hexes`: hexes it retreats for a flag, and hexes open behind it in a row.
    * `panics`: whether it is Frightened when it retreats.
    * `most_ignored`: the owner's choice: ignore no more than this many flags; None for as many as allowed.
    * `blocker_figures`: figures of each unit that blocks a creature's retreat, 0 if none does; beyond them the way is
      open.
    """

    faces: tuple[str, ...]
    helmet: str
    bold: int
    supported_bold: int
    hexes_per_flag: int
    free_hexes: int
    creature: bool
    panics: bool
    most_ignored: int | None
    blocker_figures: int

    def helmets(self, n_dice: IntArray, rolls: Rolls, name: str, most: int) -> IntArray:
        """Roll dice, `int[n]` and at most `most`, and return how many show the helmet of its colour."""
        success = [number for number, face in enumerate(self.faces, start=1) if face == self.helmet]
        return rolls.count(len(self.faces), most, success, name, n_dice)


@dataclass(frozen=True, eq=False)
class Targets:
    """Units that are attacked, one in each trial: numbers of their colours, and whether they are creatures, `[n]`."""

    faces: tuple[str, ...]
    colour: IntArray
    creature: BoolArray

    def helmets(self, n_dice: IntArray, rolls: Rolls, name: str, most: int = 0) -> IntArray:
        """Roll dice, `int[n]`, and return how many show the helmet of the colour in each trial."""
        return self.helmets_of(throw(self.faces, n_dice, rolls, name))

    def helmets_of(self, letters: IntArray) -> IntArray:
        """Return how many dice of throws by letter, `int[n, 6]`, show the helmet of the colour in each trial."""
        return np.asarray(letters[np.arange(len(letters)), self.colour])


@dataclass(frozen=True)
class Strike:
    """One unit's attack on another: all that its dice depend on, except the condition of the two.

    * `die`: the battle die as it counts here.
    * `melee`: whether the two are adjacent.
    * `powers`: what the attacker does with Lore faces.
    * `lore_adventure`: whether Lore faces count for anything (BL-DIE-02, BL-DIE-03).
    * `reward`: lore for killing a creature.
    """

    die: SymbolDie
    n_dice: int
    melee: bool
    target: Target
    powers: Powers
    rules: BattleLoreRules
    lore_adventure: bool
    reward: int

    @property
    def most_hexes(self) -> int:
        """The longest retreat, in hexes, that the dice can ask for in any trial."""
        target = self.target
        min_ignored = target.bold if target.most_ignored is None else min(target.bold, target.most_ignored)
        return max(self.n_dice - min_ignored, 0) * target.hexes_per_flag

    def spend(self, hits: IntArray, fresh: IntArray, flags: IntArray, condition: State) -> State:
        """Have the owner use free Lore faces, `fresh`, by its policy; arguments and result as for `use_powers`."""
        bold = np.asarray(bold_of(self.target, condition))
        is_worthwhile = survives(self.target, hits, condition)
        return use_powers(self.powers, hits, fresh, condition, is_worthwhile, (bold > 0) & (flags <= bold))


@dataclass(frozen=True, eq=False)
class Strikes:
    """Strikes that differ by trial, of owners who decide one by one; fields mean what they mean of a `Strike`."""

    target: Targets
    rules: BattleLoreRules
    lore_adventure: bool
    spend: Callable[[IntArray, IntArray, IntArray, State], State]
    reward: int = 0
    n_dice: int = 0


def roll(strike: Strike, condition: State, rolls: Rolls, name: str) -> State:
    """Throw the battle dice of a strike and count what they do; see `resolve`."""
    symbols = rolls.pool(strike.die, strike.n_dice, f"{name} battle")
    return resolve(strike, {**symbols, "hits": hits_shown(symbols)}, condition, rolls, name)


def resolve(strike: Strike | Strikes, symbols: State, condition: State, rolls: Rolls, name: str) -> State:
    """Return what a throw does, by the `hits`, `flags` and `lore` that it shows.

    `condition` has `stored` (Lore of the attacker), `webbed`, `poisoned`, `supported`, `bold` and `figures` (of the
    target), each `int[n]`, 0 if left out; figures tell an owner only whether a power would be wasted. `name` begins the
    name of the dice, such as "a attack". Returns `hits`, `flags` and `lore` of the roll; `wounds`: figures to remove;
    `pending`: flags still to be resolved; `gained`: Lore to the chalice; `stored`, `webbed` and `poisoned` afterwards.
    """
    target, hits, flags, lore = strike.target, symbols["hits"], symbols["flags"], symbols["lore"]
    fresh = lore if strike.lore_adventure else np.zeros_like(lore)
    if strike.lore_adventure and "poisoned" in condition:
        hits = hits + lore * condition["poisoned"]
        fresh = fresh if strike.rules.poison_lore == "collected" else fresh * (1 - condition["poisoned"])
    caught_flags = flags
    if strike.rules.webbed_flags == "taken_hit":
        caught_flags = flags - np.minimum(flags, bold_of(target, condition))
    webbed = condition.get("webbed", np.zeros_like(flags))
    power_columns = strike.spend(hits + caught_flags * webbed, fresh, flags, condition)
    hits = hits + caught_flags * power_columns["webbed"]
    wounds = wounded(target, hits, rolls, name, strike.n_dice)
    gained_lore = power_columns["gained"] + wounds * np.int16(strike.reward) * target.creature
    blow = {"hits": hits, "wounds": wounds, "pending": flags * (1 - power_columns["webbed"]), "gained": gained_lore}
    return {**symbols, **power_columns, **blow}


def survives(target: Target | Targets, hits: IntArray, condition: State) -> BoolArray | bool:
    """Return whether a power on the target would not be wasted, `bool[n]`: a creature's hits may do nothing."""
    return (condition["figures"] > hits) | target.creature if "figures" in condition else True


def wounded(target: Target | Targets, hits: IntArray, rolls: Rolls, name: str, most: int = 0) -> IntArray:
    """Return the figures that hits remove, `int[n]`: those on a creature are dice to re-roll.

    A `Target` needs to know the `most` there can be, here and where else dice are rolled at it.
    """
    if not np.any(target.creature):
        return hits
    return np.where(target.creature, critical(target, hits * target.creature, rolls, name, most), hits)


def critical(target: Target | Targets, n_dice: IntArray, rolls: Rolls, name: str, most: int = 0) -> IntArray:
    """Re-roll the dice that hit a creature, `int[n]`: 1 if any shows its colour, else 0 (BL-CRE-03)."""
    return np.asarray(target.helmets(n_dice, rolls, f"{name} critical", most) > 0, np.int16)


def bold_of(target: Target | Targets, condition: State) -> IntArray | int:
    """Return how many flags a target may ignore, one number or `int[n]` where support, or all of it, varies."""
    if isinstance(target, Targets):
        return condition["bold"]
    if target.supported_bold == target.bold or "supported" not in condition:
        return target.bold
    return np.where(condition["supported"] > 0, target.supported_bold, target.bold).astype(np.int16)


def flags_ignored(target: Target, flags: IntArray, bold: IntArray | int) -> IntArray:
    """Return how many flags, `int[n]`, are ignored: by a creature all it must, else as many as allowed and wished.

    >>> meek = Target(("B",), "B", 2, 2, 1, 1, creature=False, panics=False, most_ignored=0, blocker_figures=0)
    >>> flags_ignored(meek, np.array([1, 2, 3]), 2).tolist()
    [0, 1, 2]
    """
    may_ignore = np.minimum(flags, bold)
    if target.creature or target.most_ignored is None:
        return np.asarray(may_ignore)
    fewest = fewest_ignored(flags, may_ignore, target.hexes_per_flag, target.free_hexes)
    return np.asarray(np.maximum(fewest, np.minimum(may_ignore, target.most_ignored)))


def fewest_ignored(
    flags: IntArray, may_ignore: IntArray, hexes_per_flag: IntArray | int, free_hexes: IntArray | int
) -> IntArray:
    """Return how many of the flags that troops may ignore they cannot choose to take, `int[n]`.

    A flag is taken by choice only where there are hexes for the whole retreat: nobody chooses losses (BL-Q09).
    """
    n_with_room = free_hexes // np.maximum(hexes_per_flag, 1)
    without_room = np.maximum(flags - n_with_room, 0) * (np.asarray(hexes_per_flag) > 0)
    return np.asarray(np.minimum(may_ignore, without_room))


def flee(strike: Strike, pending: IntArray, condition: State, rolls: Rolls, name: str) -> State:
    """Resolve the `pending` flags of a strike, `int[n]`, on a target that is still alive.

    Of the conditions of `roll`, `supported` matters, and `trampled`: figures that each unit in the way has lost before.
    Returns `ignored`: flags ignored; `travelled`: hexes; `losses`: figures lost to blocked hexes and panic (of a
    creature: 1 if it is killed); `trampled`: figures each unit in the way has lost, now or before; `shoved`: figures
    the attacker loses by being trampled; `gained`: Lore for killing a creature.
    """
    target = strike.target
    n_ignored = flags_ignored(target, pending, bold_of(target, condition))
    hexes = (pending - n_ignored) * np.int16(target.hexes_per_flag)
    if target.creature:
        return {"ignored": n_ignored, **_creature_retreat(strike, hexes, condition, rolls, name)}
    hexes_travelled = np.minimum(hexes, np.int16(target.free_hexes))
    losses = hexes - hexes_travelled
    if target.panics and (k := min(strike.most_hexes, target.free_hexes)) > 0:
        losses = losses + panic(target, hexes_travelled, rolls, name, k)
    zeros = dict.fromkeys(("trampled", "shoved", "gained"), np.zeros_like(losses))
    return {"ignored": n_ignored, "travelled": hexes_travelled, "losses": losses, **zeros}


def panic(target: Target | Targets, hexes: IntArray, rolls: Rolls, name: str, most: int = 0) -> IntArray:
    """Roll a die for each hex that Frightened troops travel, and return the figures that they lose (BL-PANIC)."""
    return target.helmets(hexes, rolls, f"{name} panic", most)


def cornered(target: Target | Targets, hexes_unmet: IntArray, rolls: Rolls, name: str, most: int = 0) -> IntArray:
    """Roll a die for each hex that a creature cannot travel, and again those that hit; 1 if it dies (BL-CRE-09)."""
    helmets = target.helmets(hexes_unmet, rolls, f"{name} cornered", most)
    return critical(target, helmets, rolls, f"{name} cornered", most)


def _creature_retreat(strike: Strike, hexes: IntArray, condition: State, rolls: Rolls, name: str) -> State:
    """Move a creature back: it tramples what is in its way, and each hex not travelled may kill it (BL-CRE-08, 09)."""
    target, rules, k = strike.target, strike.rules, strike.most_hexes
    losses_before = condition.get("trampled", np.zeros_like(hexes))
    is_cleared = (target.blocker_figures > 0) & (losses_before >= target.blocker_figures)
    hexes_travelled = np.where(is_cleared, hexes, np.minimum(hexes, np.int16(target.free_hexes)))
    hexes_unmet = hexes - hexes_travelled
    after = np.minimum(losses_before + hexes_unmet, np.int16(target.blocker_figures))
    figures_shoved = hexes_unmet * (
        (after > losses_before) & (rules.trample == "all_adjacent") & strike.melee & (hexes_travelled == 0)
    )
    if target.blocker_figures and rules.trample_clears_way:
        hexes_unmet = hexes_unmet * (after < target.blocker_figures)
    kills = np.zeros_like(hexes_unmet)
    if (most_unmet := k - target.free_hexes) > 0:
        kills = cornered(target, hexes_unmet, rolls, name, most_unmet)
    return {
        "travelled": hexes - hexes_unmet,
        "losses": kills,
        "trampled": after,
        "shoved": figures_shoved,
        "gained": kills * np.int16(strike.reward),
    }


def suffer(figures: IntArray, blow: State, flight: State, is_strike: BoolArray | bool = True) -> State:
    """Take from `figures`, `int[n]`, what a strike costs its target, where `is_strike`, `bool[n]` or for all.

    `blow` and `flight` are the columns of `roll` and `flee`; whoever is gone after the hits does not flee (BL-HIT-05).
    Returns `figures` left, hexes `travelled`, and `held`: 1 if it is alive and never left its hex.
    """
    after_hits = np.maximum(figures - blow["wounds"] * is_strike, 0)
    flees = (after_hits > 0) & is_strike
    remaining_figures = np.maximum(after_hits - flight["losses"] * flees, 0)
    hexes_travelled = flight["travelled"] * flees
    return {
        "figures": remaining_figures,
        "travelled": hexes_travelled,
        "held": np.asarray((remaining_figures > 0) & (hexes_travelled == 0), np.int16),
    }

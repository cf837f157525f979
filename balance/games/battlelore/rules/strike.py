"""One unit's attack on another, from the dice to the end of the retreat: steps 3 to 9 of the ledger's one combat.

The rule is written once, in two pure functions: `roll` throws the battle dice and counts what they do (hits before
flags, BL-HIT-05), `flee` resolves the flags (ignoring them, the retreat, what blocks it, panic). Neither looks at how
many figures are left, so one distribution serves a unit at any strength; `suffer` takes the figures away. Random dice
simulate, all dice at once give the exact distribution, and the faces of an example replay it. `draw` takes both at once
from the distribution.

Columns are `int[n]`, one entry per trial.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.chance.rolls.symbols import SymbolDie
from balance.games.battlelore.rules.dice import ignoring_one
from balance.games.battlelore.rules.powers import Powers, use_powers


@dataclass(frozen=True)
class Target:
    """The unit that is attacked, as far as a strike depends on it.

    * `helmet`: the face that hits it: of its colour.
    * `bold` and `supported_bold`: flags it may ignore (a creature must), and flags where a trial's condition says that
      it is supported.
    * `hexes_per_flag` and `free_hexes`: hexes it retreats for a flag, and hexes open behind it in a row.
    * `panics`: whether it is Frightened when it retreats.
    * `most_ignored`: the owner's choice: ignore no more than this many flags; None for as many as allowed.
    * `blocker_figures`: figures of each unit that blocks a creature's retreat, 0 if none does; beyond them the way is
      open.
    """

    helmet: str
    bold: int
    supported_bold: int
    hexes_per_flag: int
    free_hexes: int
    creature: bool
    panics: bool
    most_ignored: int | None
    blocker_figures: int


@dataclass(frozen=True)
class Strike:
    """One unit's attack on another: all that its dice depend on, except the condition of the two.

    * `die`: the battle die as it counts here.
    * `melee`: whether the two are adjacent.
    * `powers`: what the attacker does with Lore faces.
    * `lore_adventure`: whether Lore faces count for anything (BL-DIE-02, BL-DIE-03).
    * `creature_reward`: lore for killing a creature.
    * `poison_collects`, `bold_in_web`, `clears_way`, `tramples_attacker`: the other readings of BL-Q41, BL-Q38, BL-Q33
      (the default) and BL-Q32.
    """

    die: SymbolDie
    n_dice: int
    melee: bool
    target: Target
    powers: Powers
    lore_adventure: bool
    creature_reward: int
    poison_collects: bool
    bold_in_web: bool
    clears_way: bool
    tramples_attacker: bool

    @property
    def most_hexes(self) -> int:
        """The longest retreat, in hexes, that the dice can ask for in any trial."""
        target = self.target
        min_ignored = target.bold if target.most_ignored is None else min(target.bold, target.most_ignored)
        return max(self.n_dice - min_ignored, 0) * target.hexes_per_flag


def roll(strike: Strike, condition: State, rolls: Rolls, name: str) -> State:
    """Throw the battle dice of a strike and count what they do.

    `condition` has `stored` (Lore of the attacker), `webbed`, `poisoned`, `supported` and `figures` (of the target),
    each `int[n]`, 0 if left out; figures tell an owner only whether a power would be wasted. `name` begins the name of
    the dice, such as "a attack". Returns `hits`, `flags` and `lore` of the roll; `wounds`: figures to remove;
    `pending`: flags still to be resolved; `gained`: Lore to the chalice; `stored`, `webbed` and `poisoned` afterwards.
    """
    symbols = rolls.pool(strike.die, strike.n_dice, f"{name} battle")
    hits, flags, lore = symbols["hits"], symbols["flags"], symbols["lore"]
    if "swords" in symbols:
        hits = hits + ignoring_one(symbols["swords"])
    if strike.lore_adventure and "poisoned" in condition:
        hits = hits + lore * condition["poisoned"]
    n_spared = np.minimum(flags, bold_of(strike.target, condition)) if strike.bold_in_web else 0
    caught_flags = flags - n_spared
    power_columns = _lore_used(strike, hits + caught_flags * condition.get("webbed", 0), flags, lore, condition)
    webbed = power_columns["webbed"]
    hits = hits + caught_flags * webbed
    wounds = _critical(strike, hits, strike.n_dice, rolls, name) if strike.target.creature else hits
    gained_lore = power_columns.pop("gained") + (wounds * _reward(strike) if strike.target.creature else 0)
    pending = flags * (1 - webbed)
    return {
        "hits": hits,
        "flags": flags,
        "lore": lore,
        "wounds": wounds,
        "pending": pending,
        "gained": gained_lore,
        **power_columns,
    }


def _lore_used(strike: Strike, hits: IntArray, flags: IntArray, lore: IntArray, condition: State) -> State:
    """Return what the owner does with Lore faces that have not wounded; in a Medieval adventure none (BL-DIE-02)."""
    fresh = lore if strike.lore_adventure else np.zeros_like(lore)
    if "poisoned" in condition and not strike.poison_collects:
        fresh = fresh * (1 - condition["poisoned"])
    alive = condition["figures"] > hits if "figures" in condition and not strike.target.creature else True
    bold = np.asarray(bold_of(strike.target, condition))
    return use_powers(strike.powers, hits, fresh, condition, alive, (bold > 0) & (flags <= bold))


def _reward(strike: Strike) -> np.int16:
    return np.int16(strike.creature_reward if strike.lore_adventure else 0)


def _critical(strike: Strike, n_dice: IntArray, k: int, rolls: Rolls, name: str) -> IntArray:
    """Re-roll the `n_dice` dice, at most k, that hit a creature: 1 if any shows its colour, else 0 (BL-CRE-03)."""
    return np.asarray(_helmets(strike, n_dice, k, rolls, f"{name} critical") > 0, np.int16)


def _helmets(strike: Strike, n_dice: IntArray, k: int, rolls: Rolls, name: str) -> IntArray:
    """Return how many of `n_dice` dice, at most k, show the helmet of the target's colour."""
    faces = strike.die.faces
    success = [number for number, face in enumerate(faces, start=1) if face == strike.target.helmet]
    return rolls.count(len(faces), k, success, name, n_dice)


def bold_of(target: Target, condition: State) -> IntArray | int:
    """Return how many flags a target may ignore, one number or `int16[n]` where support varies."""
    if target.supported_bold == target.bold or "supported" not in condition:
        return target.bold
    return np.where(condition["supported"] > 0, target.supported_bold, target.bold).astype(np.int16)


def flags_ignored(target: Target, flags: IntArray, bold: IntArray | int) -> IntArray:
    """Return how many flags, `int[n]`, are ignored: by a creature all it must, else as many as allowed and wished.

    A flag is taken by choice only where there are hexes for the whole retreat: nobody chooses losses (BL-Q09).

    >>> meek = Target("B", 2, 2, 1, free_hexes=1, creature=False, panics=False, most_ignored=0, blocker_figures=0)
    >>> flags_ignored(meek, np.array([1, 2, 3]), 2).tolist()
    [0, 1, 2]
    """
    may_ignore = np.minimum(flags, bold)
    if target.creature or target.most_ignored is None:
        return np.asarray(may_ignore)
    room = target.free_hexes // max(target.hexes_per_flag, 1) - (flags - may_ignore)
    by_choice = np.maximum(may_ignore - target.most_ignored, 0)
    return np.asarray(may_ignore - np.minimum(by_choice, np.maximum(room, 0)))


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
        losses = losses + _helmets(strike, hexes_travelled, k, rolls, f"{name} panic")
    zeros = dict.fromkeys(("trampled", "shoved", "gained"), np.zeros_like(losses))
    return {"ignored": n_ignored, "travelled": hexes_travelled, "losses": losses, **zeros}


def _creature_retreat(strike: Strike, hexes: IntArray, condition: State, rolls: Rolls, name: str) -> State:
    """Move a creature back: it tramples what is in its way, and each hex not travelled may kill it (BL-CRE-08, 09)."""
    target, k = strike.target, strike.most_hexes
    losses_before = condition.get("trampled", np.zeros_like(hexes))
    is_cleared = (target.blocker_figures > 0) & (losses_before >= target.blocker_figures)
    hexes_travelled = np.where(is_cleared, hexes, np.minimum(hexes, np.int16(target.free_hexes)))
    hexes_unmet = hexes - hexes_travelled
    after = np.minimum(losses_before + hexes_unmet, np.int16(target.blocker_figures))
    figures_shoved = hexes_unmet * (
        (after > losses_before) & strike.tramples_attacker & strike.melee & (hexes_travelled == 0)
    )
    if target.blocker_figures and strike.clears_way:
        hexes_unmet = hexes_unmet * (after < target.blocker_figures)
    kills = np.zeros_like(hexes_unmet)
    if (most_unmet := k - target.free_hexes) > 0:
        helmets = _helmets(strike, hexes_unmet, most_unmet, rolls, f"{name} cornered")
        kills = _critical(strike, helmets, most_unmet, rolls, f"{name} cornered")
    gained_lore = kills * _reward(strike)
    return {
        "travelled": hexes - hexes_unmet,
        "losses": kills,
        "trampled": after,
        "shoved": figures_shoved,
        "gained": gained_lore,
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

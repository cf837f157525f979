"""Who fights in an encounter: the party, the kinds of enemies and their powers.

Tables are arrays that are looked up by number: of a hero, of a kind of enemy, of a set of enemy powers. The kind after
the last stands for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from balance.base.arrays import BoolArray, IntArray
from balance.games.immortal_souls.encounter.party.companions import Pack
from balance.games.immortal_souls.encounter.party.gear import Gear
from balance.games.immortal_souls.tables.items import Item


@dataclass(frozen=True, eq=False)
class Party:
    """The heroes and then the companions that they may call, H of them together.

    * `rank`: soul ranks at the start, `int[H]`.
    * `health`, `activities`, `actions`: by hero and rank, `int[H, 8]`.
    * `movement`, `style`, `armour`, `shields`, `defence`: `int[H]`; `defence` is the number of the defence among
      `Scene.defences`.
    * `change`: what weaknesses and resistances add by damage type, `int[H, types]`.
    * `save_good` and `save_total`: a save succeeds in so many of so many cases, `int[H]`.
    * `weapon`: the number of the attack with his weapon, `int[H]`.
    * `powers`: numbers of the attacks with his powers by rank, -1 for none, `int[H, 8, P]`.
    * `reach`, `cooldown`, `damage_type`: how far each attack reaches, hourglasses that its use takes, and its damage
      type, `int[S]`.
    * `walker`: HERO or FLYER, `int[H]`.
    * `begins`: conditions and tokens that heroes begin with, by name, `int[H]`.
    * `off_hand`: the number of the attack with his second weapon, -1 for none, `int[H]`.
    * `extra`: attacks with it that follow those with the first weapon in a turn, `int[H, 8]`.
    * `heals`, `heal_reach`, `heal_cooldown`, `heal_radius`: wounds that an action of his heals, 0 for none, how far,
      the hourglasses it takes, and how far around whom it heals it heals others, -1 for nobody else, `int[H, 8]`.
    * `taunts`: how far he takes the threat of a Master upon himself as a free action, -1 for not at all, `int[H, 8]`.
    * `kits`: what of the equipment of each hero changes, None for nothing.
    * `items`, `bearers`, `carry`: what heroes carry, who carries it at the start, `int[items]`, and how many items each
      can carry, `int[heroes]`.
    * `hides`: whether he may hide with an action, `bool[H]`.
    """

    names: tuple[str, ...]
    rank: IntArray
    health: IntArray
    activities: IntArray
    actions: IntArray
    movement: IntArray
    style: IntArray
    armour: IntArray
    shields: IntArray
    defence: IntArray
    change: IntArray
    save_good: IntArray
    save_total: IntArray
    weapon: IntArray
    powers: IntArray
    reach: IntArray
    cooldown: IntArray
    damage_type: IntArray
    walker: IntArray
    begins: Mapping[str, IntArray]
    off_hand: IntArray
    extra: IntArray
    heals: IntArray
    heal_reach: IntArray
    heal_cooldown: IntArray
    heal_radius: IntArray
    taunts: IntArray
    pack: Pack
    kits: tuple[Gear | None, ...]
    items: tuple[Item, ...]
    bearers: IntArray
    carry: IntArray
    hides: BoolArray

    @property
    def n_powers(self) -> int:
        """The most powers that attack of any hero."""
        return int(self.powers.shape[2])

    @property
    def reacts(self) -> bool:
        """Whether any hero carries an item that is used when he is attacked."""
        return any(item.activation == "reaction" for item in self.items)

    @property
    def most_ready(self) -> int:
        """The most hits that an item adds to an attack."""
        return max((item.hits for item in self.items), default=0)


@dataclass(frozen=True, eq=False)
class Bestiary:
    """The kinds of enemies, `int[K + 1]` unless said.

    Attributes
    ----------
    change
        What weaknesses and resistances add by damage type, `int[K + 1, types]`.
    defence
        The number of the defence with 0, 1, 2 or 3 dice more, `int[K + 1, 4]`.
    strike, reach, damage_type
        The attack with the primary and the secondary weapon, by the effects that powers add, `int[K + 1, 2, variants]`,
        -1 for none; how far weapons reach and their damage types, `int[K + 1, 2]`.
    walker
        ENEMY or FLYER.
    powers, icons, charges
        The powers of its scroll as bits, the Enemy Power cards it enters with, and its charges.
    minis
        Miniatures of a card; more than 1 for a horde.
    attacks_within
        The most areas to a victim whom some rule of its scroll attacks.
    flips_at
        With so much health left a Master's card is turned over; 0 for never.
    """

    names: tuple[str, ...]
    rank: IntArray
    style: IntArray
    victim: IntArray
    health: IntArray
    armour: IntArray
    shields: IntArray
    change: IntArray
    defence: IntArray
    strike: IntArray
    reach: IntArray
    damage_type: IntArray
    scroll: IntArray
    walker: IntArray
    powers: IntArray
    icons: IntArray
    charges: IntArray
    minis: IntArray
    soul_points: IntArray
    crowns: IntArray
    no_ko: BoolArray
    no_stun: BoolArray
    vindictive: BoolArray
    is_master: BoolArray
    attacks_within: IntArray
    flips_at: IntArray


@dataclass(frozen=True, eq=False)
class EnemyPowers:
    """Enemy powers, by number; sums are by the set of those that an enemy has, as bits.

    Those that scrolls name come first: of powers that are used at the same moment these are (IS-ENE.10).

    * `armour`, `shields`, `dice`, `hits`, `leading_hits`, `curse`, `variant`: what a set adds, `int[2**powers]`:
      `leading_hits` while its faction dominates its area, `curse` to attacks of a victim that does not save, and
      `variant` is the number of the effects it adds.
    * `change`: hits that resistances add by damage type, `int[2**powers, types]`.
    * `group`: the powers of the same group as bits, of which an enemy has one card at most, `int[powers]`.
    * `healing`, `again_on_attack`, `again_on_wounds`, `on_entering`: (number, wounds healed or hand) of each power that
      does so.
    * `takes_charge` and `allows_save`: whether a power takes a charge, and whether a save stops it, `bool[powers]`.
    * `cards`: the power of each Enemy Power card, `int[cards]`.
    """

    ids: tuple[str, ...]
    armour: IntArray
    shields: IntArray
    dice: IntArray
    hits: IntArray
    leading_hits: IntArray
    curse: IntArray
    variant: IntArray
    change: IntArray
    group: IntArray
    healing: tuple[tuple[int, int], ...]
    again_on_attack: tuple[tuple[int, int], ...]
    again_on_wounds: tuple[tuple[int, int], ...]
    on_entering: tuple[tuple[int, int], ...]
    takes_charge: BoolArray
    allows_save: BoolArray
    cards: IntArray

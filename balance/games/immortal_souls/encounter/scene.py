"""What an encounter is played with: the party, the kinds of enemies, their powers, the map, the decks and the rules.

Tables are arrays that are looked up by number: of a hero, of a kind of enemy, of a set of enemy powers. The kind after
the last stands for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from balance.core.distributions import DistributionStack
from balance.core.process import Array, BoolArray
from balance.core.rolls import Policy
from balance.games.immortal_souls.encounter.activation import Cards
from balance.games.immortal_souls.encounter.areas import Board
from balance.games.immortal_souls.encounter.arms import Arms
from balance.games.immortal_souls.encounter.events import EventCards, Gates
from balance.games.immortal_souls.encounter.gear import Gear
from balance.games.immortal_souls.encounter.pack import Pack
from balance.games.immortal_souls.encounter.shadow_pool import ShadowPool
from balance.games.immortal_souls.encounter.victims import Scrolls
from balance.games.immortal_souls.harm import Token
from balance.games.immortal_souls.items import Item
from balance.games.immortal_souls.ruleset import Constants, Switches
from balance.pmf.arrays import IntArray

__all__ = ["Bestiary", "EnemyPowers", "Party", "Scene"]


@dataclass(frozen=True, eq=False)
class Party:
    """The heroes and then the companions that they may call, H of them together.

    Attributes
    ----------
    names
        For people.
    rank
        Soul ranks at the start, `int[H]`.
    health, activities, actions
        By hero and rank, `int[H, 8]`.
    movement, style, armour, shields, defence
        `int[H]`; `defence` is the number of the defence among `Scene.defences`.
    change
        What weaknesses and resistances add by damage type, `int[H, types]`.
    save_good, save_total
        A save succeeds in so many of so many cases, `int[H]`.
    weapon
        The number of the attack with his weapon, `int[H]`.
    powers
        Numbers of the attacks with his powers by rank, -1 for none, `int[H, 8, P]`.
    reach, cooldown, damage_type
        How far each attack reaches, hourglasses that its use takes, and its damage type, `int[S]`.
    walker
        HERO or FLYER, `int[H]`.
    begins
        Conditions and tokens that heroes begin with, by name, `int[H]`.
    off_hand
        The number of the attack with his second weapon, -1 for none, `int[H]`.
    extra
        Attacks with it that follow those with the first weapon in a turn, `int[H, 8]`.
    heals, heal_reach, heal_cooldown, heal_radius
        Wounds that an action of his heals, 0 for none, how far, the hourglasses it takes, and how far around whom it
        heals it heals others, -1 for nobody else, `int[H, 8]`.
    taunts
        How far he takes the threat of a Master upon himself as a free action, -1 for not at all, `int[H, 8]`.
    pack
        Which of them are companions, and whose.
    kits
        What of the equipment of each hero changes, None for nothing.
    items, bearers, carry
        What heroes carry, who carries it at the start, `int[items]`, and how many items each can carry, `int[H]`.
    hides
        Whether he may hide with an action, `bool[H]`.
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
        """Powers that attack which a hero has at most."""
        return int(self.powers.shape[2])

    @property
    def reacts(self) -> bool:
        """Whether a hero carries what is used when he is attacked."""
        return any(item.activation == "reaction" for item in self.items)

    @property
    def most_ready(self) -> int:
        """Most hits that an item adds to an attack."""
        return max((item.hits for item in self.items), default=0)


@dataclass(frozen=True, eq=False)
class Bestiary:
    """The kinds of enemies, `int[K + 1]` unless said.

    Attributes
    ----------
    names
        For people.
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
    attacks_within
        How far a victim may be whom it attacks by some rule.
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

    Attributes
    ----------
    ids
        Names.
    armour, shields, dice, hits, leading_hits, curse, variant
        What a set adds, `int[2**powers]`: `leading_hits` while its faction dominates its area, `curse` to attacks of a
        victim that does not save, and `variant` is the number of the effects it adds.
    change
        By damage type, `int[2**powers, types]`.
    group
        Of which an enemy has one card, as bits of the powers of the same group, `int[powers]`.
    healing, again_on_attack, again_on_wounds, on_entering
        (number, wounds healed or hand) of each power that does so.
    charged, saved
        Whether a power takes a charge, and whether a save stops it, `bool[powers]`.
    cards
        The power of each Enemy Power card, `int[cards]`.
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
    charged: BoolArray
    saved: BoolArray
    cards: IntArray


@dataclass(frozen=True, eq=False)
class Scene:
    """An encounter, ready to be played.

    Attributes
    ----------
    hero_arms, enemy_arms
        The attacks of heroes on kinds of enemies, and of enemies on heroes.
    defences, most_hits
        How many of 0 to `most_hits` normal hits are left after each defence.
    card_names, strike_names
        Names of the encounter cards, and of what heroes attack with.
    programs
        What a rule of a scroll does, `int[scrolls, rules, steps]` in STEPS, -1 for nothing, and to which sentence each
        step belongs.
    shoots
        Whether the first rule of a scroll that holds at a distance shoots, `bool[scrolls, 100]`.
    kind_of, returns
        By card of enemies: its kind, with that of no card last; whether it goes to the discards when it dies.
    other_side
        By card of enemies: that of the other side of a Master, -1 for none (IS-MAST.1).
    placed
        (card, area) of the enemies at the start.
    deck
        Where the cards of enemies are at the start.
    gates, gate_areas, gate_rounds
        Spawn gates, None without any; where they are, and the first and the last round in which each is open.
    altars
        Areas with an altar.
    shadows
        The Shadow tokens, None without any.
    story_at
        The event card that lies in each area at the start, `int[areas + 1]`; NO_CARD for none.
    fires
        Fire tokens of areas at the start by name, `int[areas]`; empty without any.
    marks
        Conditions, fire tokens and red criticals that may befall each side, "h" and "e".
    nobody
        What a column of bodies says where there is none, where that is not 0.
    """

    party: Party
    bestiary: Bestiary
    powers: EnemyPowers
    board: Board
    area_names: tuple[str, ...]
    hero_arms: Arms
    enemy_arms: Arms
    defences: DistributionStack
    most_hits: int
    bag: tuple[Token, ...]
    cards: Cards
    card_names: tuple[str, ...]
    strike_names: tuple[str, ...]
    scrolls: Scrolls
    programs: IntArray
    sentences: IntArray
    shoots: BoolArray
    events: EventCards
    gates: Gates | None
    gate_areas: IntArray
    gate_rounds: IntArray
    altars: IntArray
    shadows: ShadowPool | None
    story_at: IntArray
    fires: Mapping[str, IntArray]
    kind_of: IntArray
    returns: BoolArray
    other_side: IntArray
    placed: tuple[tuple[int, int], ...]
    deck: Array
    n_bodies: int
    start_area: int
    goal: str
    n_rounds: int
    round_limit: int
    souls: int
    rank_up: bool
    enemy_turns: str
    rules: Switches
    constants: Constants
    from_many: int
    marks: Mapping[str, tuple[str, ...]]
    nobody: Mapping[str, int]
    policies: Mapping[str, Policy] = field(default_factory=dict)

    @property
    def n_heroes(self) -> int:
        """How many heroes; companions, who are no heroes in play, come after them."""
        return len(self.party.pack.called)

    @property
    def n_allies(self) -> int:
        """How many heroes and companions."""
        return len(self.party.names)

    @property
    def ranks_lost(self) -> int:
        """Ranks that a hero loses by dying."""
        return self.constants.party.ranks_lost

    @property
    def has_hordes(self) -> bool:
        """Whether a card may have several bodies."""
        return bool((self.bestiary.minis > 1).any())

    @property
    def has_masters(self) -> bool:
        """Whether there may be a Master."""
        return bool(self.bestiary.is_master.any())

    @property
    def n_stories(self) -> int:
        """Stories on the map."""
        return int((self.story_at >= 0).sum())

    @property
    def n_power_cards(self) -> int:
        """Enemy Power cards that may be drawn."""
        return len(self.powers.cards)

    @property
    def deadly(self) -> BoolArray:
        """Which areas wound heroes who enter, `bool[areas + 1]`."""
        return np.isin(np.arange(self.board.n_areas + 1), self.board.deadly)

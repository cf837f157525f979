"""What an encounter is played with: who fights, the map, the decks and the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from balance.base.arrays import Array, BoolArray, IntArray
from balance.chance.rolls.distributions import DistributionStack
from balance.chance.rolls.rolls import Policy
from balance.games.immortal_souls.encounter.board.activation import Cards
from balance.games.immortal_souls.encounter.board.areas import Board
from balance.games.immortal_souls.encounter.board.events import EventCards, Gates
from balance.games.immortal_souls.encounter.board.shadow_pool import ShadowPool
from balance.games.immortal_souls.encounter.board.victims import Scrolls
from balance.games.immortal_souls.encounter.party.arms import Arms
from balance.games.immortal_souls.encounter.party.fighters import Bestiary, EnemyPowers, Party
from balance.games.immortal_souls.encounter.party.weaponry import Weaponry
from balance.games.immortal_souls.rules.harm import Token
from balance.games.immortal_souls.ruleset import Constants, Switches


@dataclass(frozen=True, eq=False)
class Scene:
    """An encounter, ready to be played.

    * `weaponry`: what both sides attack and defend with.
    * `card_names` and `strike_names`: names of the encounter cards, and of what heroes attack with.
    * `programs` and `sentences`: what a rule of a scroll does, `int[scrolls, rules, steps]` in STEPS, -1 for nothing,
      and to which sentence each step belongs.
    * `shoots`: whether the first rule of a scroll that holds at a distance shoots, `bool[scrolls, 100]`.
    * `kind_of` and `returns`: by card of enemies: its kind, with that of no card last; whether it goes to the discards
      when it dies.
    * `other_side`: by card of enemies: that of the other side of a Master, -1 for none (IS-MAST.1).
    * `start_cards`: (card, area) of the enemies at the start.
    * `deck`: where the cards of enemies are at the start.
    * `gates`, `gate_areas`, `gate_rounds`: spawn gates, None without any; where they are, and the first and the last
      round in which each is open.
    * `altars`: areas with an altar.
    * `shadows`: the Shadow tokens, None without any.
    * `story_at`: the event card that lies in each area at the start, `int[areas + 1]`; NO_CARD for none.
    * `fires`: fire tokens of areas at the start by name, `int[areas]`; empty without any.
    * `marks`: conditions, fire tokens and red criticals that may befall each side, "h" and "e".
    * `empty_body`: what a column of bodies says where there is none, where that is not 0.
    * `lost_actions`: attacks that the heroes lose at the start, and activations of enemies.
    """

    party: Party
    bestiary: Bestiary
    powers: EnemyPowers
    board: Board
    area_names: tuple[str, ...]
    weaponry: Weaponry
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
    start_cards: tuple[tuple[int, int], ...]
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
    empty_body: Mapping[str, int]
    policies: Mapping[str, Policy] = field(default_factory=dict)
    lost_actions: tuple[int, int] = (0, 0)

    @property
    def hero_arms(self) -> Arms:
        """The tables of heroes' attacks on kinds of enemies."""
        return self.weaponry.arms[0]

    @property
    def enemy_arms(self) -> Arms:
        """The tables of enemies' attacks on heroes."""
        return self.weaponry.arms[1]

    @property
    def most_hits(self) -> int:
        """An upper bound of the hits of an attack."""
        return self.weaponry.most_hits

    @property
    def defences(self) -> DistributionStack:
        """Distributions of the normal hits left after each defence, for 0 to `most_hits` hits."""
        return self.weaponry.defences

    @property
    def n_heroes(self) -> int:
        """The number of heroes; companions are numbered after them."""
        return len(self.party.pack.calls)

    @property
    def n_allies(self) -> int:
        """The number of heroes and companions together."""
        return len(self.party.names)

    @property
    def ranks_lost(self) -> int:
        """Soul ranks that a hero loses by dying (IS-HP.3)."""
        return self.constants.party.ranks_lost

    @property
    def has_hordes(self) -> bool:
        """Whether a card of enemies may have several bodies."""
        return bool((self.bestiary.minis > 1).any())

    @property
    def has_masters(self) -> bool:
        """Whether some kind of enemy is a Master, and so whether the threat token is in play."""
        return bool(self.bestiary.is_master.any())

    @property
    def n_stories(self) -> int:
        """The number of stories on the map at the start."""
        return int((self.story_at >= 0).sum())

    @property
    def n_power_cards(self) -> int:
        """The number of Enemy Power cards that may be drawn."""
        return len(self.powers.cards)

    @property
    def deadly(self) -> BoolArray:
        """Which areas wound heroes who enter, `bool[areas + 1]`."""
        return np.isin(np.arange(self.board.n_areas + 1), self.board.deadly)

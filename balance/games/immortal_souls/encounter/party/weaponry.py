"""What both sides of an encounter attack and defend with, worked out when it is first played.

Whether an encounter can be asked needs none of it: a report asks hundreds before it plays one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.chance.rolls.distributions import DistributionStack
from balance.games.immortal_souls.encounter.board.events import EventCards
from balance.games.immortal_souls.encounter.party.arms import Arms, Pair, arms_of, defences_of
from balance.games.immortal_souls.encounter.party.fighters import Bestiary, EnemyPowers, Party
from balance.games.immortal_souls.rules.defence import Guard
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.strike import Attack
from balance.games.immortal_souls.ruleset import AttackRule

Attacks = list[list[Attack]]
KILLABLE = 6
"""Up to so much health left, heroes who spend for a kill look for it; beyond it for wounds."""
MOST_OTHERS = 2
"""How many others in an area of effect, at most, heroes reckon with when they choose what to buy."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Weaponry:
    """What both sides attack and defend with.

    `hero_attacks` and `enemy_attacks`: nested by attack and foe. `guards`: the distinct defences of both sides, by
    number. `marks`: names of conditions, fire and red criticals that may befall enemies ("e") and heroes ("h").
    `to_kill`: whether heroes spend for a kill.
    """

    hero_attacks: Attacks
    enemy_attacks: Attacks
    guards: tuple[Guard, ...]
    marks: Mapping[str, tuple[str, ...]]
    party: Party
    bestiary: Bestiary
    powers: EnemyPowers
    events: EventCards
    constants: AttackRule
    to_kill: bool

    @cached_property
    def arms(self) -> tuple[Arms, Arms]:
        """The tables of the heroes' and of the enemies' attacks."""
        silenced = (("cannot_buy", 2, 0),) if "silenced" in self.marks["e"] else ()
        return (
            arms_of([[Pair(attack, self._varies(attack)) for attack in row] for row in self.hero_attacks]),
            arms_of([[Pair(attack, silenced) for attack in row] for row in self.enemy_attacks]),
        )

    def _varies(self, attack: Attack) -> tuple[tuple[str, int, int], ...]:
        """Return what a purchase of heroes may depend on: name, number of values (more than 1), the least of them."""
        low, high = self._bonuses
        shields = dict(attack.guards[0].start)["shields"]
        more_shields = int(self.powers.shields.max())
        spans = [("bonus", high - low + 1, low), ("shields", (shields + more_shields if shields else 0) + 1, 0)]
        spans = [("others", MOST_OTHERS + 1, 0), *spans] if attack.strike.deeds.values["area"].any() else spans
        spans += [("cannot_buy", 2, 0)] if "silenced" in self.marks["h"] else []
        for name in (*CONDITIONS, *REDS):
            if name in self.marks["e"] and (name in attack.inflicts or name in ("ko", "weakened")):
                spans.append((name, 3 if name == "poison" else self._worst.get(name, 1) + 1, 0))
        spans = [("left", KILLABLE + 1, 1), *spans] if self.to_kill else spans
        return tuple(span for span in spans if span[1] > 1)

    @cached_property
    def _worst(self) -> Mapping[str, int]:
        """The worst number of each red critical, by mark, among the tokens of the bag."""
        bag = self.hero_attacks[0][0].bag
        return {name: max((getattr(token, field) for token in bag), default=0) for name, field in REDS.items()}

    @cached_property
    def _bonuses(self) -> tuple[int, int]:
        """Bounds of the hits that are added to an attack of heroes, lower and upper."""
        rule, hits = self.constants, self.events.hero_hits
        high = rule.focus_hits + rule.supremacy_hits + self.party.most_ready + 2 * int(max(0, hits.max()))
        low = 2 * int(min(0, hits.min())) - int(self.powers.curse.max())
        return low - (self._worst["dulled"] if "dulled" in self.marks["h"] else 0), high

    @cached_property
    def most_hits(self) -> int:
        """An upper bound of the hits of an attack, with all that may be added and weaknesses."""
        rule, powers, events = self.constants, self.powers, self.events
        rolled_hits = max(int(side_arms.hits.max()) for side_arms in self.arms)
        bonus_hits = rule.focus_hits + rule.supremacy_hits + int(powers.hits.max() + powers.leading_hits.max())
        event_hits = 2 * max(0, int(events.hero_hits.max()), int(events.enemy_hits.max()))
        weak = max(0, int(self.party.change.max()), int(self.bestiary.change.max() + max(0, powers.change.max())))
        return int(rolled_hits + bonus_hits + event_hits + weak + self.party.most_ready)

    @cached_property
    def defences(self) -> DistributionStack:
        """Distributions of the normal hits left after each defence, for 0 to `most_hits` hits."""
        return defences_of(self.guards, self.most_hits)

"""From two units in their places to a strike: dice, what hits, morale, powers, under the readings in force."""

from __future__ import annotations

from dataclasses import dataclass, field

from balance.catalogue import Catalogue
from balance.games.battlelore.rules.dice import HELMETS, Ground, dice_count, strike_die, swords_that_hit
from balance.games.battlelore.rules.encounter import Encounter
from balance.games.battlelore.rules.morale import flags_it_may_ignore
from balance.games.battlelore.rules.powers import Policy, Powers
from balance.games.battlelore.rules.strike import Strike, Target
from balance.games.battlelore.ruleset import BattleLoreRules, Constants
from balance.games.battlelore.sides import Fighter
from balance.games.battlelore.tables import constants_of, rules_of


@dataclass(frozen=True)
class Post:
    """A unit in its place, with its owner's choices.

    * `cards`: further flags it may ignore.
    * `free_hexes` and `blocker_figures`: hexes open behind it; figures of each unit that blocks a creature, 0 if none
      does.
    * `has_moved` and `extra_dice`: whether it moved before battle, and dice from cards.
    * `most_ignored` and `policy`: flags it ignores at most (None: all it may), and what it does with Lore faces.
    * `webbed`, `poisoned`, `stored`, `trampled`: its condition before the fight; figures each unit that blocks it has
      lost to being trampled.
    """

    fighter: Fighter
    figures: int
    ground: Ground = field(default_factory=Ground)
    supported: bool = False
    cards: int = 0
    free_hexes: int = 99
    blocker_figures: int = 0
    has_moved: bool = False
    extra_dice: int = 0
    most_ignored: int | None = None
    policy: Policy = "chalice"
    webbed: bool = False
    poisoned: bool = False
    stored: int = 0
    trampled: int = 0


@dataclass(frozen=True)
class Referee:
    """The rules in force for one question; builds strikes from units in their places."""

    rules: BattleLoreRules
    constants: Constants
    lore_adventure: bool

    @classmethod
    def of(cls, catalogue: Catalogue, rules: BattleLoreRules | None, adventure: str) -> Referee:
        """Return the referee of a catalogue; `rules` of None are its own, and `adventure` is "lore" or "medieval"."""
        return cls(rules or rules_of(catalogue), constants_of(catalogue), adventure == "lore")

    def powers(self, post: Post) -> Powers:
        """Return the prices of a unit's powers and its owner's policy, "chalice" in a Medieval adventure."""
        costs = {power: getattr(self.constants.lore, power) for power in post.fighter.unit.powers}
        max_cost = max(costs.values(), default=0)
        policy = post.policy if self.lore_adventure else "chalice"
        return Powers(policy, costs.get("web", 0), costs.get("poison", 0), max_cost)

    def bold(self, post: Post, *, is_supported: bool | None = None) -> int:
        """Return how many flags a unit may ignore; `is_supported` of None takes the support of the post."""
        support = post.supported if is_supported is None else is_supported
        morale = self.constants.morale
        return flags_it_may_ignore(post.fighter, post.ground, support, post.cards, self.rules, morale)

    def strike(self, attacker: Post, target: Post, melee: bool = True, *, backs: bool = False) -> Strike:
        """Return the attack of one unit on another, adjacent if `melee`.

        `backs` is whether it battles back: by a reading of BL-Q53 no terrain then limits its dice.
        """
        rules, unit, hit = self.rules, attacker.fighter.unit, target.fighter.unit
        extra, ground, target_ground = attacker.extra_dice, attacker.ground, target.ground
        if backs and rules.battle_back_caps == "none":
            ground = target_ground = Ground()
        swords = swords_that_hit(attacker.fighter, hit.kind, melee, rules)
        return Strike(
            die=strike_die(self.constants.die.faces, hit.colour, swords),
            n_dice=dice_count(
                attacker.fighter, rules, ground, target_ground, has_moved=attacker.has_moved, extra=extra
            ),
            melee=melee,
            target=self.target(target),
            powers=self.powers(attacker) if unit.powers else Powers(),
            rules=rules,
            lore_adventure=self.lore_adventure,
            reward=self.constants.lore.creature_kill * self.lore_adventure,
        )

    def target(self, post: Post) -> Target:
        """Return the target of an attack, with its boldness and its hexes per flag under the rules in force."""
        unit, race, creature = post.fighter.unit, post.fighter.race, post.fighter.is_creature
        return Target(
            faces=self.constants.die.faces,
            helmet=HELMETS[unit.colour],
            bold=self.bold(post),
            supported_bold=self.bold(post, is_supported=True),
            hexes_per_flag=unit.hexes_per_flag if creature else unit.hexes_per_flag * race.hexes_per_flag,
            free_hexes=post.free_hexes,
            creature=creature,
            panics=not creature and race.panics,
            most_ignored=post.most_ignored,
            blocker_figures=post.blocker_figures,
        )

    def encounter(
        self, by: str, attacker: Post, on: str, target: Post, melee: bool = True, *, backs: bool = False
    ) -> Encounter:
        """Return the strike between two units with the conditions that it may change or meet.

        `by` and `on` begin the state columns of attacker and target; for the rest see `strike`.
        """
        powers = self.powers(attacker)
        active = powers.policy != "chalice" and powers.most_stored > 0
        spans = {
            "stored": powers.most_stored + 1 if active else 0,
            "webbed": 2 if target.webbed or (active and powers.web and "web" in powers.policy) else 0,
            "poisoned": 2 if target.poisoned or (active and powers.poison and "poison" in powers.policy) else 0,
            "figures": target.fighter.unit.figures + 1 if active and not target.fighter.is_creature else 0,
            "trampled": target.blocker_figures + 1 if target.blocker_figures else 0,
        }
        varies = tuple((name, span) for name, span in spans.items() if span)
        return Encounter(self.strike(attacker, target, melee, backs=backs), by, on, varies)

    def may_battle_back(self, post: Post) -> bool:
        """Return whether a unit is Bold where it stands, and so may battle back (BL-POST-10)."""
        return self.bold(post) > 0


def start_of(encounters: tuple[Encounter, ...], posts: dict[str, Post]) -> dict[str, int]:
    """Return the state columns that a fight begins with: figures of each unit, and conditions that can change.

    `posts` has the units by name in the state.
    """
    start = {f"{name}_figures": post.figures for name, post in posts.items()}
    for encounter in encounters:
        for condition, _ in encounter.varies:
            owner = encounter.by if condition == "stored" else encounter.on
            start[encounter.column(condition)] = int(getattr(posts[owner], condition))
    return start

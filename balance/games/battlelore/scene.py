"""A fight as it begins: the sides in their places, by the situation and what the owners decide, under the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from balance.base.errors import Fault, RulesError
from balance.game.setup import Asked
from balance.games.battlelore.building import Post, Referee
from balance.games.battlelore.rules.dice import Ground
from balance.games.battlelore.rules.policies import DUEL_POWERS, FLAGS, POWERS
from balance.games.battlelore.rules.powers import Policy
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import Side
from balance.games.battlelore.situation import Circumstances, ground_of, structures_beside

C = TypeVar("C", bound=Circumstances)
USUAL_FLAGS, USUAL_POWERS = next(iter(FLAGS)), next(iter(POWERS))
DEFAULT_POWERS = {USUAL_POWERS, next(iter(DUEL_POWERS))}
"""What nobody has to choose, and so is no fault where Lore faces are misses."""


@dataclass(frozen=True)
class Scene(Generic[C]):
    """What was asked, with the rules that are in force.

    `question` has sides (units, or armies), situation and choices; the policies `SIDE_flags` and `SIDE_powers` are a
    side's.
    """

    question: Asked[BattleLoreRules, C, Any]
    referee: Referee

    @property
    def situation(self) -> C:
        """Terrains, distance and neighbours of the fight; its record depends on the kind of question."""
        return self.question.situation

    @property
    def choices(self) -> Mapping[str, str]:
        """Name of a decision -> what the owners chose."""
        return self.question.choices

    def ground(self, field: str) -> Ground:
        """Return the ground whose terrains a field of the situation names."""
        return ground_of(self.question.catalogue, getattr(self.situation, field), field)

    def post(self, name: str, terrain: str, **fields: Any) -> Post:
        """Return a side in its place, on the ground that the situation's field `terrain` names.

        `fields` replace fields of the post.
        """
        return self.post_of(self.question.sides[name], name, terrain, **fields)

    def post_of(self, unit: Side[Any], name: str, terrain: str, **fields: Any) -> Post:
        """Return a unit of the side `name` in its place; for the other arguments see `post`."""
        flags, stance = self.choices.get(f"{name}_flags", USUAL_FLAGS), unit.stance
        beside = structures_beside(self.question.catalogue, stance.beside, f"§set {name}.beside")
        post = Post(
            unit.fighter,
            unit.figures,
            replace(self.ground(terrain), beside=beside, hostile=stance.in_enemy_structure),
            stance.supported,
            stance.bold,
            most_ignored=None if flags == USUAL_FLAGS else int(flags),
            policy=cast("Policy", self.choices.get(f"{name}_powers", USUAL_POWERS)),
            webbed=stance.webbed,
            poisoned=stance.poisoned,
            stored=stance.stored_lore,
        )
        return replace(post, **fields)


def scene_of(question: Asked[BattleLoreRules, C, Any]) -> Scene[C]:
    """Return the scene of a question; `RulesError`, with the rule, for a Lore policy in a Medieval adventure."""
    adventure = question.situation.adventure
    lore_policies = [
        f"{name}={text}" for name, text in question.choices.items() if text in POWERS and text not in DEFAULT_POWERS
    ]
    if adventure == "medieval" and lore_policies:
        fault = "needs a Lore adventure: in a Medieval one the Lore face is a miss (BL-DIE-02)"
        raise RulesError(Fault(fault, found=", ".join(lore_policies)))
    return Scene(question, Referee.of(question.catalogue, question.rules, adventure))

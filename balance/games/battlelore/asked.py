"""What was asked of a kind of fight: two ids, some overrides and choices, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from balance.catalogue import Catalogue, Overrides, apply
from balance.errors import Fault, RulesError
from balance.games.battlelore.building import Post, Referee
from balance.games.battlelore.dice import Ground
from balance.games.battlelore.powers import POLICIES, Policy
from balance.games.battlelore.sides import Side, Stance, read_side
from balance.games.battlelore.situation import Circumstances, ground_of, structures_beside
from balance.games.battlelore.tables import rules_of

__all__ = ["FLAGS", "Asked", "ask"]

FLAGS = ("most", "0", "1", "2", "3")
"""Flags an owner ignores at most; the first: as many as allowed."""


@dataclass(frozen=True)
class Asked:
    """What was asked, read and checked.

    Attributes
    ----------
    catalogue, referee
        The tables, and the rules in force.
    situation
        The circumstances, a record of `situation`.
    sides
        Name of a side -> who fights on it.
    chosen
        What the owners decide; `NAME_flags` and `NAME_powers` are a side's.
    """

    catalogue: Catalogue
    referee: Referee
    situation: Any
    sides: Mapping[str, Side[Any]]
    chosen: Mapping[str, str]

    def ground(self, field: str) -> Ground:
        """Return the terrains that a field of the situation names."""
        return ground_of(self.catalogue, getattr(self.situation, field), field)

    def post(self, name: str, terrain: str, **fields: Any) -> Post:
        """Return a side in its place, which the field `terrain` of the situation tells, with further fields given."""
        side, flags = self.sides[name], self.chosen.get(f"{name}_flags", FLAGS[0])
        stance = side.stance
        beside = structures_beside(self.catalogue, stance.beside, f"--set {name}.beside")
        post = Post(
            side.fighter,
            side.figures,
            replace(self.ground(terrain), beside=beside, hostile=stance.in_enemy_structure),
            stance.supported,
            stance.bold,
            most_ignored=None if flags == FLAGS[0] else int(flags),
            policy=cast("Policy", self.chosen.get(f"{name}_powers", POLICIES[0])),
            webbed=stance.webbed,
            poisoned=stance.poisoned,
            stored=stance.stored_lore,
        )
        return replace(post, **fields)

    def inputs(self, **resolved: Any) -> dict[str, Any]:
        """Return what was asked as plain values, with fields of the situation that it leaves to be worked out."""
        sides = {name: side.inputs() for name, side in self.sides.items()}
        situation = {**self.situation.model_dump(mode="json"), **resolved}
        return {**sides, "situation": situation, "rules": self.referee.rules.model_dump(mode="json")}


def ask(
    catalogue: Catalogue,
    entrants: tuple[str, str],
    overrides: Overrides,
    situation: Circumstances,
    stances: Mapping[str, Stance],
    chosen: Mapping[str, str],
) -> Asked:
    """Read what was asked; `situation` and `stances`, by name of a side, hold where no override says otherwise.

    Raises
    ------
    BalanceError
        An unknown id or field, a value out of range, or what the rules forbid whatever the fight; names the rule.
    """
    rules = apply(rules_of(catalogue), overrides.take("rules"), "--set rules")
    found = apply(situation, overrides.take("situation"), "--set situation")
    sides = {
        name: read_side(catalogue, text, overrides.take(name), name, stance)
        for text, (name, stance) in zip(entrants, stances.items(), strict=True)
    }
    _check_powers(found.adventure, chosen)
    return Asked(catalogue, Referee.of(catalogue, rules, found.adventure), found, sides, chosen)


def _check_powers(adventure: str, chosen: Mapping[str, str]) -> None:
    used = [f"{name}={value}" for name, value in chosen.items() if name.endswith("powers") and value != POLICIES[0]]
    if adventure == "medieval" and used:
        fault = "needs a Lore adventure: in a Medieval one the Lore face is a miss (BL-DIE-02)"
        raise RulesError(Fault(fault, found=", ".join(used)))

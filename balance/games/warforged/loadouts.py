"""Loadouts changed for one question: `--set attacker.precision=7` on `nexus+assault_rifle`.

A field that only one kind of card has needs no more than its name; `handling` or `cost_points`, which both have, must
say whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from balance.base.errors import Fault, UsageError, gathering, suggestion, unknown
from balance.catalogue import Catalogue, apply, columns_of, leaf_columns
from balance.catalogue.overrides import field_paths
from balance.games.warforged.cards import Loadout, Unit, Weapon, legal, legal_loadouts


def override_loadout(
    catalogue: Catalogue,
    loadout: Loadout,
    fields: Mapping[str, str],
    place: str = "§set",
    beside: tuple[str, ...] = (),
) -> Loadout:
    """Return a loadout with fields of its cards changed, checked as if the cards were printed so.

    `fields` are field -> text: `unit.FIELD`, `weapon.FIELD` (every weapon carried) or `weapon2.FIELD` (the second) say
    whose field it is; without them it is the unit's or the weapons', whichever has it. A field that does not exist (the
    error also names those `beside`, which are no card's), belongs to both cards, or has a value that is not allowed
    raises `UsageError`; weapons that the unit may not carry any more raise `RulesError`.
    """
    parts: dict[str, dict[str, str]] = {}
    faults: list[Fault] = []
    for path, text in fields.items():
        with gathering(faults):
            for holder, name in _holders(loadout, path, place, beside):
                parts.setdefault(holder, {})[name] = text
    cards: list[Unit | Weapon] = []
    for holder, card in _holder_cards(loadout).items():
        with gathering(faults):
            cards.append(apply(card, parts.get(holder, {}), place))
    if faults:
        raise UsageError(list(dict.fromkeys(faults)))
    changed_loadout = Loadout(cast("Unit", cards[0]), cast("tuple[Weapon, ...]", tuple(cards[1:])))
    return legal(changed_loadout, catalogue, place)


def _holder_cards(loadout: Loadout) -> dict[str, Unit | Weapon]:
    return {"unit": loadout.unit} | {f"weapon{i}": weapon for i, weapon in enumerate(loadout.weapons, start=1)}


def _holders(loadout: Loadout, path: str, place: str, beside: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return (card, field) for each card that a path names."""
    holder, dot, name = path.partition(".")
    cards = list(_holder_cards(loadout))
    weapons = cards[1:]
    if dot:
        named_cards = weapons if holder == "weapon" else [card for card in cards if card == holder]
        if not named_cards:
            holder_names = ["unit", *(["weapon"] if weapons else []), *weapons]
            raise UsageError(unknown(holder, holder_names, "is not a card of this loadout", place))
        record = Unit if holder == "unit" else Weapon
        if name not in field_paths(record):
            fields = [f"{holder}.{field}" for field in leaf_columns(record)]
            raise UsageError(unknown(path, fields, "is not a field", place))
        return [(card, name) for card in named_cards]
    of_unit = path in field_paths(Unit)
    of_weapon = path in field_paths(Weapon) and bool(weapons)
    if of_unit and of_weapon:
        tip = f"write unit.{path} or weapon.{path}"
        raise UsageError(Fault("is a field of the unit and of the weapon", place, found=path, tip=tip))
    if not of_unit and not of_weapon:
        raise UsageError(_no_such_field(path, place, bool(weapons), beside))
    return [("unit", path)] if of_unit else [(card, path) for card in weapons if of_weapon]


def _no_such_field(path: str, place: str, armed: bool, beside: tuple[str, ...]) -> Fault:
    of_unit, of_weapon = ([column.header for column in columns_of(card)] for card in (Unit, Weapon))
    names = dict.fromkeys([*of_unit, *(of_weapon if armed else []), *beside])
    shared_names = {*of_unit} & {*of_weapon} if armed else set()
    tip = suggestion(path, names, name=lambda name: f"unit.{name} or weapon.{name}" if name in shared_names else name)
    return replace(unknown(path, names, "is not a field", place), tip=tip)


def loadouts_in_steps(catalogue: Catalogue) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the loadouts whose attack is said in steps: those of one weapon without Rapid Fire."""
    for loadout in legal_loadouts(catalogue):
        if len(loadout.weapons) == 1 and "rapid_fire" not in loadout.weapons[0].effects:
            weapon, unit = loadout.weapons[0], loadout.unit
            numbers = {"precision": weapon.precision, "damage": weapon.damage, "armour": unit.armour}
            yield loadout.id, {**numbers, "keywords": (*weapon.effects, *unit.abilities)}

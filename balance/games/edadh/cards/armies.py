"""Who fights: a Unit of the catalogue, or one written out, such as `shieldsmen:2+archers:1/shieldmaidens:3`.

A written Unit names its ranks from the front, separated by `/`; in a rank, troops separated by `+`, each with a
number. The first card of every rank stands in the first column (WE-SETUP.1). Overrides of a side may name a field of
its army card (`terrain`, `standard` ...), a marker (`mp`, `damage`, `shaken`), or a value of one of its troops
(`shieldsmen.melee.att`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from balance.base.errors import CatalogueError, Fault, RulesError, comma_list, suggestion, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue, EntryId, Record, apply
from balance.catalogue.overrides import field_paths
from balance.game.setup import AskedSide
from balance.games.edadh.cards.catalogue import EXTRAS, constants_of, shape_faults
from balance.games.edadh.cards.records import ArmyCard, Troop
from balance.games.edadh.cards.swaps import Arrangement
from balance.games.edadh.ruleset import EdadhRules

RANKS = ("front", "second", "third", "fourth")


class Markers(Record):
    """The score track of a side, where it does not begin as usual (WE-SETUP.3)."""

    mp: Annotated[int | None, Field(ge=1, le=999, description="Mastery points; 50 if nothing is said.")] = None
    damage: Annotated[int, Field(ge=0, le=999, description="Damage already taken.")] = 0
    shaken: Annotated[bool, Field(description="Whether it begins Shaken (WE-SHAKE.2).")] = False
    mix: Annotated[EntryId | None, Field(description="The mix of cards that the policy mix plays.")] = None


@dataclass(frozen=True)
class Army:
    """A side after overrides: its army card (who stands where, what stands behind), kinds of troop, markers.

    `troops` go by id, in the order in which they first appear in the ranks.
    """

    card: ArmyCard
    troops: Mapping[str, Troop]
    markers: Markers

    @property
    def columns(self) -> Arrangement:
        """Kinds of troop by column, front first, as numbers in the order of `troops`."""
        number = {troop: kind for kind, troop in enumerate(self.troops)}
        ranks = self.card.ranks
        return tuple(tuple(number[rank[c]] for rank in ranks if len(rank) > c) for c in range(len(ranks[0])))

    def inputs(self) -> dict[str, object]:
        """Return the army and its overrides as plain values, as reports and `--json` state them."""
        troops = {name: troop.model_dump(mode="json") for name, troop in self.troops.items()}
        return {**self.card.model_dump(mode="json"), **self.markers.model_dump(mode="json"), "troops": troops}


def parse_army(catalogue: Catalogue, text: str, place: str = "", *, mixed: bool = False) -> ArmyCard:
    """Read an army's id, such as `angueth_learning`, or a Unit written out: ranks from the front, separated by `/`.

    An unknown army or troop raises `CatalogueError`, which names the nearest; a Unit that WE-SETUP.1 or WE-SETUP.2
    forbids raises `RulesError`. `place` is what faults name, such as `§set=a`; `mixed` allows troops of both factions.
    """
    armies, troops = catalogue.entries(ArmyCard), catalogue.entries(Troop)
    if slug(text) in armies:
        return armies[slug(text)]
    if not any(mark in text for mark in ":+/") and slug(text) not in troops:
        tip = suggestion(slug(text), [*armies, *troops], "or write a Unit out: shieldsmen:3/shieldmaidens:3")
        raise CatalogueError(Fault("is not in armies", place, found=text, allowed=comma_list(armies), tip=tip))
    ranks = [_rank(catalogue, rank, place) for rank in text.split("/")]
    card = _card_of_ranks(catalogue, ranks, place)
    if faults := list(unit_faults(catalogue, card, place, mixed)):
        raise RulesError(faults)
    return card


def _rank(catalogue: Catalogue, text: str, place: str) -> tuple[str, ...]:
    """Read a rank such as `spears:2+swords` into one troop id per card; the same errors as `parse_army`."""
    rank: list[str] = []
    for part in text.split("+"):
        name, colon, number = part.partition(":")
        if colon and not (number.isdecimal() and len(number) < 9 and 1 <= int(number) <= 9):
            raise RulesError(Fault("is not a number of cards (WE-SETUP.1)", place, found=part, allowed="TROOP:1 to 9"))
        rank += [catalogue.find("troops", name, place).id] * int(number or 1)  # type: ignore[attr-defined]
    return tuple(rank)


def _card_of_ranks(catalogue: Catalogue, ranks: list[tuple[str, ...]], source: str) -> ArmyCard:
    if len(ranks) > len(RANKS):
        raise RulesError(Fault("ranks are too many (WE-SETUP.1)", source, found=str(len(ranks)), allowed="1 to 4"))
    faction = catalogue.entries(Troop)[ranks[0][0]].faction
    rank_fields = {name: ranks[place] if place < len(ranks) else () for place, name in enumerate(RANKS)}
    troops = catalogue.entries(Troop)
    text = " / ".join(
        " + ".join(f"{rank.count(troop)} {troops[troop].name}" for troop in dict.fromkeys(rank)) for rank in ranks
    )
    extras = dict.fromkeys(EXTRAS)
    return ArmyCard.model_validate(
        {"id": "written", "name": text[:80], "faction": faction, "movement": "melee", **rank_fields, **extras}
    )


def unit_faults(catalogue: Catalogue, card: ArmyCard, place: str, mixed: bool) -> Iterator[Fault]:
    """Yield what WE-SETUP.1 and WE-SETUP.2 forbid in a Unit: holes, too many cards, two factions unless `mixed`."""
    limits, troops = constants_of(catalogue).unit, catalogue.entries(Troop)
    yield from shape_faults(card, place)
    if not card.front:
        return
    ranks = [getattr(card, rank) for rank in RANKS]
    sizes = [len(rank) for rank in card.ranks]
    if max(sizes) > limits.max_columns:
        bound = f"1 to {limits.max_columns}"
        yield Fault("cards in a rank are too many (WE-SETUP.1)", place, found=str(max(sizes)), allowed=bound)
    if len(sizes) > limits.max_ranks:
        bound = f"1 to {limits.max_ranks}"
        yield Fault("ranks are too many (WE-SETUP.1)", place, found=str(len(sizes)), allowed=bound)
    strangers = [troop for rank in ranks for troop in rank if not mixed and troops[troop].faction != card.faction]
    for troop in dict.fromkeys(strangers):
        tip = "with §set=rules.mixed_units=true factions may mix"
        yield Fault("is of the other faction (WE-SETUP.2)", place, found=troop, allowed=card.faction, tip=tip)


def read_army(request: AskedSide[EdadhRules, Markers]) -> Army:
    """Return a side with its overrides made, held to the rules; WE-SETUP.1 and WE-SETUP.2 say which Units are allowed.

    An unknown id or field, a value out of range, or a forbidden Unit raises `BalanceError`, which names the rule.
    """
    catalogue, place, mixed = request.catalogue, request.place, request.rules.mixed_units
    marks, fields = request.split()
    own_fields = {path: value for path, value in fields.items() if "." not in path}
    if faults := list(_unknown_fields(own_fields, place)):
        raise RulesError(faults)
    card = apply(parse_army(catalogue, request.text, request.root, mixed=mixed), own_fields, place)
    if faults := list(_unknown_cards(catalogue, card, place)) or list(unit_faults(catalogue, card, place, mixed)):
        raise RulesError(faults)
    kinds = list(dict.fromkeys(troop for rank in card.ranks for troop in rank))
    changes = _troop_changes(kinds, {path: value for path, value in fields.items() if "." in path}, place)
    cards = catalogue.entries(Troop)
    troops = {kind: apply(cards[kind], changes.get(kind, {}), f"{place}.{kind}") for kind in kinds}
    markers = apply(request.stance, marks, place)
    cap = constants_of(catalogue).score.mp_cap
    if markers.mp is not None and markers.mp > cap:
        raise RulesError(Fault("never exceeds the cap (WE-SETUP.3)", place, None, "mp", str(markers.mp), f"1 to {cap}"))
    return Army(card, troops, markers)


def _unknown_fields(fields: Iterable[str], place: str) -> Iterator[Fault]:
    names = [name for name in ArmyCard.model_fields if name != "id"] + list(Markers.model_fields)
    for name in fields:
        if name not in field_paths(ArmyCard):
            tip = suggestion(name, names, "a troop's value is TROOP.FIELD, such as spears.melee_att")
            yield Fault("is not a field", place, found=name, allowed=", ".join(names), tip=tip)


def _unknown_cards(catalogue: Catalogue, card: ArmyCard, place: str) -> Iterator[Fault]:
    entries = [(rank, "troops", troop) for rank in RANKS for troop in getattr(card, rank)]
    entries += [(field, table, getattr(card, field)) for field, table in EXTRAS.items()]
    for field, table, card_id in entries:
        if card_id and card_id not in catalogue.tables[table]:
            ids = comma_list(catalogue.tables[table])
            yield Fault(f"is not in {table}", place, field=field, found=card_id, allowed=ids)


def _troop_changes(kinds: list[str], fields: Mapping[str, str], place: str) -> dict[str, dict[str, str]]:
    """Return troop -> field -> text from paths such as `shieldsmen.melee.att`."""
    changes: dict[str, dict[str, str]] = {}
    for path, value in fields.items():
        troop, _, rest = path.partition(".")
        if troop not in kinds:
            raise RulesError(unknown(troop, kinds, "is not a troop of this Unit", place))
        changes.setdefault(troop, {})[rest.replace(".", "_")] = value
    return changes

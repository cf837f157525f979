"""The tables of Immortal Souls, what must hold between them, and the rulebook's rules; records are re-exported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from balance.catalogue import Catalogue
from balance.catalogue.schema import Tables
from balance.errors import Fault, listed, suggestion
from balance.games.immortal_souls.cards import (
    Armour,
    Artefact,
    Critical,
    Enemy,
    Face,
    Gem,
    Hero,
    Power,
    Style,
    Victim,
    Weapon,
)
from balance.games.immortal_souls.ruleset import Constants, Switches
from balance.protocol.kit import names_known, tables_of

__all__ = [
    "SPEC",
    "Armour",
    "Artefact",
    "Critical",
    "Enemy",
    "Face",
    "Gem",
    "Hero",
    "Power",
    "Style",
    "Victim",
    "Weapon",
    "constants_of",
    "rules_of",
]

RANKS = range(1, 8)


def _gems(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Every hero has one gem for each rank."""
    found: dict[str, list[int]] = {hero: [] for hero in tables["heroes"]}
    for entry_id, entry in tables["gems"].items():
        gem = cast("Gem", entry)
        if gem.rank in found.get(gem.hero, ()):
            yield (
                "gems",
                entry_id,
                Fault(f"is a second gem of {gem.hero} for this rank", "", None, "rank", str(gem.rank)),
            )
        found.get(gem.hero, []).append(gem.rank)
    for hero, ranks in found.items():
        if missing := [str(rank) for rank in RANKS if rank not in ranks]:
            tip = f"add its rows for rank {listed(missing)} to gems"
            yield "heroes", hero, Fault("has no gem for every rank", field="id", found=hero, tip=tip)


def _powers(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Powers of a hero exist, and a hero of this class may take them."""
    owners: dict[str, set[str]] = {}
    for entry in tables["powers"].values():
        power = cast("Power", entry)
        owners.setdefault(power.power, set()).update(power.hero or tables["heroes"])
    for hero, entry in tables["heroes"].items():
        for found in cast("Hero", entry).powers:
            if found not in owners:
                tip = suggestion(found, owners)
                yield "heroes", hero, Fault("is not a power of powers", field="powers", found=found, tip=tip)
            elif hero not in owners[found]:
                may = listed(sorted(owners[found]))
                yield "heroes", hero, Fault("is not for this hero", "", None, "powers", found, f"that of {may}")


def _chance(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Both dice have faces, and the bag of criticals holds a token."""
    faces = {entry_id: cast("Face", entry).die for entry_id, entry in tables["faces"].items()}
    for die in ("red", "blue"):
        if die not in faces.values():
            yield "faces", next(iter(faces)), Fault(f"there is no face of the {die} die", field="die")
    if not any(cast("Critical", entry).tokens for entry in tables["criticals"].values()):
        tip = "one of them needs a token at least"
        yield "criticals", next(iter(tables["criticals"])), Fault("the bag is empty", field="tokens", tip=tip)


SPEC = tables_of(
    "immortal_souls",
    Switches,
    Constants,
    (
        names_known("gems", hero="heroes"),
        names_known("powers", hero="heroes"),
        names_known("heroes", weapon="weapons", off_hand="weapons", armour="armours", artefacts="artefacts"),
        names_known("enemies", weapon="weapons", off_weapon="weapons"),
        _gems,
        _powers,
        _chance,
    ),
    faces=Face,
    criticals=Critical,
    heroes=Hero,
    gems=Gem,
    weapons=Weapon,
    armours=Armour,
    artefacts=Artefact,
    powers=Power,
    enemies=Enemy,
)


def rules_of(catalogue: Catalogue) -> Switches:
    """Return the rule options of a catalogue."""
    return cast("Switches", catalogue.rules)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the constants of a catalogue."""
    return cast("Constants", catalogue.constants)

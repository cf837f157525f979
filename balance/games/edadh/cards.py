"""The catalogue of War for Edadh: mastery values, troops, armies and terrain here, the rest in modules beside.

Every combat level (Ballistic, Charge, Melee) has its own row of values on a troop card; discard value and psyche stand
once. A printed `*` for protection or piercing is kept as 99, a printed `*(5)` instead of att as an empty cell; both may
also be written as printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, cast

from pydantic import Field

from balance.catalogue import Catalogue, CatalogueSpec, EntryId, Header, Name, Record, TableSpec
from balance.catalogue.schema import Tables
from balance.errors import Fault, nearest
from balance.games.edadh.command_cards import BattleMaster, CombatMaster, Standard, Stratagem
from balance.games.edadh.fields import Attack, CardId, CardName, Change, Faction, Small, Starred, Stat, Value, Values
from balance.games.edadh.player_cards import ADAPTIVE, Mix, Player
from balance.games.edadh.ruleset import Constants, EdadhRules

__all__ = [
    "RULE_IDS",
    "SPEC",
    "ArmyCard",
    "MasteryValue",
    "RuleId",
    "Terrain",
    "Troop",
    "constants_of",
    "rules_of",
    "shape_faults",
]


class MasteryValue(Record):
    """One end of a mastery card (WE-CARD.1): a conflict value (CV) and what is printed beside it."""

    id: CardId
    other_end: Annotated[Value, Field(description="The CV on the other end of the card.")]
    alternative: Annotated[int | None, Field(ge=1, le=99, description="What the CV turns into (WE-CARD.2).")]
    alternative_against: Annotated[Values, Field(description="The opponent's CVs that turn it.")]
    mp_cost: Annotated[Small, Field(description="MP paid for using it (WE-MP.1)."), Header(unit="MP")]
    mp_reduced: Annotated[int | None, Field(ge=0, le=99, description="The reduced cost (WE-MP.2).")]
    mp_reduced_against: Annotated[Values, Field(description="The opponent's CVs that reduce the cost.")]
    protects_against: Annotated[Values, Field(description="The attacker's CVs it lets protect from (WE-PROT.1).")]
    extra_damage: Annotated[Small, Field(description="Damage added by the Attacker's card (WE-XDMG.1).")]


class Troop(Record):
    """A troop card: one row of values per combat level."""

    id: CardId
    name: CardName
    faction: Annotated[Faction, Field(description="Angueth rebels or Huaos-Dzaa empire.")]
    discard_value: Annotated[int, Field(ge=1, le=99, description="DV: damage it takes away when it is discarded.")]
    psyche: Annotated[Small, Field(description="psy: MP gained when it is retired.")]
    ballistic_ml: Annotated[Stat, Field(description="Mastery level.")]
    ballistic_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected.")]
    ballistic_protection: Starred
    ballistic_piercing: Starred
    ballistic_att: Attack
    ballistic_def: Stat
    ballistic_od: Annotated[Small, Field(description="Offensive damage.")]
    ballistic_dd: Annotated[Small, Field(description="Defensive damage.")]
    charge_ml: Annotated[Stat, Field(description="Mastery level.")]
    charge_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected.")]
    charge_protection: Starred
    charge_piercing: Starred
    charge_att: Attack
    charge_def: Stat
    charge_od: Annotated[Small, Field(description="Offensive damage.")]
    charge_dd: Annotated[Small, Field(description="Defensive damage.")]
    melee_ml: Annotated[Stat, Field(description="Mastery level.")]
    melee_mp_bonus: Annotated[Small, Field(description="MP gained when it is selected.")]
    melee_protection: Starred
    melee_piercing: Starred
    melee_att: Attack
    melee_def: Stat
    melee_od: Annotated[Small, Field(description="Offensive damage.")]
    melee_dd: Annotated[Small, Field(description="Defensive damage.")]


Troops = Annotated[tuple[EntryId, ...], Field(description="Troops of this rank, first column first.")]
CardIds = Annotated[EntryId | None, Field(description="Empty for none.")]


class ArmyCard(Record):
    """A Unit ready for the field (WE-SETUP.1, WE-SETUP.2), with the set-up it is meant for."""

    id: CardId
    name: CardName
    faction: Faction
    front: Troops
    second: Troops
    third: Troops
    fourth: Troops
    movement: Annotated[Literal["melee", "standard"], Field(description="Melee throughout, or WE-LEVEL.1.")]
    terrain: CardIds
    combat_master: CardIds
    standard: CardIds
    battle_master: CardIds

    @property
    def ranks(self) -> tuple[tuple[str, ...], ...]:
        """Troop ids by rank, front first, without empty ranks."""
        return tuple(rank for rank in (self.front, self.second, self.third, self.fourth) if rank)


class Terrain(Record):
    """A terrain card between the Units (WE-TERR.1): modifier and protection per level and half."""

    id: CardId
    name: CardName
    symbol: Annotated[Literal["land"], Field(description="Picks the tactical ML of a battle master (WE-BM.1).")]
    a_ballistic_modifier: Change
    a_ballistic_protection: Starred
    a_charge_modifier: Change
    a_charge_protection: Starred
    a_melee_modifier: Change
    a_melee_protection: Starred
    b_ballistic_modifier: Change
    b_ballistic_protection: Starred
    b_charge_modifier: Change
    b_charge_protection: Starred
    b_melee_modifier: Change
    b_melee_protection: Starred


class RuleId(Record):
    """One rule of the ledger; `level` is where it first matters and `lines` are the rulebook's."""

    id: Name
    level: Literal["A", "B", "C", "D"]
    lines: Name
    title: Name


EXTRAS = {
    "terrain": "terrain",
    "combat_master": "combat_masters",
    "standard": "standards",
    "battle_master": "battle_masters",
}
"""Fields of an army that name a card, and the table it is in."""


def _mastery_whole(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield what is wrong with the mastery values: 1 to 12, the two ends of a card naming each other."""
    values = cast("Mapping[str, MasteryValue]", tables["mastery"])
    expected = [str(value) for value in range(1, 13)]
    if sorted(values) != sorted(expected):
        first = next(iter(values), "1")
        yield "mastery", first, Fault("the table needs one row per CV", field="id", allowed="1 to 12")
        return
    for value, card in values.items():
        if card.other_end == int(value) or values[str(card.other_end)].other_end != int(value):
            found = str(card.other_end)
            yield "mastery", value, Fault("is not the other end of this card", field="other_end", found=found)


def _known_cards(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield the cards that an army, or a restriction, names and that do not exist."""
    for army_id, army in cast("Mapping[str, ArmyCard]", tables["armies"]).items():
        named = [("front", "troops", troop) for rank in army.ranks for troop in rank]
        named += [(field, table, getattr(army, field)) for field, table in EXTRAS.items() if getattr(army, field)]
        for field, table, card in named:
            if card not in tables[table]:
                close = nearest(card, tables[table])
                tip = f"did you mean {close}?" if close else ""
                yield "armies", army_id, Fault(f"is not in {table}", field=field, found=card, tip=tip)
    for card_id, stratagem in cast("Mapping[str, Stratagem]", tables["stratagems"]).items():
        if stratagem.needs_troop and stratagem.needs_troop not in tables["troops"]:
            found = stratagem.needs_troop
            yield "stratagems", card_id, Fault("is not in troops", field="needs_troop", found=found)


def shape_faults(card: ArmyCard, where: str = "") -> Iterator[Fault]:
    """Yield what is wrong with the shape of a Unit, whatever its troops and however many (WE-SETUP.1)."""
    if not card.front:
        yield Fault("a Unit needs a front rank (WE-SETUP.1)", where, field="front")
        return
    sizes = [len(rank) for rank in (card.front, card.second, card.third, card.fourth)]
    while not sizes[-1]:
        sizes.pop()
    if sizes != sorted(sizes, reverse=True):
        found = "/".join(map(str, sizes))
        yield Fault("a card would stand behind nobody (WE-SETUP.1)", where, found=found, tip="fill the front first")


def _sound_shapes(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield armies that nobody could play, which would end every report that holds them all."""
    for entry, army in tables["armies"].items():
        yield from (("armies", entry, fault) for fault in shape_faults(cast("ArmyCard", army)))


def _sound_players(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield mixes without any card, and players with a mix that does not exist."""
    for mix_id, mix in cast("Mapping[str, Mix]", tables["mixes"]).items():
        if not any(mix.weights):
            yield "mixes", mix_id, Fault("a mix needs a card with a weight above 0", field="cv1", found="0")
    known = [*tables["mixes"], ADAPTIVE]
    for player_id, player in cast("Mapping[str, Player]", tables["players"]).items():
        if player.cards is not None and player.cards not in known:
            close = nearest(player.cards, known)
            tip = f"did you mean {close}?" if close else ""
            yield "players", player_id, Fault("is not in mixes", field="cards", found=player.cards, tip=tip)


SPEC = CatalogueSpec(
    game="edadh",
    tables=(
        TableSpec("mastery", "mastery.csv", MasteryValue),
        TableSpec("troops", "troops.csv", Troop),
        TableSpec("armies", "armies.csv", ArmyCard),
        TableSpec("terrain", "terrain.csv", Terrain),
        TableSpec("combat_masters", "combat_masters.csv", CombatMaster),
        TableSpec("standards", "standards.csv", Standard),
        TableSpec("battle_masters", "battle_masters.csv", BattleMaster),
        TableSpec("stratagems", "stratagems.csv", Stratagem),
        TableSpec("mixes", "mixes.csv", Mix),
        TableSpec("players", "players.csv", Player),
    ),
    rules=EdadhRules,
    constants=Constants,
    cross_checks=(_mastery_whole, _known_cards, _sound_shapes, _sound_players),
)

RULE_IDS = TableSpec("rule ids", "rule_ids.csv", RuleId)
"""The ledger of rules, for `balance.catalogue.load_table`."""


def rules_of(catalogue: Catalogue) -> EdadhRules:
    """Return the switches of a catalogue."""
    return cast("EdadhRules", catalogue.rules)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the constants of a catalogue."""
    return cast("Constants", catalogue.constants)

"""The catalogue of War for Edadh: its tables, and what must hold between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from balance.base.errors import Fault, suggestion
from balance.catalogue import Catalogue
from balance.catalogue.tables.schema import Tables
from balance.game.kit import tables_of
from balance.games.edadh.cards.command_cards import BattleMaster, CombatMaster, Standard, Stratagem
from balance.games.edadh.cards.player_cards import ADAPTIVE, Mix, Player
from balance.games.edadh.cards.records import ArmyCard, MasteryValue, Terrain, Troop
from balance.games.edadh.ruleset import Constants, EdadhRules

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
            value_text = str(card.other_end)
            yield "mastery", value, Fault("is not the other end of this card", field="other_end", found=value_text)


def _known_cards(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield a fault for each id in an army, or in a stratagem's restriction, that no card has."""
    for army_id, army in cast("Mapping[str, ArmyCard]", tables["armies"]).items():
        entries = [("front", "troops", troop) for rank in army.ranks for troop in rank]
        entries += [(field, table, getattr(army, field)) for field, table in EXTRAS.items() if getattr(army, field)]
        for field, table, card in entries:
            if card not in tables[table]:
                tip = suggestion(card, tables[table])
                yield "armies", army_id, Fault(f"is not in {table}", field=field, found=card, tip=tip)
    for card_id, stratagem in cast("Mapping[str, Stratagem]", tables["stratagems"]).items():
        if stratagem.needs_troop and stratagem.needs_troop not in tables["troops"]:
            troop_id = stratagem.needs_troop
            yield "stratagems", card_id, Fault("is not in troops", field="needs_troop", found=troop_id)


def shape_faults(card: ArmyCard, place: str = "") -> Iterator[Fault]:
    """Yield what is wrong with the shape of a Unit (WE-SETUP.1), whatever its troops, columns or ranks."""
    if not card.front:
        yield Fault("a Unit needs a front rank (WE-SETUP.1)", place, field="front")
        return
    sizes = [len(rank) for rank in (card.front, card.second, card.third, card.fourth)]
    while not sizes[-1]:
        sizes.pop()
    if sizes != sorted(sizes, reverse=True):
        sizes_text = "/".join(map(str, sizes))
        yield Fault(
            "a card would stand behind nobody (WE-SETUP.1)", place, found=sizes_text, tip="fill the front first"
        )


def _sound_shapes(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield armies of forbidden shape, since one of them would end every report that lists all armies."""
    for entry, army in tables["armies"].items():
        yield from (("armies", entry, fault) for fault in shape_faults(cast("ArmyCard", army)))


def _sound_players(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield mixes without any card, and players with a mix that does not exist."""
    for mix_id, mix in cast("Mapping[str, Mix]", tables["mixes"]).items():
        if not any(mix.weights):
            yield "mixes", mix_id, Fault("a mix needs a card with a weight above 0", field="cv1", found="0")
    mix_ids = [*tables["mixes"], ADAPTIVE]
    for player_id, player in cast("Mapping[str, Player]", tables["players"]).items():
        if player.cards is not None and player.cards not in mix_ids:
            tip = suggestion(player.cards, mix_ids)
            yield "players", player_id, Fault("is not in mixes", field="cards", found=player.cards, tip=tip)


SPEC = tables_of(
    "edadh",
    EdadhRules,
    Constants,
    (_mastery_whole, _known_cards, _sound_shapes, _sound_players),
    mastery=MasteryValue,
    troops=Troop,
    armies=ArmyCard,
    terrain=Terrain,
    combat_masters=CombatMaster,
    standards=Standard,
    battle_masters=BattleMaster,
    stratagems=Stratagem,
    mixes=Mix,
    players=Player,
)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the numbers that the rulebook states, as `rules.toml` has them."""
    return cast("Constants", catalogue.constants)

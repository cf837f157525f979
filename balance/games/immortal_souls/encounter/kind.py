"""The kind of question that is an encounter: its two sides, what is reported, and what the model leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue, apply
from balance.game.armies.armies import Army, army_of
from balance.game.game import Column, QuestionKind
from balance.game.setup import AskedSide, EntrantKind, Groups
from balance.games.immortal_souls.encounter.party.options import EncounterSituation, EncounterStance, PartyStance
from balance.games.immortal_souls.encounter.party.parties import (
    has_opposites,
    may_go_together,
    parties_of,
    party_identity,
    party_name,
)
from balance.games.immortal_souls.encounter.play import encounter_processes
from balance.games.immortal_souls.encounter.policies import PARTY_POLICIES
from balance.games.immortal_souls.encounter.replay import tell
from balance.games.immortal_souls.encounter.setup import encounter_setup, enemies_of
from balance.games.immortal_souls.ruleset import PartyRule
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.board import Area, Encounter, Shadow, parse_placed
from balance.games.immortal_souls.tables.cards import Hero
from balance.games.immortal_souls.tables.checks import ENCOUNTER_CHECKS
from balance.games.immortal_souls.tables.ground import parse_story
from balance.games.immortal_souls.tables.tables import constants_of

COLUMNS = {
    "winner": Column("1 the heroes, 2 the encounter", "winner", names={1: "heroes", 2: "encounter"}),
    "rounds": Column("rounds begun", "duration"),
    "wounds": Column("wounds that heroes took"),
    "deaths": Column("times a hero died and became a ghost"),
    "ghosts": Column("heroes who are ghosts at the end"),
    "kills": Column("enemies killed, a horde counting once"),
    "soul_points": Column("Soul Points gained"),
    "hero_attacks": Column("attacks that heroes made"),
    "enemy_attacks": Column("attacks that enemies made, reactions included"),
}


def encounter_kind(party: EntrantKind) -> QuestionKind:
    """Return the kind of question that sets a party of heroes against an encounter (ledger level C)."""
    return QuestionKind(
        "encounter",
        ("heroes", "encounter"),
        (party, ENCOUNTER),
        encounter_processes,
        COLUMNS,
        encounter_setup,
        asks="whether a party wins an encounter",
        policies=PARTY_POLICIES,
        has_distribution=False,
        played=(
            "Round by round: the Time Phase, for each hero in the order written a Hero Turn and an Enemy Turn, and "
            "the Event Phase. The heroes win by what the encounter asks for, and lose when all are ghosts, "
            "when no event is left, or after the last round."
        ),
        cannot_see=(
            "Powers but attacks, healing actions, extra attacks, Taunt and those that call companions.",
            "Traps, doors, loot and searching, which quests have; crowns of a killed enemy are the killer's at once.",
            "The bag of criticals: it is whole at each draw.",
            "When heroes choose what to buy: Enemy Power cards, and more than two others in an area of effect.",
            "Turns in another order than the heroes are written in.",
            "What heroes might save their items for: they use each as soon as nothing of it is wasted.",
        ),
        situation=EncounterSituation,
        stances=(PartyStance, EncounterStance),
        block_trials=2_048,
        tell=tell,
    )


@dataclass(frozen=True)
class Fight:
    """An encounter card with the fields that were set, and what else was set of its side."""

    card: Encounter
    stance: EncounterStance

    @property
    def lost_actions(self) -> int:
        """Activations that its enemies lose at the start."""
        return self.stance.lost_actions

    def inputs(self) -> dict[str, Any]:
        """Return the card's fields and what was set, as JSON values."""
        return {**self.card.model_dump(mode="json"), **self.stance.model_dump(mode="json")}


def _read_encounter(side: AskedSide[Any, Any]) -> Fight:
    card = cast("Encounter", side.catalogue.find("encounters", side.text, side.root))
    stance_fields, fields = side.split()
    card = apply(card, fields, side.place, side.stance_fields)
    stance = apply(side.stance, stance_fields, side.place)
    tables = {**side.catalogue.tables, "encounters": {card.id: card}}
    faults = [replace(fault, path=side.place) for check in ENCOUNTER_CHECKS for _, _, fault in check(tables)]
    if not (card.enemies or card.enemies_many or card.deck):
        faults.append(Fault("has no enemies, not even in its deck", side.place, None, "deck", card.id))
    if faults:
        raise RulesError(faults)
    return Fight(card, stance)


def encounter_cards(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield table and id of every card that an encounter may bring into play, and of its areas."""
    encounter = catalogue.entries(Encounter)[text]
    yield "encounters", text
    placed_enemies = [parse_placed(entry).enemy for entry in (*encounter.enemies, *encounter.enemies_many)]
    stories = [parse_story(text)[0] for text in encounter.stories]
    yield from (("enemies", enemy.id) for enemy in enemies_of(catalogue, [*placed_enemies, *encounter.deck]))
    stories += [encounter.quest_moment] if encounter.quest_moment else []
    yield from (("events", name) for name in dict.fromkeys((*encounter.events, *stories)))
    yield from (("shadows", token) for token in (catalogue.entries(Shadow) if encounter.shadows else ()))
    yield from (("areas", area.id) for area in catalogue.entries(Area).values() if area.map == encounter.map)


ENCOUNTER = EntrantKind(
    "encounter",
    ids=lambda catalogue: list(catalogue.entries(Encounter)),
    label=lambda catalogue, text: catalogue.entries(Encounter)[text].name,
    cost_points=lambda catalogue, text: 0,
    read=_read_encounter,
    cards=encounter_cards,
    fields={"": Encounter},
)


def party_of(hero: EntrantKind) -> EntrantKind:
    """Return the kind of entrant that is a party of heroes (IS-ECO.12)."""
    army = army_of(hero, "party")

    def read(side: AskedSide[Any, Any]) -> Army[Side]:
        party = cast("Army[Side]", army.read(side))
        if faults := list(_faults(party, constants_of(side.catalogue).party, side.place)):
            raise RulesError(faults)
        return party

    return replace(
        army, ids=lambda catalogue: list(parties(catalogue)), read=read, written="HERO[+ITEM...],HERO[+ITEM...]...",
        groups=Groups(parties_of, party_identity, party_name),
    )  # fmt: skip


def parties(catalogue: Catalogue) -> tuple[str, ...]:
    """Return a legal party of each size, from the first heroes of the catalogue who may go together (IS-ECO.12)."""
    rule = constants_of(catalogue).party
    heroes: list[Hero] = []
    for hero in catalogue.entries(Hero).values():
        if may_go_together([*heroes, hero]):
            heroes.append(hero)
    return tuple(
        ",".join(hero.id for hero in heroes[:size]) for size in range(rule.fewest, min(rule.most, len(heroes)) + 1)
    )


def _faults(party: Army[Side], rule: PartyRule, path: str) -> Iterator[Fault]:
    """Yield why these heroes are no legal party: enemies, size, a person twice, lawful with chaos."""
    cards = [side.character.card for side in party.units]
    heroes = [card for card in cards if isinstance(card, Hero)]
    for card in cards:
        if not isinstance(card, Hero):
            yield Fault("is an enemy; a party is of heroes", path, found=card.id)
    if not rule.fewest <= len(cards) <= rule.most:
        yield Fault(
            f"is a party of {len(cards)}", path, found=party.text, allowed=f"{rule.fewest} to {rule.most} heroes",
            tip="one player may run several heroes" if len(cards) < rule.fewest else "send the others to another table",
        )  # fmt: skip
    for person in dict.fromkeys(hero.person for hero in heroes):
        classes = [hero.id for hero in heroes if hero.person == person]
        if len(classes) > 1:
            yield Fault(
                f"are the same person, {person}", path, found=", ".join(classes), allowed="one class of a person"
            )
    if has_opposites(heroes):
        opposites = ", ".join(f"{hero.id} ({hero.alignment})" for hero in heroes)
        tip = "the neutral go with either"
        yield Fault("are lawful and chaos in one party", path, found=opposites, allowed="lawful or chaos", tip=tip)

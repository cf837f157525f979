"""From two forces as they are typed to an adventure ready to be played."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue
from balance.chance.rolls.process import Process
from balance.game.game import Lane
from balance.game.setup import Asked, Setup
from balance.games.battlelore.adventure.map.adventure import Adventure, Deployed, Force, from_other_edge
from balance.games.battlelore.adventure.map.field import Field
from balance.games.battlelore.adventure.map.set_hexes import ground_faults, terrain_with
from balance.games.battlelore.adventure.play import PLAYERS, battle_process, side_by_side
from balance.games.battlelore.adventure.policies.scripts import SCRIPTS
from balance.games.battlelore.adventure.question.columns import AdventureSituation, AskedAdventure
from balance.games.battlelore.adventure.question.forces import AskedForce
from balance.games.battlelore.adventure.terms.battle import Battle, Terms
from balance.games.battlelore.adventure.terms.choices import Watch
from balance.games.battlelore.adventure.terms.deck import CommandDeck
from balance.games.battlelore.adventure.terms.lore_deck import LoreDeck
from balance.games.battlelore.adventure.terms.muster import Muster, trained
from balance.games.battlelore.building import Referee
from balance.games.battlelore.ruleset import BattleLoreRules, Constants
from balance.games.battlelore.sides import Fighter, parse_fighter
from balance.games.battlelore.tables import CommandCard, LoreCard, Terrain, Weapon, constants_of

AskedSides: TypeAlias = Asked[BattleLoreRules, AdventureSituation, AskedForce]
LONG_SWORD = "long_sword"
TRAINING_CAMP = "training_camp"


@dataclass(frozen=True)
class Ingredients:
    """All that a battle is made of, hashable, so that equal battles are built once.

    `adventure`: the adventure, with what is set of its forces. `fighters`: its units, those of side a and then those of
    side b. `higher`: what units may turn into by training. `reach`: the longest range of any weapon, in hexes.
    """

    adventure: Adventure
    fighters: tuple[Fighter, ...]
    higher: tuple[Fighter, ...]
    terms: Terms
    terrains: tuple[Terrain, ...]
    cards: tuple[CommandCard, ...]
    lore_cards: tuple[LoreCard, ...]
    reach: int


def battle_setup(question: AskedSides) -> Setup[AskedAdventure]:
    """Prepare an adventure; `RulesError` if the forces are not the two of one, or what is set breaks a rule."""
    adventure = _adventure(question)
    terms = _terms(question, adventure)
    battle = battle_of(_ingredients(question.catalogue, adventure, terms))
    first = adventure.first if question.first == "adventure" else ("a", "b").index(question.first)
    policies = question.choices["policy_a"], question.choices["policy_b"]
    inputs = question.inputs({"adventure_sha256": adventure.digest})
    for side, cards in zip(question.sides, terms.cards, strict=True):
        inputs[side]["cards"] = cards
    return Setup(AskedAdventure(battle, first, policies), inputs, adventure.digest)


def _adventure(question: AskedSides) -> Adventure:
    """Return the adventure of both sides with what is set of them, side a at row A.

    `RulesError` if the forces are not the two of one adventure, or what is set breaks a rule.
    """
    a, b = question.sides.values()
    if a.adventure.id != b.adventure.id or a.side == b.side:
        first, second = (force.name for force in a.adventure.forces)
        tip = f"name both, such as {a.adventure.id}:{first} and {a.adventure.id}:{second}, or the adventure alone"
        sides_text = " and ".join(question.entrants)
        raise RulesError(Fault("are not the two forces of one adventure", "b", found=sides_text, tip=tip))
    forces = (a.force, b.force) if a.side == 0 else (b.force, a.force)
    terrain, cells_set = terrain_with(a.adventure, question.situation.hexes, question.catalogue)
    adventure = replace(a.adventure, forces=forces, terrain=terrain)
    names = list(question.sides) if a.side == 0 else list(question.sides)[::-1]
    faults = [*_force_faults(adventure, names), *ground_faults(adventure, cells_set, names, question.catalogue)]
    if faults:
        raise RulesError(faults)
    return adventure if a.side == 0 else from_other_edge(adventure)


def _force_faults(adventure: Adventure, names: Sequence[str]) -> Iterator[Fault]:
    """Yield faults of what is set of both forces together; `names` are those of their sides in the question."""
    a_cells, b_cells = ({unit.cell for unit in force.units} for force in adventure.forces)
    if shared_cells := a_cells & b_cells:
        yield Fault("hold units of both forces (BL-MOV-04)", "§set b.more", found=str(len(shared_cells)))
    for side, name in enumerate(names):
        most_banners = len(adventure.forces[1 - side].units)
        most_banners += sum(blazon.banners for blazon in adventure.blazons if blazon.side == side)
        if (target := adventure.forces[side].banners) > most_banners:
            place, limit = f"§set {name}.banners", f"at most {most_banners}, for there are no more"
            yield Fault("is more than can be won (BL-WIN-01)", place, found=str(target), allowed=limit)


def _terms(question: AskedSides, adventure: Adventure) -> Terms:
    constants = constants_of(question.catalogue)
    a, b = adventure.forces
    cards = hand_size(a, constants), hand_size(b, constants)
    return Terms(
        rules=question.rules,
        constants=constants,
        banners=(a.banners, b.banners),
        cards=cards,
        turn_limit=question.situation.turn_limit,
    )


def hand_size(force: Force, constants: Constants) -> int:
    """Return how many command cards a side holds, by the adventure or else by its Commander (BL-WC-02)."""
    by_level = constants.war_council.command_cards
    usual_sizes = (by_level.none, by_level.level_1, by_level.level_2, by_level.level_3)
    return force.cards or usual_sizes[force.council.commander]


def fighter_of(catalogue: Catalogue, unit: Deployed, rules: BattleLoreRules) -> Fighter:
    """Return the fighter of a deployed unit; red foot whose weapon is not named carries what BL-Q06 says."""
    fighter = parse_fighter(catalogue, unit.unit)
    is_heavy = (fighter.unit.colour, fighter.unit.kind) == ("red", "foot")
    if is_heavy and "+" not in unit.unit and rules.heavy_infantry_weapon == LONG_SWORD:
        return replace(fighter, weapon=catalogue.entries(Weapon)[LONG_SWORD])
    return fighter


def _ingredients(catalogue: Catalogue, adventure: Adventure, terms: Terms) -> Ingredients:
    units = [unit for force in adventure.forces for unit in force.units]
    fighters = tuple(fighter_of(catalogue, unit, terms.rules) for unit in units)
    trains = any(TRAINING_CAMP in ids for ids in adventure.terrain) or adventure.masters_landmarks
    higher = [trained(catalogue, fighter) for fighter in dict.fromkeys(fighters)] if trains else []
    reach = max((weapon.range_hexes for weapon in catalogue.entries(Weapon).values()), default=1)
    terrains, cards = tuple(catalogue.entries(Terrain).values()), tuple(catalogue.entries(CommandCard).values())
    lore_cards = tuple(catalogue.entries(LoreCard).values()) if adventure.lore else ()
    return Ingredients(adventure, fighters, tuple(filter(None, higher)), terms, terrains, cards, lore_cards, reach)


@lru_cache(maxsize=16)
def battle_of(ingredients: Ingredients) -> Battle:
    """Return a battle with its tables, cached."""
    adventure, terms = ingredients.adventure, ingredients.terms
    referee = Referee(terms.rules, terms.constants, adventure.lore)
    muster = Muster.of((*ingredients.fighters, *ingredients.higher), referee)
    terrains = {terrain.id: terrain for terrain in ingredients.terrains}
    field = Field(adventure, terrains, terms.rules, terms.constants, ingredients.reach)
    numbers = iter([muster.number_of(fighter) for fighter in ingredients.fighters])
    a, b = (tuple((next(numbers), unit.cell) for unit in force.units) for force in adventure.forces)
    councils = adventure.forces[0].council, adventure.forces[1].council
    lore_deck = LoreDeck(ingredients.lore_cards, councils, terms.rules, terms.constants)
    most_led = max(len(a), len(b)) if adventure.lore else 0
    return Battle(adventure, field, muster, CommandDeck(ingredients.cards, most_led), terms, (a, b), lore_deck)


def battle_processes(setup: Setup[AskedAdventure], lane: Lane, watch: Watch | None = None) -> tuple[Process, ...]:
    """Return an adventure as a process; every lane rolls all dice. `watch` is called with everything that happens."""
    plan = setup.play
    players = PLAYERS[plan.policies[0]], PLAYERS[plan.policies[1]]
    return (battle_process(plan.battle, players, plan.first, watch),)


def joint_key(setup: Setup[AskedAdventure]) -> Hashable | None:
    """Return what adventures share that can be played in one run: all but scripts, units, banners, cards and time.

    None unless both sides play scripts.
    """
    plan, battle = setup.play, setup.play.battle
    if not set(plan.policies) <= set(SCRIPTS):
        return None
    adventure, terms, field = battle.adventure, battle.terms, battle.field
    councils = tuple(force.council for force in adventure.forces)
    ground = adventure.terrain, adventure.owners, adventure.blazons, adventure.masters_landmarks
    cards = tuple(battle.deck.cards), battle.lore, tuple(battle.lore_deck.cards)
    return (
        plan.first,
        ground,
        councils,
        cards,
        terms.rules,
        terms.constants,
        tuple(field.terrains.values()),
        field.reach,
    )


def joint_process(setups: Sequence[Setup[AskedAdventure]], sizes: Sequence[int]) -> Process:
    """Return so many trials of each of some adventures with the same key as one process, those of a battle together."""
    numbers = {name: number for number, name in enumerate(SCRIPTS)}
    ways = np.array([[numbers[name] for name in setup.play.policies] for setup in setups], np.int8)
    battles = list(dict.fromkeys(setup.play.battle for setup in setups))
    which = np.array([battles.index(setup.play.battle) for setup in setups])
    first = setups[0].play.first
    return side_by_side(joined(battles), first, np.repeat(which, sizes), np.repeat(ways, sizes, axis=0))


def joined(battles: Sequence[Battle]) -> list[Battle]:
    """Return battles on the same ground with one muster and one deck for all, and with as much room for units."""
    fighters = dict.fromkeys(fighter for battle in battles for fighter in battle.muster.fighters)
    musters = (battle.muster for battle in battles if len(battle.muster.fighters) == len(fighters))
    muster = next(musters, None) or Muster(tuple(fighters), battles[0].muster.referee)
    deck = max((battle.deck for battle in battles), key=lambda each: each.most_led)
    room = max(battle.n_slots for battle in battles)
    return [
        replace(
            battle, field=battles[0].field, muster=muster, deck=deck, members=_members_in(battle, muster), room=room
        )
        for battle in battles
    ]


def _members_in(battle: Battle, muster: Muster) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return the members of a battle by their numbers in another muster."""
    number = [muster.number_of(fighter) for fighter in battle.muster.fighters]
    a, b = (tuple((number[member], cell) for member, cell in members) for members in battle.members)
    return a, b

"""From two armies and some overrides to a turn, or a duel, ready to be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from balance.catalogue import Catalogue, EntryId, Record
from balance.chance.rolls.process import Process
from balance.game.game import PolicyKind
from balance.game.kit import each_side
from balance.game.setup import Asked
from balance.games.edadh.cards.armies import Army
from balance.games.edadh.cards.catalogue import constants_of
from balance.games.edadh.cards.command_cards import BattleMaster, CombatMaster, Standard, Stratagem
from balance.games.edadh.cards.records import LEVELS, Level, MasteryValue
from balance.games.edadh.duel.duel import duel_process, turn_process
from balance.games.edadh.duel.duel_state import Duel, DuelSetup, Resolver
from balance.games.edadh.policies.players import PLAYERS, USUAL, player
from balance.games.edadh.rules.commands import Command
from balance.games.edadh.rules.forces import Arena, compile_force
from balance.games.edadh.rules.look_up import literally, quickest
from balance.games.edadh.rules.mastery import Mastery
from balance.games.edadh.rules.strike import Ground, RuleOptions
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.ruleset import Constants, EdadhRules, Movement
from balance.games.edadh.solving.training import LOOK_AHEAD, with_look_ahead

_BY_RULE = {USUAL: PLAYERS[USUAL], **PLAYERS}
POLICIES = each_side(
    "policy",
    PolicyKind(
        "How the side plays its cards and its troops.",
        {**_BY_RULE, LOOK_AHEAD: "learns what positions of the duel are worth, and plays by that"},
        quick=tuple(_BY_RULE),
        parameters={"mix": ("mix",)},
    ),
    name="{of}_{side}",
)
NO_TERRAIN = "none"


class Situation(Record):
    """What a duel depends on beside the two armies."""

    level: Annotated[
        Level | None, Field(description="One combat level throughout; standard movement or Melee if nothing is said.")
    ] = None
    terrain: Annotated[
        EntryId | None, Field(description="The terrain card; the armies' own if nothing is said, none for none.")
    ] = None
    max_periods: Annotated[
        int | None, Field(ge=1, le=1000, description="Periods after which a duel is a draw; the rules' if unsaid.")
    ] = None


def duel_setup(request: Asked[EdadhRules, Situation, Army]) -> DuelSetup:
    """Prepare a duel: compile both Units, pick combat levels, terrain and policies, and read the rule options.

    A terrain or a mix that does not exist raises `BalanceError`.
    """
    catalogue, player_names = request.catalogue, request.choices
    army_a, army_b = request.sides.values()
    plain_names = {name: USUAL if text == LOOK_AHEAD else text for name, text in player_names.items()}
    duel = _duel(catalogue, request.rules, request.situation, (army_a, army_b), plain_names)
    duel = with_look_ahead(duel, tuple(player_names.values()))
    return DuelSetup(duel, request.inputs(), {name: player(catalogue, name) for name in PLAYERS})


def _duel(
    catalogue: Catalogue,
    rules: EdadhRules,
    situation: Situation,
    armies: tuple[Army, Army],
    player_names: Mapping[str, str],
) -> Duel:
    constants = constants_of(catalogue)
    levels = _levels(situation, armies, constants.movement)
    reach = constants.movement.swap_ranks if (levels < LEVELS.index("melee")).any() else 0
    forces = [compile_force(tuple(army.troops.values()), army.columns, reach) for army in armies]
    mastery = Mastery.of(catalogue.entries(MasteryValue), protect_from_placed=rules.protection_list == "placed")
    arena = Arena((forces[0], forces[1]), mastery, _grounds(catalogue, situation, armies), _readings(rules, constants))
    players = [
        player(catalogue, player_names[f"policy_{side}"], army.markers.mix, f"§set {side}")
        for side, army in zip(SIDES, armies, strict=True)
    ]
    mp = [constants.score.mp_start if army.markers.mp is None else army.markers.mp for army in armies]
    return Duel(
        arena=arena,
        policies=(players[0], players[1]),
        rules=rules,
        constants=constants,
        levels=levels,
        max_periods=situation.max_periods or constants.length.max_periods,
        mp=(mp[0], mp[1]),
        damage=(armies[0].markers.damage, armies[1].markers.damage),
        is_shaken=(armies[0].markers.shaken, armies[1].markers.shaken),
        commands=(_command(catalogue, armies[0]), _command(catalogue, armies[1])),
    )


def _command(catalogue: Catalogue, army: Army) -> Command:
    """Return the cards behind a Unit; every terrain is Land (WE-BM.1)."""
    card = army.card
    leader = catalogue.entries(BattleMaster)[card.battle_master] if card.battle_master else None
    return Command(
        champion=catalogue.entries(CombatMaster)[card.combat_master] if card.combat_master else None,
        standard=catalogue.entries(Standard)[card.standard] if card.standard else None,
        tactical_ml=leader.land if leader else 0,
        deck=tuple(catalogue.entries(Stratagem).values()) if leader else (),
    )


def _levels(situation: Situation, armies: tuple[Army, Army], movement: Movement) -> npt.NDArray[np.int8]:
    """Return the combat level of each Period: WE-SETUP.4 if both armies are for it, else WE-LEVEL.1."""
    melee = LEVELS.index("melee")
    if situation.level is not None:
        return np.array([LEVELS.index(situation.level)], np.int8)
    if all(army.card.movement == "melee" for army in armies):
        return np.array([melee], np.int8)
    return np.array([0] * movement.ballistic_periods + [1] * movement.charge_periods + [melee], np.int8)


def _grounds(catalogue: Catalogue, situation: Situation, armies: tuple[Army, Army]) -> tuple[Ground, Ground]:
    """Return the terrain on either half, by level (WE-TERR.1): the one named, else the armies' own, side a's first."""
    terrain_id = situation.terrain or next((army.card.terrain for army in armies if army.card.terrain), NO_TERRAIN)
    if terrain_id == NO_TERRAIN:
        no_effect = np.zeros(len(LEVELS), np.int16)
        return Ground(no_effect, no_effect), Ground(no_effect, no_effect)
    card = catalogue.find("terrain", terrain_id, "§set situation.terrain").model_dump()
    halves = [
        Ground(
            *(
                np.array([card[f"{side}_{level}_{kind}"] for level in LEVELS], np.int16)
                for kind in ("modifier", "protection")
            )
        )
        for side in SIDES
    ]
    return halves[0], halves[1]


def _readings(rules: EdadhRules, constants: Constants) -> RuleOptions:
    """Return the readings and numbers a turn depends on."""
    return RuleOptions(
        dd_from_defender=rules.dd_from == "defender",
        star_protects_from_star=rules.star_vs_star == "protected",
        tie_protect=rules.tie_protect,
        discard_on_each_move=rules.instant_on == "each_move",
        noatt_protect=rules.noatt_protect,
        terrain_on_total=rules.terrain_on == "total",
        terrain_stops_star=rules.star_vs_terrain == "protected",
        noatt_loss=constants.no_attack.mp_loss,
        mp_cap=constants.score.mp_cap,
    )


def _resolver(setup: DuelSetup, lane: str) -> Resolver:
    """Return how turns are resolved: each afresh, or from a table where it is small enough."""
    arena, levels = setup.duel.arena, sorted(set(setup.duel.levels.tolist()))
    return quickest(arena, levels) if lane == "compiled" else literally(arena)


def turn_processes(setup: DuelSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return the first turn as a process; lane "literal" resolves each turn afresh, "compiled" looks it up."""
    return (turn_process(setup.duel, _resolver(setup, lane)),)


def duel_processes(setup: DuelSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return a duel as a process; lane "literal" resolves each turn afresh, "compiled" looks it up in a table."""
    return (duel_process(setup.duel, _resolver(setup, lane)),)


def finish_processes(setup: DuelSetup, lane: str = "literal") -> tuple[Process, ...]:
    """Return a duel that also reports MP and damage at its end, as a process; lanes are those of `duel_processes`."""
    return (duel_process(setup.duel, _resolver(setup, lane), markers=True),)

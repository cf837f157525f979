"""BattleLore (2006): a pool of battle dice, morale, and what follows a roll; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from balance.catalogue import Catalogue
from balance.game.armies.armies import ArmyKind, army_of
from balance.game.game import Game, QuestionKind
from balance.game.kit import TURN_ORDERS
from balance.game.setup import EntrantKind, StepUnits
from balance.games.battlelore import duel, lineup
from balance.games.battlelore.adventure.kind import BATTLE, read_drawing
from balance.games.battlelore.fights import (
    duel_kind_processes,
    duel_setup,
    lineup_arena,
    lineup_kind_processes,
    lineup_setup,
    skirmish_setup,
)
from balance.games.battlelore.rules import combat, policies
from balance.games.battlelore.setup import attack_processes, attack_setup, combat_processes, combat_setup
from balance.games.battlelore.sides import (
    AttackerStance,
    DuellistStance,
    Stance,
    fighter_of,
    parse_fighter,
    read_side,
    roster,
    troops_in_steps,
)
from balance.games.battlelore.situation import AttackSituation, CombatSituation, DuelSituation, SkirmishSituation
from balance.games.battlelore.tables import SPEC, Troop, Unit, Weapon

__all__ = ["GAME"]


def _label(catalogue: Catalogue, entrant: str) -> str:
    fighter = parse_fighter(catalogue, entrant)
    return roster(catalogue).get(fighter.id, fighter.name)


def _banners(catalogue: Catalogue, entrant: str) -> int:
    """Return 1, as every unit is worth one victory banner (BL-WIN-02) and BattleLore has no other price."""
    parse_fighter(catalogue, entrant)
    return 1


def _cards(catalogue: Catalogue, entrant: str) -> Iterator[tuple[str, str]]:
    fighter = parse_fighter(catalogue, entrant)
    yield "units", fighter.unit.id
    yield "weapons", fighter.weapon.id
    if not fighter.is_creature:
        yield "races", fighter.race.id
        troop_ids = [troop.id for troop in catalogue.entries(Troop).values() if fighter_of(catalogue, troop) == fighter]
        yield from (("troops", troop) for troop in troop_ids[-1:])


UNIT = EntrantKind(
    "unit",
    ids=lambda catalogue: list(roster(catalogue)),
    label=_label,
    cost_points=_banners,
    read=read_side,
    written="[RACE_]UNIT[+WEAPON], or the name of a troop",
    joined_by="+",
    cards=_cards,
    fields={"": Unit, "unit": Unit, "weapon": Weapon},
)
TARGET = replace(UNIT, name="target", ids=lambda catalogue: list(catalogue.entries(Unit)))
"""What is attacked: a unit of any sort, with the weapon it is printed with unless one is written."""
STEPS = StepUnits(
    troops_in_steps,
    {"attacker": {"dice": "dice"}, "defender": {}},
    {
        "attacker": {"weapon": ("short_sword", "long_sword")},
        "defender": {"colour": ("green", "blue", "red"), "kind": ("foot", "mounted")},
    },
)
ARMY = army_of(UNIT)
SHOT: dict[str, Any] = {"sides": ("attacker", "defender"), "takes": (UNIT, TARGET), "stances": (AttackerStance, Stance)}
FIGHT: dict[str, Any] = {
    "sides": ("a", "b"),
    "stances": (DuellistStance, DuellistStance),
    "turn_orders": TURN_ORDERS,
    "unbounded": True,
}

GAME = Game(
    name="battlelore",
    title="BattleLore",
    drawings={"adventure": read_drawing},
    steps=STEPS,
    spec=SPEC,
    kinds={
        "attack": QuestionKind(
            "attack",
            setup=attack_setup,
            processes=attack_processes,
            columns=combat.ATTACK_COLUMNS,
            asks="what one attack does",
            policies=policies.ATTACK_POLICIES,
            played=combat.ATTACK_PLAYED,
            cannot_see=combat.ATTACK_CANNOT_SEE,
            situation=AttackSituation,
            **SHOT,
        ),
        "combat": QuestionKind(
            "combat",
            setup=combat_setup,
            processes=combat_processes,
            columns=combat.COMBAT_COLUMNS,
            asks="what a whole combat does: the attack and all that follows from it",
            policies=policies.COMBAT_POLICIES,
            played=combat.COMBAT_PLAYED,
            cannot_see=combat.COMBAT_CANNOT_SEE,
            situation=CombatSituation,
            **SHOT,
        ),
        "duel": QuestionKind(
            "duel",
            setup=duel_setup,
            processes=duel_kind_processes,
            columns=duel.DUEL_COLUMNS,
            asks="who wins a duel",
            policies=policies.DUEL_POLICIES,
            played=duel.DUEL_PLAYED,
            cannot_see=duel.DUEL_CANNOT_SEE,
            situation=DuelSituation,
            takes=(UNIT, UNIT),
            **FIGHT,
        ),
        "skirmish": QuestionKind(
            "skirmish",
            setup=skirmish_setup,
            processes=lineup_kind_processes,
            columns=lineup.LINEUP_COLUMNS,
            asks="which of two lines of units wins",
            policies=policies.SKIRMISH_POLICIES,
            played=lineup.SKIRMISH_PLAYED,
            cannot_see=lineup.SKIRMISH_CANNOT_SEE,
            situation=SkirmishSituation,
            takes=(UNIT, UNIT),
            **FIGHT,
        ),
        "lineup": QuestionKind(
            "lineup",
            setup=lineup_setup,
            processes=lineup_kind_processes,
            columns=lineup.LINEUP_COLUMNS,
            asks="which of two armies in line wins",
            policies=policies.LINEUP_POLICIES,
            played=lineup.LINEUP_PLAYED,
            cannot_see=lineup.LINEUP_CANNOT_SEE,
            situation=DuelSituation,
            takes=(ARMY, ARMY),
            armies=ArmyKind(UNIT, lineup_arena, irrelevant_fields=lineup.IRRELEVANT_FIELDS),
            **FIGHT,
        ),
        "battle": BATTLE,
    },
    unused={
        "races": "no row of troops names it",
        "weapons": "no row of troops or units names it",
        "troops": "a later row has its race, unit and weapon, and one of them is played",
    },
)

"""Warforged, table edition: D10 precision, D6 armour, weapon effects, duels; rule ids as in `rule_ids.csv`."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from balance.game.armies.armies import ArmyKind, army_of
from balance.game.game import Game, QuestionKind
from balance.game.kit import TURN_ORDERS
from balance.game.setup import EntrantKind, StepUnits
from balance.games.warforged import attack, duel
from balance.games.warforged.battle.kind import battle_kind, seats_kind
from balance.games.warforged.cards import SPEC, Ability, Effect, Unit, Weapon, legal_loadouts, parse_loadout, units_of
from balance.games.warforged.lineup import columns as line_up
from balance.games.warforged.lineup.preferences import POLICIES
from balance.games.warforged.lineup.setup import (
    LineUpSituation,
    line_up_arena,
    line_up_processes,
    line_up_setup,
    scales_of,
)
from balance.games.warforged.loadouts import loadouts_in_steps
from balance.games.warforged.setup import (
    AttackSituation,
    DuellistStance,
    DuelSituation,
    Stance,
    attack_processes,
    attack_setup,
    duel_setup,
    kill_setup,
    read_side,
)

__all__ = ["GAME"]

LOADOUT = EntrantKind(
    "loadout",
    ids=lambda catalogue: [loadout.id for loadout in legal_loadouts(catalogue)],
    label=lambda catalogue, entrant: parse_loadout(catalogue, entrant).name,
    cost_points=lambda catalogue, entrant: parse_loadout(catalogue, entrant).cost_points,
    read=read_side,
    written="UNIT[+WEAPON...]",
    joined_by="+",
    fields={"unit": Unit, "weapon": Weapon},
)
TARGET = replace(LOADOUT, name="target", ids=lambda catalogue: list(units_of(catalogue)))
"""What is attacked: a unit, whatever it carries."""
ARMY = army_of(LOADOUT)
"""Loadouts, each with how many of it."""
DRAWN_FIELDS = "unit_limit", "budget_points", "legal"
"""What armies bring along that are drawn by a budget and a unit limit."""
ECONOMIES = (("situation.actions", ("pool", "per_unit")),)
"""How actions are counted: shared by an army as the rulebook has it, and one for each unit as a house rule."""
IRRELEVANT_FIELDS = (
    *("speed_cells", "range_cells", "handling", "copies"),
    *("abilities: jump", "abilities: heavy", "effects: high_explosive"),
)
"""What of the cards makes no difference in a line-up."""
STEPS = StepUnits(
    loadouts_in_steps,
    {"attacker": {"precision": "precision", "damage": "damage"}, "defender": {"armour": "armour"}},
    {"attacker": {"effects": get_args(Effect)}, "defender": {"abilities": get_args(Ability)}},
)
BATTLE = battle_kind(LOADOUT, DRAWN_FIELDS)
GAME = Game(
    name="warforged",
    title="Warforged, table edition",
    spec=SPEC,
    kinds={
        "attack": QuestionKind(
            "attack",
            ("attacker", "defender"),
            (LOADOUT, TARGET),
            attack_processes,
            attack.COLUMNS,
            attack_setup,
            asks="what one Attack action does",
            played=attack.PLAY_TEXT,
            cannot_see=attack.CANNOT_SEE,
            situation=AttackSituation,
            stances=(Stance, Stance),
            beside="kill",
            narrowed=attack_processes,
        ),
        "kill": QuestionKind(
            "kill",
            ("attacker", "defender"),
            (LOADOUT, TARGET),
            duel.kill_processes,
            duel.KILL_COLUMNS,
            kill_setup,
            asks="how many Attack actions it takes until a target falls",
            unbounded=True,
            played=duel.KILL_PLAYED,
            cannot_see=duel.KILL_CANNOT_SEE,
            situation=AttackSituation,
            stances=(Stance, Stance),
            chains=duel.KILL_CHAINS,
        ),
        "duel": QuestionKind(
            "duel",
            ("a", "b"),
            (LOADOUT, LOADOUT),
            duel.duel_kind_processes,
            duel.DUEL_COLUMNS,
            duel_setup,
            asks="who wins a duel",
            unbounded=True,
            turn_orders=TURN_ORDERS,
            played=duel.DUEL_PLAYED,
            cannot_see=duel.DUEL_CANNOT_SEE,
            situation=DuelSituation,
            stances=(DuellistStance, DuellistStance),
            chains=duel.DUEL_CHAINS,
        ),
        "lineup": QuestionKind(
            "lineup",
            ("a", "b"),
            (ARMY, ARMY),
            line_up_processes,
            line_up.COLUMNS,
            line_up_setup,
            asks="who wins when two armies meet in range of each other",
            unbounded=True,
            turn_orders=TURN_ORDERS,
            policies=POLICIES,
            played=line_up.LINE_UP_PLAYED,
            cannot_see=line_up.CANNOT_SEE,
            situation=LineUpSituation,
            stances=(DuellistStance, DuellistStance),
            block_trials=2**15,
            armies=ArmyKind(LOADOUT, line_up_arena, scales_of, IRRELEVANT_FIELDS, DRAWN_FIELDS, ECONOMIES),
        ),
        "battle": BATTLE,
        "seats": seats_kind(BATTLE),
    },
    unused={"weapons": "no unit may carry it (handling, heavy, copies)"},
    priced_in="battle",
    steps=STEPS,
)

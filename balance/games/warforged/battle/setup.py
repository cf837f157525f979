"""From armies as they are typed to battles on a board, and the arena in which any armies of some members meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, TypeAlias, cast

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import Fault, RulesError, UsageError
from balance.base.numbers import show_many
from balance.catalogue import Catalogue
from balance.chance.rolls.process import Process
from balance.game.armies.armies import Arena, Army, AskedArena
from balance.game.armies.copies import Copies
from balance.game.game import Lane
from balance.game.kit import orders
from balance.game.setup import Asked, Setup
from balance.games.warforged.battle.armies.drawing import Drawing, usual_limit
from balance.games.warforged.battle.armies.market import for_sale, market_of, too_little
from balance.games.warforged.battle.armies.muster import Muster
from balance.games.warforged.battle.armies.purchase import Draft, Market, MemberNumbers, Purse
from balance.games.warforged.battle.columns import AskedBattle, BattleSituation
from balance.games.warforged.battle.map.battle_map import BattleMap
from balance.games.warforged.battle.map.ground import Ground
from balance.games.warforged.battle.map.maps import map_of
from balance.games.warforged.battle.play import PLAYERS, Armies, battle_process, player_of
from balance.games.warforged.battle.seats import USUAL_MAPS, armies_by_side, orders_of, regrouped, table_of
from balance.games.warforged.battle.turns.table import Table
from balance.games.warforged.battle.turns.terms import Battle, Terms
from balance.games.warforged.cards import constants_of
from balance.games.warforged.fight_terms import fight_terms
from balance.games.warforged.lineup.setup import cards_of_side, forbidden, unarmed
from balance.games.warforged.ruleset import WarforgedRules
from balance.games.warforged.setup import DuelStance, Side

BattleArmy: TypeAlias = Army[Side[DuelStance]] | Drawing
AskedSides: TypeAlias = Asked[WarforgedRules, BattleSituation, BattleArmy]


def battle_setup(question: AskedSides) -> Setup[AskedBattle]:
    """Prepare a battle: its map, members numbered, armies or purses to draw them with, and actions a turn.

    `CatalogueError` means no such map, or one with faults; `UsageError` a unit without a weapon, points that buy none,
    or an objective on a map that has none; `RulesError` an army that costs too much, is not legal, or is larger than
    the unit limit, where that is asked for.
    """
    sides = armies_by_side(question.sides)
    limit, budget = scale_of(question.catalogue, question.situation, len(sides))
    sides = {side: _with_unit_limit(question, army, limit) for side, army in sides.items()}
    asked, question = replace(question, sides=regrouped(question.sides, sides)), replace(question, sides=sides)
    if faults := list(
        unarmed(question.catalogue, {side: army.units for side, army in sides.items() if isinstance(army, Army)})
    ):
        raise UsageError(faults)
    if faults := [fault for side, army in sides.items() for fault in _too_much(question, side, army, limit, budget)]:
        raise RulesError(faults)
    members = _in_order(member for army in sides.values() for member in _may_join(question, army))
    market = _market(question, members)
    table = table_of(question.situation, question.first, len(sides))
    battle = _battle(question.catalogue, question.rules, question.situation, members, table)
    armies = tuple(_numbers_or_purse(army, members) for army in sides.values())
    actions = limit or max(army.limit if isinstance(army, Drawing) else len(army.units) for army in sides.values())
    policies, aims = (_choices(question, of) for of in ("policy", "aim"))
    resolutions = {"unit_limit": actions, "map_sha256": battle.ground.map.digest}
    resolutions |= {"map": battle.ground.map.id} if table else {}
    lost_actions = tuple(army.lost_actions or 0 for army in sides.values())
    order = getattr(question.situation, "order", "")
    play = AskedBattle(battle, armies, actions, question.first, policies, market, lost_actions, aims, order)
    return Setup(play, asked.inputs(resolutions), battle.ground.map.digest, table.fair_share if table else 0.5)


def _choices(question: AskedSides, of: str) -> tuple[str, ...]:
    """Return what each side has chosen of a decision that one side of the question may make for several."""
    names = [f"{of}_{side}" if f"{of}_{side}" in question.choices else f"{of}_others" for side in question.sides]
    return tuple(question.choices[name] for name in names if name in question.choices)


def _with_unit_limit(question: AskedSides, army: BattleArmy, limit: int) -> BattleArmy:
    """Return an army; one to be drawn without a unit limit gets the battle's, or the one that its points go with."""
    if isinstance(army, Army) or army.limit:
        return army
    return replace(army, limit=limit or usual_limit(question.catalogue, army.points))


def _may_join(question: AskedSides, army: BattleArmy) -> tuple[Side[DuelStance], ...]:
    """Return the units of an army, or of one to be drawn all that are for sale."""
    return army.units if isinstance(army, Army) else for_sale(question.catalogue, army.stance)


def _numbers_or_purse(army: BattleArmy, members: tuple[Side[DuelStance], ...]) -> MemberNumbers | Purse:
    """Return the numbers of the units of an army, rising, or points and unit limit of one to be drawn."""
    if isinstance(army, Drawing):
        return Purse(army.points, army.limit)
    numbers = {member: number for number, member in enumerate(members)}
    return tuple(sorted(numbers[member] for member in army.units))


def _market(question: AskedSides, members: tuple[Side[DuelStance], ...]) -> Market | None:
    """Return what armies that are drawn are bought from, without what the other army takes; None where none is.

    Points that buy nobody with a weapon raise `UsageError`.
    """
    drawn_armies = {side: army for side, army in question.sides.items() if isinstance(army, Drawing)}
    if not drawn_armies:
        return None
    written_units = [unit for army in question.sides.values() if isinstance(army, Army) for unit in army.units]
    sold_units = written_units if _bound(question.situation) else []
    stances = [army.stance if isinstance(army, Drawing) else None for army in question.sides.values()]
    market = market_of(question.catalogue, members, stances, sold_units)
    if faults := [
        fault for side, army in drawn_armies.items() for fault in too_little(question.catalogue, side, army, market)
    ]:
        raise UsageError(faults)
    return market


def _bound(situation: BattleSituation) -> bool:
    """Return whether armies keep to the unit limit and to the copies there are: if legal, or at any scale but free."""
    return situation.legal or situation.scale != "free"


def _in_order(members: Iterator[Side[DuelStance]] | Any) -> tuple[Side[DuelStance], ...]:
    """Return distinct members in the order of their ids, whatever the order in which armies name them."""
    distinct = dict.fromkeys(members)
    return tuple(sorted(distinct, key=lambda side: (side.loadout.id, side.stance.model_dump_json(), repr(side))))


def scale_of(catalogue: Catalogue, situation: BattleSituation, n_players: int = 2) -> tuple[int, int]:
    """Return the unit limit and the budget that were set, else those of the scale; 0 where nothing is agreed."""
    constants = constants_of(catalogue)
    limit, budget = situation.unit_limit, situation.budget_points
    if situation.scale != "free":
        limit = limit or getattr(constants.unit_limits, situation.scale).high
        points = getattr(constants.war_points, situation.scale)
        budget = budget or (points.players_2 if n_players == 2 else points.players_3_4)
    return limit, budget


def _too_much(question: AskedSides, side: str, army: BattleArmy, limit: int, budget: int) -> Iterator[Fault]:
    """Yield what unit limit, budget and the number of cards forbid of an army."""
    bound = _bound(question.situation)
    if isinstance(army, Army):
        yield from forbidden(side, army, budget=budget, limit=limit if bound else 0, copies=bound)
        return
    if budget and army.points > budget:
        yield Fault("war points are over the budget", side, found=str(army.points), allowed=f"at most {budget}")
    if bound and limit and army.limit > limit:
        yield Fault("units are too many (WF-BUILD.1)", side, found=str(army.limit), allowed=f"at most {limit}")


def _battle(
    catalogue: Catalogue,
    rules: WarforgedRules,
    situation: BattleSituation,
    members: tuple[Side[DuelStance], ...],
    table: Table | None = None,
) -> Battle:
    """Return map, terms and members of battles as one `Battle`; its tables are worked out once for the same of all.

    An objective to be held on a map that has none raises `UsageError`.
    """
    field = map_of(catalogue, situation.map or USUAL_MAPS[table.n_sides if table else 2], "situation.map")
    if table and len(field.bases) < table.n_sides:
        tip = f"draw more bases, or take a map that has them, such as situation.map={USUAL_MAPS[table.n_sides]}"
        n_bases = show_many(len(field.bases), "base")
        raise UsageError(Fault(f"has {n_bases} for {table.n_sides} players", "situation.map", found=field.id, tip=tip))
    if situation.objective != "none" and not field.objectives:
        tip = "draw cells as *, or take a map that has them, such as situation.map=objective"
        raise UsageError(Fault("has no objective to hold", "situation.map", found=field.id, tip=tip))
    terms = _terms(catalogue, rules, situation)
    return battle_of(field, rules.square_radius == "chebyshev", terms, members, table)


@lru_cache(maxsize=16)
def battle_of(
    field: BattleMap, diagonal: bool, terms: Terms, members: tuple[Side[DuelStance], ...], table: Table | None = None
) -> Battle:
    """Return map, terms and members as a `Battle`; the last 16 are kept, with their tables.

    `diagonal` is that of `Ground`: whether blasts count diagonal neighbours as at distance 1 (WF-Q25).
    """
    return Battle(Ground(field, diagonal), terms, Muster(members, terms.read), table)


def _terms(catalogue: Catalogue, rules: WarforgedRules, situation: BattleSituation) -> Terms:
    constants = constants_of(catalogue)
    return Terms(
        **fight_terms(rules, constants),
        round_limit=situation.rounds,
        objective_rounds=situation.objective_rounds if situation.objective == "hold" else 0,
        max_moves=constants.limits.max_moves,
        cover_dice=constants.cover.extra_dice,
        cover_adds_up=rules.cover_stack == "each",
        laser_heavy=rules.laser_heavy,
        units_block=rules.units_block,
        jump_exact=rules.jump_exact,
    )


def battle_processes(
    setup: Setup[AskedBattle], lane: Lane, watch: Callable[..., None] | None = None
) -> tuple[Process, ...]:
    """Return a battle's processes, one for each order of play; every die is rolled in any lane.

    `watch` is called after each action.
    """
    plan = setup.play
    players = tuple(map(player_of, plan.policies, plan.aims)) or tuple(map(player_of, plan.policies))
    armies, limit = armies_of(plan), np.array([plan.limit])
    play = partial(battle_process, plan.battle, armies, limit, players, watch=watch, lost_actions=plan.lost_actions)
    if plan.battle.table is not None:
        return (play(order=" ".join(orders_of(plan.battle.table.n_sides, plan.first, plan.order))),)
    return tuple(play(order=order) for order in orders(plan.first))


def armies_of(plan: AskedBattle) -> Armies:
    """Return the armies of a battle as `battle_process` takes them: what draws them, or one row for all trials."""
    if plan.market is not None:
        return Draft(plan.market, plan.armies)
    return tuple(np.array([army], np.int16) for army in plan.armies)


def battle_arena(question: AskedArena[WarforgedRules, BattleSituation, Side[DuelStance]]) -> Arena:
    """Open the arena in which armies of some members meet; a member without a weapon raises `UsageError`."""
    if faults := list(unarmed(question.catalogue, {name: (side,) for name, side in question.members.items()})):
        raise UsageError(faults)
    members = tuple(question.members.values())
    battle = _battle(question.catalogue, question.rules, question.situation, members)
    policies = question.choices["policy_a"], question.choices["policy_b"]
    process = partial(_meet, battle, policies, scale_of(question.catalogue, question.situation)[0])
    copies = Copies.of([cards_of_side(side) for side in members])
    return Arena(tuple(question.members), tuple(map(_mark, members)), process, copies)


def _meet(
    battle: Battle, policies: tuple[str, str], limit: int, a: IntArray, b: IntArray, limits: IntArray | None = None
) -> Process:
    sizes = np.maximum((a >= 0).sum(axis=1), (b >= 0).sum(axis=1))
    turn_limits = limits if limits is not None else (np.full(len(sizes), limit) if limit else sizes)
    return battle_process(battle, (a, b), turn_limits, (PLAYERS[policies[0]], PLAYERS[policies[1]]))


def _mark(side: Side[DuelStance]) -> str:
    """Return a text that members share if they play alike: all their cards but names, costs and numbers of copies."""
    idle = {"id", "name", "kind", "cost_points", "copies", "handling", "weapon_class"}
    unit, weapons = side.loadout.unit, side.loadout.weapons
    cards = [card.model_dump(mode="json", exclude=idle) for card in (unit, *weapons)]
    cards[0]["abilities"] = sorted(set(cast("list[str]", cards[0]["abilities"])) - {"heavy"})
    shield = side.stance.shield if "supershield" in unit.abilities else "none"
    return repr((cards[0], sorted(map(repr, cards[1:])), shield))

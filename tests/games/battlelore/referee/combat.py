"""A battle from its declaration to its roll: who may strike whom, with how many dice, and what the faces mean."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.games.battlelore.referee.game import OTHER, Event, Game
from tests.games.battlelore.referee.ground import Hex, distance, name_of, neighbours
from tests.games.battlelore.referee.tables import COLOURS

MOUNTED_CHARGE, LEADERSHIP, BATTLELORE = 1, 1, 1
SUPPORT, SUPPORT_BOLD, CREATURE_BOLD, ALL = 2, 1, 1, 99


@dataclass
class Combat:
    """One battle: who strikes whom from where, what was rolled, and what has become of it so far."""

    attacker: str
    target: str
    kind: str
    melee: bool
    number: int
    origin: Hex
    place: Hex
    cause: Combat | None = None
    dice: int = 0
    faces: Counter[str] | None = None
    extra: Counter[str] = field(default_factory=Counter)
    hits: int | None = None
    flags: int = 0
    bold: int = 0
    ignored: int | None = None
    critical: int = 0
    is_critical_over: bool = False
    due: int = 0
    travelled: int = 0
    blocked: int = 0
    is_blocked: bool = False
    panic: int | None = None
    cornered: int | None = None
    follows: list[Hex] = field(default_factory=list)
    bars_battle: bool = False
    lore: int = 0
    spent: int = 0
    to_chalice: int = 0
    stored: int = 0
    newly_poisoned: bool = False
    backstab: int = 0
    is_backed: bool = False
    is_stabbed: bool = False
    losses: set[tuple[str, str]] = field(default_factory=set)
    must_stop: bool = False
    is_checked: bool = False


def battle(game: Game, event: Event) -> None:
    """Declare a battle (BL-RNG, BL-POST)."""
    close(game)
    turn, label, target, kind = game.turn, event["unit"], event["target"], event["kind"]
    assert turn is not None
    before = game.combat
    turn.n_battles += 1
    place, at = game.hex(label), game.hex(target)
    if place is None or at is None or game.side(label) == game.side(target):
        game.suspect("BL-RNG-10", f"{label} cannot battle {target}")
        return
    far = distance(place, at)
    game.demand(event["melee"] == (far == 1), "BL-RNG-02", f"{label} is {far} hexes from {target}")
    combat = Combat(label, target, kind, far == 1, turn.n_battles, place, at)
    combat.stored = game.unit(label).get("stored") or 0
    game.demand(not game.unit(label).get("webbed"), "BL-CRE-15", f"{label} is webbed and battles")
    if kind == "attack":
        _declare_attack(game, combat)
    elif before is None:
        game.suspect("BL-POST-01", f"{label} has no cause to battle {target}")
    elif kind == "bonus":
        combat.cause = before
        _declare_bonus(game, before, combat)
    else:
        combat.cause = before
        _declare_back(game, before, combat)
    game.combat = combat


def _declare_attack(game: Game, combat: Combat) -> None:
    turn, label = game.turn, combat.attacker
    assert turn is not None
    game.demand(game.side(label) == turn.side, "BL-CMD-07", f"{label} attacks in the turn of {turn.side}")
    may = label in turn.ordered or label in turn.teleported
    game.demand(may, "BL-CMD-07", f"{label} battles without an order")
    twice = turn.effect == "darken_the_sky" and not turn.moved.get(label)
    game.demand(turn.battles[label] < 1 + twice, "BL-POST-02", f"{label} battles too often")
    game.demand(label not in turn.done, "BL-LMK-09", f"{label} may do nothing more")
    game.demand(
        turn.may_battle.get(label, True), "BL-MOV-02", f"{label} has moved too far to battle, or into what bars it"
    )
    game.demand(combat.melee or label not in turn.melee_only, "BL-MOV-02", f"{label} has moved too far to shoot")
    if turn.effect == "darken_the_sky" and label in turn.ordered:
        game.demand(not combat.melee or turn.moved.get(label), "BL-CMD-03", f"{label} battles in melee")
    turn.battles[label] += 1
    if not combat.melee:
        _declare_shot(game, combat)


def _declare_shot(game: Game, combat: Combat) -> None:
    """Within range and in sight, and nobody beside it (BL-RNG-03 to 09)."""
    label, far = combat.attacker, distance(combat.origin, combat.place)
    game.demand(far <= game.weapon(label).range_hexes, "BL-RNG-05", f"{label} shoots {far} hexes")
    foes = game.beside(combat.origin, OTHER[game.side(label)])
    game.demand(not foes, "BL-RNG-03", f"{label} shoots with {foes} beside it")
    sees = game.ground.sees(combat.origin, combat.place, set(game.occupied()), game.rules)
    game.demand(sees, "BL-RNG-07", f"{label} at {name_of(combat.origin)} does not see {name_of(combat.place)}")


def _declare_bonus(game: Game, before: Combat, combat: Combat) -> None:
    """After a pursuit, once, in melee (BL-POST-08, BL-POST-09)."""
    label = combat.attacker
    game.demand(before.attacker == label and before.kind == "attack", "BL-POST-08", f"{label} has no bonus attack")
    game.demand(game.kind(label).kind == "mounted", "BL-POST-08", f"{label} is not mounted")
    game.demand(before.follows, "BL-POST-06", f"{label} has not pursued")
    game.demand(combat.melee, "BL-POST-08", f"{label} makes a bonus attack at range")
    game.demand(not before.bars_battle, "BL-LMK-01", f"{label} has pursued into a hex where one may not battle")
    if game.rules["bonus_target"] == "other":
        game.demand(combat.target != before.target, "BL-POST-08", f"{label} presses on against its first target")


def _declare_back(game: Game, before: Combat, combat: Combat) -> None:
    """The target of a melee that is alive, has held its hex and is Bold (BL-POST-10 to 13)."""
    label = combat.attacker
    pair = (before.target, before.attacker)
    game.demand((label, combat.target) == pair, "BL-POST-10", f"{label} battles back against {combat.target}")
    game.demand(before.kind != "back", "BL-POST-12", f"{label} battles back against a battle back")
    game.demand(before.melee, "BL-POST-12", f"{label} battles back against a shot")
    game.demand(before.travelled == 0 and combat.origin == before.place, "BL-POST-11", f"{label} has left its hex")
    game.demand(not before.follows, "BL-POST-11", f"{label} battles back after a pursuit")
    game.demand(not before.is_backed, "BL-POST-10", f"{label} battles back twice")
    before.is_backed = True
    if before.kind == "bonus":
        game.demand(game.rules["battle_back_on_bonus"], "BL-POST-10", f"{label} battles back against a bonus attack")
    if game.rules["battle_back_needs"] == "ignored_flag":
        game.demand(before.ignored, "BL-POST-10", f"{label} has ignored no flag")
    else:
        game.demand(bold(game, label), "BL-POST-11", f"{label} is not Bold and battles back")


def expected_dice(game: Game, combat: Combat) -> int:
    """Return the dice: by colour, by weapon after a move, under the caps of both hexes, more by cards (BL-DICE-02)."""
    turn, label = game.turn, combat.attacker
    assert turn is not None
    dice = game.kind(label).dice
    if combat.kind == "attack" and turn.moved.get(label):
        after = game.weapon(label).after_moving
        if after == "bow":
            dice = dice - 1 if game.rules["bow_after_moving"] == "one_fewer" else min(dice, 1)
        elif after == "crossbow" and game.rules["crossbow_after_moving"] == "one_fewer":
            dice -= 1
    if combat.kind != "back" or game.rules["battle_back_caps"] == "swapped":
        dice = game.ground.cap(dice, combat.origin, combat.place)
    dice += _more_by_cards(game, combat)
    for play in game.in_force("parry", label) if combat.kind != "back" else []:
        dice = play.strength
    return dice


def _more_by_cards(game: Game, combat: Combat) -> int:
    """Return the dice that cards add, which no hex limits (BL-DICE-06)."""
    turn, label = game.turn, combat.attacker
    assert turn is not None
    more = 0
    if label in turn.ordered and combat.kind != "back":
        more += MOUNTED_CHARGE * (turn.effect == "mounted_charge" and combat.melee)
        more += LEADERSHIP * (turn.effect == "leadership") + BATTLELORE * (turn.effect == "battlelore")
    for play in game.in_force("dice", label) + game.in_force("berserk", label):
        where = {"melee": combat.melee, "ranged": not combat.melee}.get(play.card.phase, True)
        more += play.strength * where
    return more


def bold(game: Game, label: str) -> int:
    """Return how many flags a unit may ignore where it stands now (BL-MOR, BL-CRE-05, BL-CRE-06)."""
    side, kind, place = game.side(label), game.kind(label), game.place(label)
    if game.in_force("fearless", label):
        return ALL
    if any(play.side != side for play in game.in_force("mists")):
        return 0
    if kind.kind == "creature":
        return CREATURE_BOLD
    race = game.race(label)
    by_race = {"foot": race.foot_bold, "mounted": race.mounted_bold}[kind.kind]
    friends = [friend for friend in game.beside(place, side) if not game.unit(friend).get("webbed")]
    by_support = SUPPORT_BOLD * (len(friends) >= SUPPORT)
    sources = [by_race, by_support, _bold_by_ground(game, side, place)]
    adds = game.rules["bold_sources"]
    return sum(sources) if adds == "add" or (adds == "dwarves_only" and by_race) else max(sources)


def _bold_by_ground(game: Game, side: str, place: Hex) -> int:
    """Return what the hex gives, and an own stronghold beside it (BL-LMK-11)."""
    owner = game.state["owners"].get(name_of(place))
    best = 0
    for terrain in game.ground.terrains(place):
        best = max(best, terrain.bold * (not terrain.owners_only or owner == side))
    for near in neighbours(place):
        for terrain in game.ground.terrains(near):
            best = max(best, terrain.bold_beside * (game.state["owners"].get(name_of(near)) == side))
    return best


def swords(game: Game, combat: Combat, number: int) -> int:
    """Return how many of so many bonus strikes hit (BL-WPN, BL-HIT-02)."""
    weapon, target = game.weapon(combat.attacker), game.kind(combat.target).kind
    if combat.melee and not weapon.swords_point_blank:
        return 0
    says = weapon.swords_vs_foot if target == "foot" else weapon.swords_vs_mounted
    if target == "creature":
        says = weapon.swords_vs_foot
        if weapon.swords_vs_mounted == "all_but_one":
            says = game.rules["short_sword_vs_creature"]
    return {"all": number, "all_but_one": max(0, number - 1), "none": 0}[str(says)]


def roll(game: Game, combat: Combat, faces: Counter[str]) -> None:
    """Note a roll of battle dice."""
    combat.dice = expected_dice(game, combat)
    number = sum(faces.values())
    game.demand(number == combat.dice, "BL-DICE-01", f"{combat.attacker} rolls {number} dice, not {combat.dice}")
    combat.faces = faces
    combat.lore = faces["L"]


def resolve(game: Game, combat: Combat) -> None:
    """Count hits and flags, once cards and powers have had their say (BL-HIT, BL-WPN, BL-CRE-14, BL-CRE-15)."""
    if combat.hits is not None or combat.faces is None:
        return
    target, attacker = combat.target, combat.attacker
    faces = combat.faces + combat.extra
    colour = COLOURS[game.unit(target)["colour"]]
    helmets, striking, flags, lore = faces[colour], swords(game, combat, faces["S"]), faces["F"], faces["L"]
    for play in game.in_force("agility", target):
        if play.battle == combat.number:
            helmets = max(0, helmets - play.strength)
    if any(play.battle == combat.number for play in game.in_force("shield", target)):
        helmets = flags = 0
    if any(play.battle == combat.number for play in game.in_force("backstab", attacker)):
        combat.backstab, striking = combat.backstab if combat.is_stabbed else striking, 0
    hits = helmets + striking
    cries = bool(game.in_force("cry", attacker))
    poisoned = bool(game.unit(target).get("poisoned")) and not combat.newly_poisoned
    if cries or poisoned:
        hits += lore
        if cries or game.rules["poison_lore"] == "consumed":
            combat.lore = 0
    combat.bold = bold(game, target)
    if game.unit(target).get("webbed"):
        hits += flags if game.rules["webbed_flags"] == "all_hit" else max(0, flags - combat.bold)
        flags = 0
    combat.hits, combat.flags = hits, flags
    if game.adventure.lore and game.kind(attacker).kind != "creature" and combat.lore:
        due = min(combat.lore, game.state["pool"])
        game.tokens_due[game.side(attacker), "faces"] = game.tokens_due.get((game.side(attacker), "faces"), 0) + due


def close(game: Game) -> None:
    """Look whether everything that a battle asks for has happened."""
    combat: Combat | None = game.combat
    if combat is None or combat.faces is None or game.is_over:
        return
    from tests.games.battlelore.referee.retreats import demand_rest

    demand_rest(game, combat)


HANDLERS: dict[str, Any] = {"battle": battle}

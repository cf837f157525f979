"""Flags and what follows from them: who retreats where, who gains ground or pursues, and what a battle still owes."""

from __future__ import annotations

from typing import Any

from tests.games.battlelore.referee.combat import Combat, bold, resolve
from tests.games.battlelore.referee.game import Event, Game
from tests.games.battlelore.referee.ground import Hex, hex_of, is_on_board, name_of, neighbours, rearward


def free_rearward(game: Game, label: str) -> list[Hex]:
    """Return the hexes towards its own edge that a unit may retreat to (BL-FLAG-03 to 05)."""
    standing = game.occupied()
    behind = rearward(game.place(label), game.side(label))
    return [place for place in behind if place not in standing and game.ground.is_passable(place)]


def ignore(game: Game, event: Event) -> None:
    """A unit ignores no more flags than it may; a creature just one (BL-MOR-02 to 04, BL-CRE-05)."""
    combat = game.combat
    if combat is None:
        game.suspect("BL-MOR-02", "flags are ignored outside a battle")
        return
    resolve(game, combat)
    label, ignored = event["unit"], event["ignored"]
    game.demand(label == combat.target, "BL-MOR-02", f"{label} is not the target")
    game.demand(event["flags"] == combat.flags, "BL-FLAG-01", f"{event['flags']} flags, and {combat.flags} were rolled")
    combat.bold = bold(game, label)
    game.demand(0 <= ignored <= min(combat.bold, combat.flags), "BL-MOR-02", f"{label} ignores {ignored} flags")
    combat.ignored = ignored
    take_flags(game, combat)


def take_flags(game: Game, combat: Combat) -> None:
    """Count the hexes that a unit must retreat (BL-FLAG-01, BL-MOR-05, BL-CRE-07)."""
    resolve(game, combat)
    kind = game.kind(combat.target)
    if kind.kind == "creature":
        must = min(combat.bold, combat.flags)
        game.demand((combat.ignored or 0) == must, "BL-CRE-05", f"{combat.target} must ignore {must} flags")
    per_flag = max(kind.hexes_per_flag, game.race(combat.target).hexes_per_flag)
    combat.due = (combat.flags - (combat.ignored or 0)) * per_flag


def retreat(game: Game, event: Event) -> None:
    """One hex towards the own edge, free of units and passable (BL-FLAG-02 to 05)."""
    combat, label = game.combat, event["unit"]
    if combat is None or label != combat.target:
        game.suspect("BL-FLAG-01", f"{label} retreats though nobody drives it off")
    else:
        take_flags(game, combat)
        combat.travelled += 1
        game.demand(combat.travelled <= combat.due, "BL-FLAG-01", f"{label} retreats more than {combat.due} hexes")
        game.demand(not combat.is_blocked, "BL-FLAG-06", f"{label} retreats though it was blocked")
        free = [name_of(place) for place in free_rearward(game, label)]
        game.demand(event["to"] in free, "BL-FLAG-03", f"{label} retreats to {event['to']}, not to one of {free}")
    game.demand(game.unit(label)["hex"] == event["from"], "BL-FLAG-01", f"{label} is not at {event['from']}")
    game.unit(label)["hex"] = event["to"]
    game.moving = ("retreat", label)


def follow(game: Game, event: Event) -> None:
    """Gain the ground of who is gone or driven off; a mounted unit one hex more (BL-POST-03 to 09)."""
    combat, label = game.combat, event["unit"]
    start, end = hex_of(event["from"]), hex_of(event["to"])
    if combat is None or label != combat.attacker:
        game.suspect("BL-POST-03", f"{label} has nobody to follow")
    else:
        _check_follow(game, combat, start, end)
        combat.follows.append(end)
    game.demand(game.hex(label) == start, "BL-POST-03", f"{label} is not at {event['from']}")
    game.unit(label)["hex"] = event["to"]
    game.moving = ("follow", label)


def _check_follow(game: Game, combat: Combat, start: Hex, end: Hex) -> None:
    label = combat.attacker
    demand_rest(game, combat)
    game.demand(combat.melee and combat.kind != "back", "BL-POST-01", f"{label} follows after a shot or a battle back")
    game.demand(end not in game.occupied() and is_on_board(end), "BL-POST-03", f"{name_of(end)} is not free")
    game.demand(
        end in neighbours(start) and game.ground.is_passable(end), "BL-POST-04", f"{name_of(end)} is out of reach"
    )
    stops, may_battle = game.ground.entry(start, end, game.rules["rampart_along"])
    if not combat.follows:
        left = game.hex(combat.target) != combat.place
        game.demand(end == combat.place and left, "BL-POST-03", f"{name_of(combat.place)} is the hex to gain")
        passes = game.rules["ford_pursuit"] == "pass" and game.ground.names(end) == ("ford",)
        combat.must_stop = stops and not passes
    else:
        is_pursuit = combat.kind == "attack" and game.kind(label).kind == "mounted" and len(combat.follows) == 1
        game.demand(is_pursuit, "BL-POST-04", f"{label} pursues too far")
        game.demand(not combat.must_stop, "BL-POST-05", f"{label} must stop at {name_of(start)}")
    combat.bars_battle |= not may_battle


def demand_rest(game: Game, combat: Combat) -> None:
    """Demand that losses, retreats and panic of a battle have all happened."""
    resolve(game, combat)
    target = combat.target
    if combat.hits is None or combat.is_checked:
        return
    combat.is_checked = True
    is_creature = game.kind(target).kind == "creature"
    if combat.hits and is_creature:
        game.demand(combat.is_critical_over, "BL-CRE-03", f"{combat.hits} dice that hit {target} are not rolled again")
    due = combat.critical if is_creature else combat.hits
    if due and combat.cornered is None:
        game.demand(("dice", target) in combat.losses, "BL-HIT-04", f"{target} loses nothing and should lose {due}")
    game.demand(not combat.backstab, "BL-LORE-12", f"{combat.attacker} should lose {combat.backstab}")
    _demand_tokens(game, combat)
    if game.hex(target) is None:
        return
    take_flags(game, combat)
    game.demand(not combat.panic, "BL-PANIC-03", f"{target} should lose {combat.panic} in panic")
    if combat.travelled < combat.due:
        game.demand(combat.is_blocked, "BL-FLAG-01", f"{target} retreats {combat.travelled} hexes, not {combat.due}")
        game.demand(not free_rearward(game, target), "BL-FLAG-01", f"{target} could retreat further")
    if combat.travelled and game.race(target).panics:
        game.demand(combat.panic is not None, "BL-PANIC-01", f"{target} flees {combat.travelled} hexes without panic")


def _demand_tokens(game: Game, combat: Combat) -> None:
    """Each Lore face of a creature is spent, stored or in the chalice (BL-CRE-10 to 13, BL-DIE-03)."""
    label = combat.attacker
    if not game.adventure.lore or game.kind(label).kind != "creature" or game.hex(label) is None:
        return
    had = combat.lore + combat.stored
    has = combat.spent + combat.to_chalice + game.unit(label)["stored"]
    lost = had - has
    short = lost > 0 and game.state["pool"] == 0
    game.demand(not lost or short, "BL-CRE-11", f"{label} had {had} Lore faces and tokens, and {has} are told")


HANDLERS: dict[str, Any] = {"ignore": ignore, "retreat": retreat, "follow": follow}

"""What dice do: losses, critical hits, panic and trampling (BL-HIT, BL-PANIC, BL-CRE)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.battlelore.referee.combat import Combat, resolve, roll, swords
from tests.games.battlelore.referee.game import Event, Game
from tests.games.battlelore.referee.ground import name_of, neighbours, rearward
from tests.games.battlelore.referee.retreats import free_rearward, take_flags
from tests.games.battlelore.referee.tables import COLOURS

FACES = "GBRSFL"


def throw(game: Game, event: Event) -> None:
    """Dice are thrown: as many as the rules say, by whom they say, and they show six faces (BL-DIE-01)."""
    faces = Counter({face: number for face, number in event["faces"].items() if number})
    purpose, dice, side = event["for"], event["dice"], event["side"]
    game.demand(set(faces) <= set(FACES) and faces.total() == dice, "BL-DIE-01", f"{dice} dice show {dict(faces)}")
    game.demand(min(event["faces"].values(), default=0) >= 0, "BL-DIE-01", f"the dice show {event['faces']}")
    if purpose in THROWS:
        combat = game.combat
        if combat is None:
            game.suspect("BL-RNG-10", f"dice for {purpose} outside a battle")
            return
        if purpose == "critical" and _is_backstab(game, combat):
            combat.backstab = int(faces[_colour(game, combat.attacker)] > 0)
            return
        thrower = game.side(combat.attacker)
        game.demand(side == thrower, "BL-PANIC-02", f"{side} throws dice for {purpose}, not {thrower}")
        THROWS[purpose](game, combat, dice, faces)
    else:
        game.other_throws[purpose](game, event, faces)


def _is_backstab(game: Game, combat: Combat) -> bool:
    """Return whether a creature is hit by its own bonus strikes, which must be rolled again too."""
    resolve(game, combat)
    if not combat.backstab or combat.is_stabbed or game.kind(combat.attacker).kind != "creature":
        return False
    combat.is_stabbed = True
    return True


def _battle(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    game.demand(combat.faces is None, "BL-DICE-04", f"{combat.attacker} rolls twice in one battle")
    del dice
    roll(game, combat, faces)


def _critical(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    """The dice that hit a creature are rolled again (BL-CRE-03)."""
    resolve(game, combat)
    game.demand(game.kind(combat.target).kind == "creature", "BL-CRE-03", f"{combat.target} is no creature")
    game.demand(dice == combat.hits, "BL-CRE-03", f"{dice} dice are rolled again, {combat.hits} have hit")
    combat.is_critical_over = True
    combat.critical = int(faces[_colour(game, combat.target)] > 0)


def _panic(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    """A die for each hex that a Frightened unit has fled (BL-PANIC-01 to 04)."""
    game.demand(game.race(combat.target).panics, "BL-PANIC-01", f"{combat.target} does not panic")
    game.demand(dice == combat.travelled, "BL-PANIC-02", f"{dice} dice for {combat.travelled} hexes of flight")
    game.demand(combat.panic is None, "BL-PANIC-02", f"{combat.target} panics twice")
    combat.panic = faces[_colour(game, combat.target)]


def _cornered(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    """A die for each hex that a creature could not retreat (BL-CRE-09)."""
    left = combat.due - combat.travelled
    game.demand(dice == left, "BL-CRE-09", f"{dice} dice for {left} hexes that {combat.target} cannot retreat")
    place, side = game.place(combat.target), game.side(combat.target)
    all_beside = game.rules["trample"] == "all_adjacent"
    near = neighbours(place) if all_beside else rearward(place, side)
    in_way = [label for at, label in game.occupied().items() if at in near]
    is_in_way = any(at in rearward(place, side) for at in game.occupied())
    for label in in_way if is_in_way else []:
        game.demand(("trample", label) in combat.losses, "BL-CRE-08", f"{label} is not trampled")
    combat.cornered = faces[_colour(game, combat.target)]
    combat.is_blocked = True


def _cornered_critical(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    game.demand(dice == combat.cornered, "BL-CRE-09", f"{dice} dice are rolled again, not {combat.cornered}")
    combat.critical = int(faces[_colour(game, combat.target)] > 0)


def _berserk(game: Game, combat: Combat, dice: int, faces: Counter[str]) -> None:
    """Each bonus strike that counts gives one more die, once."""
    assert combat.faces is not None
    due = swords(game, combat, combat.faces["S"])
    game.demand(game.in_force("berserk", combat.attacker), "BL-LORE-11", f"{combat.attacker} is not berserk")
    game.demand(dice == due, "BL-DICE-07", f"{dice} more dice, not {due}")
    combat.extra = faces
    combat.lore += faces["L"]


THROWS: dict[str, Any] = {
    "battle": _battle,
    "critical": _critical,
    "panic": _panic,
    "cornered": _cornered,
    "cornered critical": _cornered_critical,
    "berserk": _berserk,
}


def _colour(game: Game, label: str) -> str:
    return COLOURS[game.unit(label)["colour"]]


def hit(game: Game, event: Event) -> None:
    """A unit loses figures; without any it is gone (BL-HIT-04, BL-FLAG-06, BL-PANIC-03, BL-CRE-08)."""
    label, lost, why = event["unit"], event["lost"], event["why"]
    unit, combat = game.unit(label), game.combat
    if why == "card":
        game.hit_by_card(game, event)
    elif combat is None:
        game.suspect("BL-HIT-04", f"{label} loses figures outside a battle")
    else:
        due = LOSSES[why](game, combat, label)
        game.demand((why, label) not in combat.losses, "BL-HIT-04", f"{label} loses figures by {why} twice")
        combat.losses.add((why, label))
        game.demand(
            lost == min(due, unit["figures"]), "BL-HIT-04", f"{label} loses {lost} by {why}, and should lose {due}"
        )
    unit["figures"] -= lost
    game.demand(unit["figures"] >= 0, "BL-HIT-04", f"{label} loses more figures than it has")
    if unit["figures"] <= 0:
        game.owe("BL-TRP-04", "gone", unit=label)


def _by_dice(game: Game, combat: Combat, label: str) -> int:
    resolve(game, combat)
    game.demand(label == combat.target, "BL-HIT-04", f"{label} is not the target")
    return combat.critical if game.kind(label).kind == "creature" else combat.hits or 0


def _by_block(game: Game, combat: Combat, label: str) -> int:
    """Hexes that cannot be retreated, as nobody may enter what lies behind (BL-FLAG-06)."""
    take_flags(game, combat)
    is_troop = game.kind(label).kind != "creature"
    game.demand(label == combat.target and is_troop, "BL-FLAG-06", f"{label} does not retreat, or is a creature")
    free = free_rearward(game, label)
    game.demand(not free, "BL-FLAG-06", f"{label} can still retreat to {[name_of(place) for place in free]}")
    may = combat.ignored is not None and combat.ignored < min(combat.bold, combat.flags)
    game.demand(not may or combat.travelled, "BL-Q09", f"{label} loses figures for flags that it may ignore")
    combat.is_blocked = True
    return combat.due - combat.travelled


def _by_panic(game: Game, combat: Combat, label: str) -> int:
    game.demand(label == combat.target, "BL-PANIC-03", f"{label} does not panic")
    due, combat.panic = combat.panic or 0, 0
    return due


def _by_trample(game: Game, combat: Combat, label: str) -> int:
    """Units in the way of a creature that cannot retreat lose a figure for each hex (BL-CRE-08, BL-Q32)."""
    take_flags(game, combat)
    place = game.place(combat.target)
    behind = rearward(place, game.side(combat.target))
    is_in_way = game.hex(label) in behind
    if game.rules["trample"] == "all_adjacent":
        is_in_way = game.hex(label) in neighbours(place)
    game.demand(game.kind(combat.target).kind == "creature" and is_in_way, "BL-CRE-08", f"{label} is not in the way")
    return combat.due - combat.travelled


def _by_corner(game: Game, combat: Combat, label: str) -> int:
    del game
    return combat.critical if label == combat.target else 0


def _by_backstab(game: Game, combat: Combat, label: str) -> int:
    resolve(game, combat)
    due, combat.backstab = combat.backstab, 0
    return due if label == combat.attacker else 0


LOSSES: dict[str, Any] = {
    "dice": _by_dice,
    "blocked": _by_block,
    "panic": _by_panic,
    "trample": _by_trample,
    "cornered": _by_corner,
    "backstab": _by_backstab,
}


HANDLERS: dict[str, Any] = {"throw": throw, "hit": hit}

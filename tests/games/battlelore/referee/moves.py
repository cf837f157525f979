"""Moves, charges, passages, training and healing (BL-MOV, BL-GOB-01, BL-LMK-06 to 10)."""

from __future__ import annotations

from typing import Any

from tests.games.battlelore.referee.banners import look_around
from tests.games.battlelore.referee.game import OTHER, Event, Game, Turn
from tests.games.battlelore.referee.ground import distance, hex_of, is_on_board
from tests.games.battlelore.referee.orders import active

PASSAGE, ONSLAUGHT = 1, 2
NEXT_COLOUR = {"green": "blue", "blue": "red"}


def move(game: Game, event: Event) -> None:
    """An ordered unit moves once, before all combats, as far as it and the ground allow."""
    turn, label, start, end = active(game), event["unit"], hex_of(event["from"]), hex_of(event["to"])
    game.demand(game.hex(label) == start, "BL-MOV-01", f"{label} does not stand on {event['from']}")
    if event["by"] == "card":
        _by_card(game, turn, label, event)
    else:
        game.demand(label in turn.ordered, "BL-CMD-07", f"{label} moves without an order")
        is_first = label not in turn.moved or (label in turn.teleported and start == end)
        game.demand(is_first, "BL-MOV-01", f"{label} moves twice")
        game.demand(label not in turn.done, "BL-MOV-01", f"{label} may do nothing more")
        game.demand(not turn.n_battles, "BL-TURN-02", f"{label} moves after a combat")
        game.demand(not game.adventure.lore or not game.unit(label)["webbed"], "BL-CRE-15", f"{label} is webbed")
        if event.get("passage"):
            _through_passage(game, turn, label, event)
        elif start != end:
            _on_foot(game, turn, label, event)
        turn.moved[label] = turn.moved.get(label, False) or start != end
    game.unit(label)["hex"] = event["to"]
    game.demand(is_on_board(end), "BL-MOV-05", f"{event['to']} is not on the board")
    if start != end:
        look_around(game)
        _owe_healing(game, turn, label)


def _on_foot(game: Game, turn: Turn, label: str, event: Event) -> None:
    start, end = hex_of(event["from"]), hex_of(event["to"])
    kind, race = game.kind(label), game.race(label)
    extra = sum(play.strength for play in game.in_force("speed", label)) + sum(
        play.strength for play in game.in_force("speed_all")
    )
    with_battle, most, melee = kind.battle_move + extra, kind.move + extra, kind.battle_move + extra
    if turn.effect == "foot_onslaught":
        with_battle = melee = max(melee, ONSLAUGHT + extra)
    if event.get("charge"):
        game.demand(kind.kind == "foot" and race.charge_hexes, "BL-GOB-01", f"{label} cannot charge")
        melee = max(melee, race.charge_hexes + extra)
        enemies = game.beside(end, OTHER[turn.side])
        game.demand(enemies, "BL-GOB-01", f"{label} charges nobody at {event['to']}")
        turn.charged.add(label)
        turn.charged_at[label] = enemies
    ways = game.ground.ways(start, max(most, melee), set(game.occupied()), game.rules["rampart_along"]).get(end, set())
    ways = {way for way in ways if way.hexes <= (melee if event.get("charge") else max(most, melee))}
    game.demand(ways, "BL-MOV-02", f"{label} cannot move from {event['from']} to {event['to']}")
    turn.may_battle[label] = any(way.may_battle and way.hexes <= melee for way in ways)
    if turn.may_battle[label] and not any(way.may_battle and way.hexes <= with_battle for way in ways):
        turn.melee_only.add(label)
    if event.get("charge"):
        game.demand(turn.may_battle[label], "BL-GOB-01", f"{label} charges where it may not battle")
    if label in turn.freed and game.rules["freed_unit"] == "move_or_battle":
        turn.may_battle[label] = False


def _through_passage(game: Game, turn: Turn, label: str, event: Event) -> None:
    """From the own den to its exit, for 1 Lore (BL-LMK-07)."""
    game.demand(event["from"] in turn.dens, "BL-LMK-07", f"{event['from']} is no den of {turn.side}")
    game.demand(turn.origins.get(label) == hex_of(event["from"]), "BL-LMK-07", f"{label} did not begin its turn there")
    is_exit = game.passages.get(turn.side) == event["to"]
    game.demand(is_exit, "BL-LMK-07", f"{event['to']} is no exit of {turn.side}")
    game.demand(hex_of(event["to"]) not in game.occupied(), "BL-MOV-04", f"{event['to']} is occupied")
    game.demand(game.state["chalice"][turn.side] >= PASSAGE, "BL-LMK-07", f"{turn.side} cannot pay the passage")
    game.state["chalice"][turn.side] -= PASSAGE
    game.state["pool"] += PASSAGE
    turn.may_battle[label] = True


def _by_card(game: Game, turn: Turn, label: str, event: Event) -> None:
    """A Lore card moves a unit to a vacant hex not too far away; it counts as ordered and does not move again."""
    plays = game.in_force("teleport", label)
    game.demand(plays, "BL-LORE-15", f"no card moves {label}")
    start, end = hex_of(event["from"]), hex_of(event["to"])
    if plays:
        far = distance(start, end)
        game.demand(far <= plays[-1].strength, "BL-LORE-06", f"{label} is moved {far} hexes, not {plays[-1].strength}")
    game.demand(start == end or end not in game.occupied(), "BL-MOV-04", f"{event['to']} is occupied")
    game.demand(start == end or game.ground.is_passable(end), "BL-TER-04", f"{event['to']} cannot be entered")
    turn.teleported.add(label)


def _owe_healing(game: Game, turn: Turn, label: str) -> None:
    """A weakened unit that moves into its own pool is whole again (BL-LMK-10)."""
    name = game.unit(label)["hex"]
    is_pool = "healing_pool" in game.ground.names(hex_of(name)) and game.state["owners"].get(name) == turn.side
    if is_pool and game.unit(label)["figures"] < game.record["units"][label]["figures"]:
        game.owe("BL-LMK-10", "healed", unit=label, by="pool")


def healed(game: Game, event: Event) -> None:
    turn, label = active(game), event["unit"]
    unit, most = game.unit(label), game.record["units"][label]["figures"]
    if event["by"] == "pool":
        place = unit["hex"]
        _remove(game, place, "healing_pool")
        unit["figures"] = most
        turn.done.add(label)
        return
    plays = game.in_force("heal", label)
    game.demand(plays, "BL-LORE-15", f"no card heals {label}")
    unit["figures"] = min(most, unit["figures"] + (plays[-1].strength if plays else 0))


def passage_opened(game: Game, event: Event) -> None:
    """Once, on a forest or hill that nobody stands on; the exit is of that kind (BL-LMK-06, BL-LMK-08)."""
    turn, label, place = active(game), event["unit"], event["hex"]
    game.demand(label in turn.ordered, "BL-LMK-06", f"{label} is not ordered")
    game.demand(game.unit(label)["hex"] in turn.dens, "BL-LMK-06", f"{label} is in no den of {turn.side}")
    names = game.ground.names(hex_of(place))
    game.demand({"forest", "hill"} & set(names), "BL-LMK-06", f"{place} is neither forest nor hill")
    game.demand("secret_passage" not in names, "BL-LMK-06", f"{place} is a passage already")
    game.demand(hex_of(place) not in game.occupied(), "BL-LMK-06", f"{place} is occupied")
    game.demand(turn.side not in game.passages, "BL-LMK-06", f"{turn.side} has opened a passage before")
    game.passages[turn.side] = place
    game.state["ground"][place] = [*names, "secret_passage"]


def trained(game: Game, event: Event) -> None:
    """A troop in the own camp goes up one colour, and does nothing more; the camp is gone (BL-LMK-09)."""
    turn, label = active(game), event["unit"]
    unit = game.unit(label)
    place = unit["hex"]
    in_camp = "training_camp" in game.ground.names(hex_of(place)) and game.state["owners"].get(place) == turn.side
    game.demand(label in turn.ordered and in_camp, "BL-LMK-09", f"{label} is not ordered in a camp of {turn.side}")
    game.demand(game.kind(label).kind != "creature", "BL-LMK-09", f"{label} is no troop")
    game.demand(turn.origins.get(label) == hex_of(place), "BL-LMK-09", f"{label} was not in the camp already")
    game.demand(not turn.moved.get(label), "BL-LMK-09", f"{label} has moved")
    game.demand(unit["colour"] in NEXT_COLOUR, "BL-LMK-09", f"{label} is {unit['colour']} already")
    unit["colour"] = NEXT_COLOUR.get(unit["colour"], unit["colour"])
    turn.done.add(label)
    _remove(game, place, "training_camp")


def _remove(game: Game, place: str, terrain: str) -> None:
    names = [name for name in game.ground.names(hex_of(place)) if name != terrain]
    game.state["ground"][place] = names or ["countryside"]
    game.state["owners"].pop(place, None)


HANDLERS: dict[str, Any] = {"move": move, "healed": healed, "passage_opened": passage_opened, "trained": trained}

"""Banners: for units that are gone, for hexes, and the end the moment there are enough."""

from __future__ import annotations

from typing import Any

from tests.games.battlelore.referee.game import OTHER, Event, Game
from tests.games.battlelore.referee.ground import hex_of


def look_around(game: Game) -> None:
    """Look at hexes worth banners and at strongholds, as after every change of who stands where (BL-WIN-03)."""
    standing = game.occupied()
    for row in game.record["banner_hexes"]:
        place, side, banners = row["hex"], row["side"], row["banners"]
        who = standing.get(hex_of(place))
        is_there = who is not None and game.side(who) == side
        if row["held"]:
            counted = game.held.get(place, 0)
            if is_there != bool(counted):
                game.held[place] = banners if is_there else 0
                change = banners if is_there else -banners
                game.owe("BL-WIN-03", "banner", side=side, banners=change, why="hex", hex=place)
        elif is_there and place not in game.earned:
            game.earned.add(place)
            game.owe("BL-WIN-03", "banner", side=side, banners=banners, why="hex", hex=place)
    for place, side in game.state["owners"].items():
        who = standing.get(hex_of(place))
        if who is None or side is None or "stronghold" not in game.ground.names(hex_of(place)):
            continue
        if game.side(who) != side and place not in game.lost_keeps:
            game.lost_keeps.add(place)
            game.owe("BL-LMK-12", "stronghold", side=side, hex=place, retaken=False)
        elif game.side(who) == side and place in game.lost_keeps:
            game.lost_keeps.discard(place)
            game.owe("BL-LMK-12", "stronghold", side=side, hex=place, retaken=True)


def banner(game: Game, event: Event) -> None:
    """Count banners; whoever has enough has won at once, in anybody's turn (BL-WIN-04)."""
    side = event["side"]
    game.state["banners"][side] += event["banners"]
    needed = game.record["sides"][side]["banners"]
    if game.state["banners"][side] >= needed:
        game.debts = [type(debt)(debt.event, debt.says, debt.rule, must=False) for debt in game.debts]
        game.owe("BL-WIN-04", "won", side=side)


def stronghold(game: Game, event: Event) -> None:
    """Its owner loses a command card by chance, or draws one (BL-LMK-12)."""
    side = event["side"]
    if event["retaken"]:
        game.owe("BL-LMK-12", "draw", side=side, pile="command", why="stronghold")
    elif game.state["hand"][side]:
        game.owe("BL-LMK-12", "discard", side=side, pile="command", why="stronghold")


def gone(game: Game, event: Event) -> None:
    """A unit leaves the board: a banner for the enemy, a token for who kills a creature (BL-WIN-02, BL-CRE-04)."""
    label = event["unit"]
    unit, side = game.unit(label), game.side(label)
    game.demand(unit["figures"] == 0, "BL-TRP-04", f"{label} still has {unit['figures']} figures")
    unit["hex"] = None
    if game.adventure.lore:
        game.state["pool"] += unit["stored"]
        unit["stored"] = 0
    game.owe("BL-WIN-02", "banner", side=OTHER[side], banners=1, why="unit", unit=label)
    if game.kind(label).kind == "creature" and game.adventure.lore and game.state["pool"] > 0:
        game.owe("BL-CRE-04", "tokens", side=OTHER[side], change=1, why="kill")
    look_around(game)


def won(game: Game, event: Event) -> None:
    side = event["side"]
    game.demand(
        game.state["banners"][side] >= game.record["sides"][side]["banners"], "BL-WIN-01", f"{side} has too few banners"
    )
    game.state["winner"] = side
    game.is_over = True
    game.debts.clear()


def late(game: Game, event: Event) -> None:
    """Nobody has won when the turns are over."""
    del event
    number = game.turn.number if game.turn else 0
    game.demand(number == game.record["turn_limit"], "BL-TURN-03", f"the game is cut off in turn {number}")
    game.state["winner"] = "draw"
    game.is_over = True


HANDLERS: dict[str, Any] = {"banner": banner, "stronghold": stronghold, "gone": gone, "won": won, "late": late}

"""Turns, command cards and orders: what a card lets whom do (BL-TURN, BL-CMD)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.battlelore.referee.game import OTHER, Event, Game, Turn
from tests.games.battlelore.referee.ground import hex_of, neighbours, sections
from tests.games.battlelore.referee.hands import close_turn

OUT_OF_SECTION, BREAK_WEB = 3, 1
SECTIONS = ("left", "centre", "right")
OF_DIE = {"G": "green", "B": "blue", "R": "red"}


def turn(game: Game, event: Event) -> None:
    """Sides take turns; the adventure says who begins (BL-TURN-03)."""
    side, number = event["side"], event["number"]
    before = game.turn
    if before is None:
        game.demand(not game.opening, "BL-SETUP-03", f"{game.opening} should come before the first turn")
        said = (game.record["first"], 1)
    else:
        close_turn(game)
        said = (OTHER[before.side], before.number + 1)
        game.demand(number <= game.record["turn_limit"], "BL-TURN-03", f"turn {number} is beyond the limit")
    game.demand((side, number) == said, "BL-TURN-03", f"turn {number} of {side} should be {said}")
    game.turn = Turn(side, number, {label: place for place, label in game.occupied().items()})
    game.turn.dens = {
        name
        for name, owner in game.state["owners"].items()
        if owner == side and "rogues_den" in game.ground.names(hex_of(name))
    }


def command_card(game: Game, event: Event) -> None:
    """Play one card from the hand; as many as the command counts the card too (BL-CMD-01, BL-CMD-04)."""
    turn, side, card = active(game), event["side"], event["card"]
    game.demand(side == turn.side, "BL-CMD-01", f"{side} plays a command card in the turn of {turn.side}")
    game.demand(turn.card is None and not turn.effect, "BL-CMD-01", "a second command card in this turn")
    hand = game.state["hand"][side]
    command = len(hand)
    if card is None:
        game.demand(not hand, "BL-CMD-01", f"{side} plays nothing though it has {hand}")
        turn.effect = "none"
        return
    game.demand(card in hand, "BL-CMD-01", f"{side} has no {card}")
    if card in hand:
        hand.remove(card)
        game.command_pile.table[card] += 1
    row, copied = game.tables.command_cards[card], event["copied"]
    is_copy = row.effect == "counter_attack"
    game.demand(is_copy or copied is None, "BL-CMD-06", f"{card} copies {copied}")
    played = game.tables.command_cards[copied] if copied is not None else row
    as_told = (played.effect, [played.left, played.centre, played.right], played.anywhere) if copied else None
    before = game.last_played.get(OTHER[side])
    game.demand(not is_copy or as_told == before, "BL-CMD-06", f"{copied} is copied, not {before}")
    orders = [played.left, played.centre, played.right][:: -1 if copied else 1]
    effect, anywhere = played.effect, played.anywhere
    if is_copy and copied is None:
        anywhere = 1
    told = (event["effect"], list(event["orders"].values()) if isinstance(event["orders"], dict) else event["orders"])
    game.demand(told == (effect, orders), "BL-CMD-02", f"{card} is played as {told}, not {effect, orders}")
    game.demand(event["anywhere"] == anywhere, "BL-CMD-03", f"{card} orders {event['anywhere']}, not {anywhere}")
    game.demand(event["command"] == command, "BL-CMD-04", f"the command is {event['command']}, not {command}")
    turn.card, turn.effect, turn.command = card, effect, command
    turn.slots = {
        place: command if number < 0 else number for place, number in zip(SECTIONS, orders, strict=True) if number
    }
    turn.may_order = command if anywhere < 0 else anywhere
    if copied is not None or not is_copy:
        game.last_played[side] = (effect, orders, anywhere)


def led(game: Game, event: Event) -> None:
    """A Lore card in place of a command card orders units of any kind (BL-LORE-08)."""
    turn = active(game)
    plays = game.in_force("assault")
    game.demand(plays, "BL-LORE-08", "no Lore card leads this turn")
    if plays:
        game.demand(
            event["anywhere"] == plays[-1].strength,
            "BL-LORE-06",
            f"it orders {event['anywhere']}, not {plays[-1].strength}",
        )
    turn.effect, turn.may_order = "led", event["anywhere"]


def order(game: Game, event: Event) -> None:
    """Order units as the card lets (BL-CMD-02 to 05, 08 to 10, 14, 15); free those webbed (BL-CRE-16)."""
    turn, units = active(game), list(event["units"])
    game.demand(not turn.ordered, "BL-CMD-09", "units are ordered a second time")
    game.demand(not turn.moved and not turn.n_battles, "BL-TURN-01", "orders come before moves and combats")
    game.demand(len(set(units)) == len(units), "BL-CMD-09", f"{units}: one order per unit")
    for label in units:
        own = game.side(label) == turn.side and game.hex(label) is not None
        game.demand(own, "BL-CMD-07", f"{label} is not there to be ordered by {turn.side}")
    units = [label for label in units if game.hex(label) is not None]
    left_out = (turn.outside | turn.freed) - set(units)
    game.demand(not left_out, "BL-CMD-15", f"{left_out} are paid for and not ordered")
    _check_numbers(game, turn, units, turn.outside)
    turn.ordered = units


def paid(game: Game, event: Event) -> None:
    """Pay for a creature out of its section, or to free a unit from a web (BL-CMD-15, BL-CRE-16)."""
    turn, label, price = active(game), event["unit"], event["price"]
    game.demand(game.side(label) == turn.side == event["side"], "BL-CMD-15", f"{event['side']} pays for {label}")
    due = BREAK_WEB * event["freed"]
    if event["freed"]:
        game.demand(game.unit(label)["webbed"], "BL-CRE-16", f"{label} is not webbed")
        game.unit(label)["webbed"] = False
        turn.freed.add(label)
    if price != due:
        may = game.kind(label).kind == "creature" and turn.effect in ("section", "scout")
        game.demand(may, "BL-CMD-15", f"{label} cannot be ordered out of its section")
        turn.outside.add(label)
        due += OUT_OF_SECTION
    game.demand(price == due, "BL-CMD-15", f"{label} costs {price} Lore, not {due}")
    game.demand(game.state["chalice"][turn.side] >= price, "BL-CMD-15", f"{turn.side} cannot pay {price} Lore")
    game.state["chalice"][turn.side] -= price
    game.state["pool"] += price


def _check_numbers(game: Game, turn: Turn, units: list[str], outside: set[str]) -> None:
    """As many as the card says, of the kind and in the sections it says."""
    if turn.effect in ("section", "scout"):
        game.demand(_fits(game, turn, units, outside), "BL-CMD-02", f"{units} are not what {turn.card} orders")
        return
    if turn.effect == "battlelore":
        game.demand(_fits_dice(game, turn, units), "BL-CMD-03", f"{units} are not what the dice order: {turn.dice}")
        return
    game.demand(len(units) <= turn.may_order, "BL-CMD-03", f"{len(units)} units are ordered, {turn.may_order} may be")
    test = CRITERIA.get(turn.effect)
    if turn.effect.startswith("colour_"):
        test = _is_of_colour(turn.effect.removeprefix("colour_"))
    for label in units if test else []:
        assert test is not None
        game.demand(test(game, label), "BL-CMD-03", f"{label} cannot be ordered by {turn.effect}")
    if turn.effect == "foot_onslaught":
        game.demand(_are_together(game, units), "BL-CMD-03", f"{units} are no group of units beside each other")


def _fits(game: Game, turn: Turn, units: list[str], outside: set[str]) -> bool:
    """Return whether each unit can have an order of a section it stands in, none twice."""
    slots = [place for place, number in turn.slots.items() for _ in range(number)]
    takers: dict[int, str] = {}

    def place(label: str, tried: set[int]) -> bool:
        own = set(SECTIONS) if label in outside else sections(game.place(label), turn.side)
        for number, section in enumerate(slots):
            if section in own and number not in tried:
                tried.add(number)
                if number not in takers or place(takers[number], tried):
                    takers[number] = label
                    return True
        return False

    return all(place(label, set()) for label in units)


def _fits_dice(game: Game, turn: Turn, units: list[str]) -> bool:
    """A helmet orders a unit of its colour, a sword any; a flag and a Lore face none."""
    over = 0
    for face, colour in OF_DIE.items():
        n_units = sum(game.unit(label)["colour"] == colour for label in units)
        over += max(0, n_units - turn.dice.get(face, 0))
    return over <= turn.dice.get("S", 0)


def _is_of_colour(colour: str) -> Callable[[Game, str], bool]:
    return lambda game, label: bool(game.unit(label)["colour"] == colour)


def _is_kind(kind: str) -> Callable[[Game, str], bool]:
    return lambda game, label: game.kind(label).kind == kind


def _can_shoot(game: Game, label: str) -> bool:
    enemies = game.beside(game.place(label), OTHER[game.side(label)])
    return game.weapon(label).range_hexes > 1 and not enemies


CRITERIA: dict[str, Callable[[Game, str], bool]] = {
    "mounted_charge": _is_kind("mounted"),
    "foot_onslaught": _is_kind("foot"),
    "darken_the_sky": _can_shoot,
}


def _are_together(game: Game, units: list[str]) -> bool:
    places = {game.place(label) for label in units}
    group, edge = set(), set(list(places)[:1])
    while edge:
        group |= edge
        edge = {near for place in edge for near in neighbours(place)} & places - group
    return group == places


def active(game: Game) -> Turn:
    assert game.turn is not None
    return game.turn


HANDLERS: dict[str, Any] = {"turn": turn, "command_card": command_card, "led": led, "paid": paid, "order": order}

"""Lore cards, what they cost and do, the powers of creatures, and dice that no battle rolls (BL-LORE, BL-CRE)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.battlelore.referee.combat import resolve
from tests.games.battlelore.referee.game import OTHER, Event, Game, LorePlay
from tests.games.battlelore.referee.orders import active
from tests.games.battlelore.referee.tables import COLOURS

REACTIONS = {"before_roll", "after_roll", "answer"}
OWN_TURN = {"command", "instead", "movement", "combat", "melee", "ranged"}
WEB, POISON, MOST_STORED = 1, 2, 2
PRICES = {"web": WEB, "poison": POISON, "chalice": 0, "store": 0}


def lore_card(game: Game, event: Event) -> None:
    """Play a Lore card in its phase, one a turn, and pay at once (BL-LORE-07, 13, 14)."""
    turn, side, name = active(game), event["side"], event["card"]
    card, row = game.tables.lore_cards[name], game.record["lore_cards"][name]
    played = [play for play in turn.plays if play.side == side]
    game.demand(not played, "BL-LORE-13", f"{side} plays {name} after another card in this turn")
    in_own = side == turn.side
    game.demand(in_own or card.phase in REACTIONS, "BL-LORE-14", f"{side} plays {name} in the turn of its enemy")
    game.demand(
        event["price"] == row["price"][side], "BL-LORE-07", f"{name} costs {row['price'][side]}, not {event['price']}"
    )
    _pay(game, side, name, event["price"])
    combat = game.combat
    number = combat.number if combat is not None else 0
    play = LorePlay(side, card, row["strength"][side], event["unit"], number)
    _check_target(game, play)
    turn.plays.append(play)
    instant = INSTANT.get(card.mechanism)
    if instant is not None:
        instant(game, play)


def _pay(game: Game, side: str, name: str, price: int) -> None:
    hand, chalice = game.state["lore_hand"][side], game.state["chalice"]
    game.demand(name in hand, "BL-LORE-07", f"{side} has no {name}")
    game.demand(chalice[side] >= price, "BL-LORE-07", f"{side} has {chalice[side]} Lore and pays {price}")
    if name in hand:
        hand.remove(name)
        game.lore_pile.table[name] += 1
    chalice[side] -= price
    game.state["on_cards"][side] += price


def _check_target(game: Game, play: LorePlay) -> None:
    """The card is on whom it says, in the moment it says (BL-LORE-08 to 12, BL-LORE-15)."""
    turn, combat, unit, card = active(game), game.combat, play.unit, play.card
    name, side = card.id, play.side
    game.demand(
        (unit is None) == (card.target in ("nobody", "opponent", "ordered_units")),
        "BL-LORE-15",
        f"{name} is played on {unit}",
    )
    if unit is not None:
        own = game.side(unit) == side
        is_own_card = card.target in ("own_unit", "ordered_unit", "attacking_unit", "defending_unit")
        is_any = card.target == "any_unit"
        game.demand(own == is_own_card or is_any, "BL-LORE-15", f"{name} of {side} is played on {unit}")
        game.demand(game.hex(unit) is not None, "BL-LORE-15", f"{name} is played on {unit}, which is gone")
    match card.phase:
        case "command":
            game.demand(not turn.n_battles and not turn.moved, "BL-LORE-08", f"{name} is played too late")
        case "instead":
            game.demand(turn.card is None, "BL-LORE-08", f"{name} is played beside a command card")
            turn.effect = turn.effect or "led"
        case "movement":
            game.demand(not turn.n_battles, "BL-LORE-10", f"{name} is played after moves")
            game.demand(unit is None or unit in turn.ordered, "BL-LORE-15", f"{unit} is not ordered")
            late = unit in turn.moved if unit else bool(turn.moved)
            game.demand(not late, "BL-LORE-10", f"{name} is played after the move")
        case "combat" | "melee" | "ranged" | "before_roll" | "after_roll":
            _check_battle(game, play)
        case "answer":
            before = [other for other in turn.plays if other.side != side]
            game.demand(before, "BL-LORE-08", f"{name} answers no card")
    del combat


def _check_battle(game: Game, play: LorePlay) -> None:
    combat, card = game.combat, play.card
    if combat is None:
        game.suspect("BL-LORE-11", f"{card.id} is played outside a battle")
        return
    pair = {"attacking_unit": combat.attacker, "attacking_enemy": combat.attacker, "defending_unit": combat.target}
    game.demand(play.unit == pair.get(card.target), "BL-LORE-15", f"{card.id} is played on {play.unit}")
    is_late = combat.faces is not None
    game.demand(is_late == (card.phase == "after_roll"), "BL-LORE-12", f"{card.id} is played in the wrong moment")
    game.demand(card.phase != "melee" or combat.melee, "BL-LORE-11", f"{card.id} is played on a shot")
    game.demand(card.phase != "ranged" or not combat.melee, "BL-LORE-11", f"{card.id} is played in a melee")


def again(game: Game, event: Event) -> None:
    """A card that keeps another one: that goes back to the hand when the turn ends."""
    turn, side = active(game), event["side"]
    card = game.tables.lore_cards[event["card"]]
    game.demand(card.mechanism == "keep", "BL-LORE-08", f"{event['card']} keeps nothing")
    _pay(game, side, event["card"], event["price"])
    kept = [play for play in turn.plays if play.side == side][-1:]
    game.demand(kept, "BL-LORE-08", f"{event['card']} keeps no card")
    for play in kept:
        game.lore_pile.table[play.card.id] -= 1
        game.to_return.append((side, play.card.id))


def cancelled(game: Game, event: Event) -> None:
    """The card just played has no effect; some of its price may come back (BL-LORE-16)."""
    turn, side, returned = active(game), event["side"], event["returned"]
    plays = [play for play in turn.plays if play.side == side and play.card.id == event["card"]]
    answers = [play for play in turn.plays if play.side != side and play.card.mechanism == "cancel"]
    game.demand(plays and answers, "BL-LORE-16", f"nothing cancels {event['card']}")
    for play in plays[-1:]:
        play.is_cancelled = True
        price = game.record["lore_cards"][play.card.id]["price"][side]
        due = min(answers[-1].strength, price) if answers else 0
        game.demand(returned == due, "BL-LORE-16", f"{returned} Lore come back, not {due}")
        for pair in ((side, "card"), (OTHER[side], "stolen")):
            game.tokens_due.pop(pair, None)
        if play.card.phase == "instead":
            turn.is_lost = True
    game.state["on_cards"][side] -= returned
    game.state["chalice"][side] += returned


def _gain(game: Game, play: LorePlay) -> None:
    game.tokens_due[play.side, "card"] = min(play.strength, game.state["pool"])


def _steal(game: Game, play: LorePlay) -> None:
    number = min(play.strength, game.state["chalice"][OTHER[play.side]])
    game.tokens_due[play.side, "card"], game.tokens_due[OTHER[play.side], "stolen"] = number, -number


INSTANT: dict[str, Any] = {"gain": _gain, "steal": _steal}


def power(game: Game, event: Event) -> None:
    """A creature uses its Lore faces, and those that it has stored (BL-CRE-10 to 15)."""
    combat, label, name, price = game.combat, event["unit"], event["power"], event["price"]
    if combat is None or label != combat.attacker:
        game.suspect("BL-CRE-10", f"{label} uses {name} outside its battle")
        return
    kind, unit = game.kind(label), game.unit(label)
    game.demand(name in (*kind.powers, "chalice", "store"), "BL-CRE-10", f"{label} has no {name}")
    game.demand(price == PRICES.get(name, price), "BL-CRE-10", f"{name} costs {price}")
    told = (event["after"].get("units") or {}).get(label, {})
    stored = told.get("stored", unit["stored"])
    had = unit["stored"] + combat.lore - combat.spent
    game.demand(had >= price, "BL-CRE-13", f"{label} has {had} Lore for {name}")
    game.demand(stored <= MOST_STORED, "BL-CRE-12", f"{label} stores {stored} Lore")
    combat.spent += price
    game.state["pool"] += unit["stored"] - stored
    unit["stored"] = stored
    if name == "web":
        game.unit(combat.target)["webbed"] = True
        combat.hits = None  # flags are hits already in this roll
    if name == "poison":
        combat.newly_poisoned = not game.unit(combat.target)["poisoned"]
        resolve(game, combat)
        game.demand(combat.hits, "BL-CRE-14", f"{label} poisons without a hit")
        game.unit(combat.target)["poisoned"] = True


def roll_changed(game: Game, event: Event) -> None:
    """What counts of a roll once cards have changed it."""
    combat = game.combat
    game.demand(combat is not None and combat.faces is not None, "BL-LORE-12", "a roll changes that was not rolled")
    del event


def lore_dice(game: Game, event: Event, faces: Counter[str]) -> None:
    """The dice of a card that strikes: what they show is held against the losses that follow."""
    plays = [play for play in active(game).plays if play.card.mechanism in ("doom", "fireball")]
    game.demand(plays, "BL-LORE-11", "no card throws dice")
    if plays:
        play = plays[-1]
        game.demand(event["side"] == play.side, "BL-LORE-15", f"{event['side']} throws the dice of {play.card.id}")
        game.demand(event["dice"] == play.strength, "BL-LORE-06", f"{event['dice']} dice, not {play.strength}")
    game.card_faces = faces
    game.card_critical = None


def lore_critical(game: Game, event: Event, faces: Counter[str]) -> None:
    del event
    game.card_critical = faces


def battlelore(game: Game, event: Event, faces: Counter[str]) -> None:
    """A die for each command; a Lore face is a token."""
    turn = active(game)
    game.demand(turn.effect == "battlelore", "BL-CMD-03", f"{turn.card} throws no dice")
    game.demand(event["dice"] == turn.command, "BL-CMD-04", f"{event['dice']} dice, not {turn.command}")
    turn.dice = dict(faces)
    if game.adventure.lore and faces["L"]:
        game.tokens_due[turn.side, "faces"] = min(faces["L"], game.state["pool"])


def hit_by_card(game: Game, event: Event) -> None:
    """A card kills by helmets of the colour; a Fireball's Lore face kills all (facts, Wizard 14)."""
    label, lost, faces = event["unit"], event["lost"], game.card_faces
    unit = game.unit(label)
    plays = [play for play in active(game).plays if play.card.mechanism in ("doom", "fireball")]
    game.demand(plays and faces is not None, "BL-LORE-15", f"no card strikes {label}")
    if not plays or faces is None:
        return
    colour = COLOURS[unit["colour"]]
    due = faces[colour]
    if game.kind(label).kind == "creature" and game.card_critical is not None:
        due = int(game.card_critical[colour] > 0)
    if plays[-1].card.mechanism == "fireball" and faces["L"]:
        due = unit["figures"]
    game.demand(
        lost == min(due, unit["figures"]), "BL-HIT-04", f"{label} loses {lost} by a card, and should lose {due}"
    )


THROWS: dict[str, Any] = {"lore dice": lore_dice, "lore critical": lore_critical, "battlelore": battlelore}
HANDLERS: dict[str, Any] = {
    "lore_card": lore_card,
    "again": again,
    "cancelled": cancelled,
    "power": power,
    "roll_changed": roll_changed,
}

"""Cards that are drawn and discarded, the refill of Lore, and the end of a turn (BL-CMD-12, BL-LORE-20 to 22)."""

from __future__ import annotations

from typing import Any

from tests.games.battlelore.referee.combat import resolve
from tests.games.battlelore.referee.game import OTHER, Event, Game, Piles, Turn
from tests.games.battlelore.referee.ground import hex_of
from tests.games.battlelore.referee.opening import LORE_HAND

REFILLS = {"two_cards": (2, 0), "card_and_token": (1, 1), "two_tokens": (0, 2)}


def _pile(game: Game, event: Event) -> tuple[Piles, str]:
    """Return the cards of a pile, and what its keys in the state begin with."""
    return (game.lore_pile, "lore_") if event["pile"] == "lore" else (game.command_pile, "")


def draw(game: Game, event: Event) -> None:
    """Draw the uppermost card: one that is neither held nor discarded (BL-CMD-12)."""
    (pile, prefix), side, card = _pile(game, event), event["side"], event["card"]
    turn = game.turn
    if event["why"] in ("turn", "refill") and turn is not None:
        game.demand(side == turn.side, "BL-CMD-12", f"{side} draws in the turn of {turn.side}")
        turn.steps.append(f"draw {event['pile']} {event['why']}")
    if card is None:
        game.demand(not game.state[f"{prefix}deck"], "BL-CMD-12", "nothing is drawn from a deck with cards")
        return
    game.demand(pile.draw(card), "BL-CMD-12", f"{card} cannot be in the {event['pile']} deck")
    game.state[f"{prefix}deck"] -= 1
    if turn is not None and _is_choice(turn, event):
        game.drawn.append(card)
    else:
        game.state[f"{prefix}hand"][side] = sorted([*game.state[f"{prefix}hand"][side], card])


def _is_choice(turn: Turn, event: Event) -> bool:
    """Return whether one of two cards will be kept: a scout's, and the first of the three refills."""
    if event["why"] == "refill":
        return turn.refill[0] == 2
    return event["why"] == "turn" and turn.effect == "scout"


def keep(game: Game, event: Event) -> None:
    """Of two cards just drawn one is kept; only then it is in the hand."""
    _, prefix = _pile(game, event)
    side, card = event["side"], event["card"]
    game.demand(card in game.drawn, "BL-LORE-20", f"{card} was not drawn just now")
    if card in game.drawn:
        game.drawn.remove(card)
    game.state[f"{prefix}hand"][side] = sorted([*game.state[f"{prefix}hand"][side], card])


def discard(game: Game, event: Event) -> None:
    """Discard a card that one holds or has played."""
    (pile, prefix), side, card, why = _pile(game, event), event["side"], event["card"], event["why"]
    hand = game.state[f"{prefix}hand"][side]
    if why == "played":
        game.demand(pile.table[card] > 0, "BL-CMD-12", f"{card} was not played")
        pile.table[card] -= 1
        if game.turn is not None:
            game.turn.steps.append(f"discard {event['pile']}")
    elif why in ("turn", "refill"):
        game.demand(card in game.drawn, "BL-LORE-20", f"{card} was not drawn just now")
        game.drawn = []
    else:
        game.demand(card in hand, "BL-CMD-12", f"{side} does not hold {card}")
        if card in hand:
            hand.remove(card)
    pile.discards[card] += 1
    game.state[f"{prefix}discard"] += 1


def reshuffle(game: Game, event: Event) -> None:
    """The discards become the deck when it is empty, or when BattleLore was played (BL-CMD-12)."""
    pile, prefix = _pile(game, event)
    is_due = not game.state[f"{prefix}deck"] or (game.turn is not None and game.turn.effect == "battlelore")
    game.demand(is_due, "BL-CMD-12", f"the {event['pile']} deck still has {game.state[f'{prefix}deck']} cards")
    pile.shuffle()
    game.state[f"{prefix}deck"] += game.state[f"{prefix}discard"]
    game.state[f"{prefix}discard"] = 0


def refill(game: Game, event: Event) -> None:
    """After the command card: two cards, a card and a token, or two tokens (BL-LORE-20)."""
    turn = game.turn
    assert turn is not None
    game.demand(game.adventure.lore and event["side"] == turn.side, "BL-LORE-20", f"{event['side']} may not refill")
    game.demand("refill" not in turn.steps, "BL-LORE-20", "a second refill")
    game.demand(event["option"] in REFILLS, "BL-LORE-20", f"{event['option']} is no refill")
    turn.steps.append("refill")
    n_cards, n_tokens = REFILLS[event["option"]]
    turn.refill = (n_cards, min(n_tokens, game.state["pool"]))
    if turn.refill[1]:
        game.tokens_due[event["side"], "refill"] = turn.refill[1]


def tokens(game: Game, event: Event) -> None:
    """Tokens come out of the pool, as many as it has (BL-LORE-02 to 04)."""
    side, change, why = event["side"], event["change"], event["why"]
    if why == "faces" and game.combat is not None:
        resolve(game, game.combat)
    due = game.tokens_due.pop((side, why), None)
    if why == "faces" and game.combat is not None and game.kind(game.combat.attacker).kind == "creature":
        game.combat.to_chalice += change
    elif why == "income":
        _take_income(game, side, change)
    elif why in ("faces", "refill", "card", "stolen"):
        game.demand(
            due == change, "BL-LORE-04", f"{side} gets {change} Lore tokens for {why}, and should get {due or 0}"
        )
    if why == "stolen":  # they have gone to the other side with its own event, just before
        return
    game.state["chalice"][side] += change
    if why == "card" and (OTHER[side], "stolen") in game.tokens_due:
        game.state["chalice"][OTHER[side]] -= change
        return
    game.state["pool"] -= change
    game.demand(game.state["pool"] >= 0, "BL-LORE-03", "the pool has fewer than no tokens")


def _take_income(game: Game, side: str, change: int) -> None:
    """A token for each own pentacle that an own troop holds, before the refill or after it (BL-LMK-05, BL-Q51)."""
    turn = game.turn
    assert turn is not None
    due = min(income(game), game.state["pool"])
    game.demand(side == turn.side and change == due, "BL-LMK-05", f"{side} gets {change} Lore of pentacles, not {due}")
    game.demand("income" not in turn.steps, "BL-LMK-05", "a second income")
    is_before = "refill" not in turn.steps
    game.demand(is_before == (game.rules["income"] == "before"), "BL-LMK-05", "the income is in the wrong moment")
    turn.steps.append("income")


def table_cleared(game: Game, event: Event) -> None:
    """Tokens on cards go into the pool, the cards to the discards (BL-LORE-07)."""
    del event
    for side in ("a", "b"):
        game.state["pool"] += game.state["on_cards"][side]
        game.state["on_cards"][side] = 0
    for card, number in list(game.lore_pile.table.items()):
        game.lore_pile.discards[card] += number
        game.state["lore_discard"] += number
    game.lore_pile.table.clear()
    for side, card in game.to_return:
        game.state["lore_hand"][side] = sorted([*game.state["lore_hand"][side], card])
    game.to_return.clear()


def close_turn(game: Game) -> None:
    """What a turn must have had when the next one begins: a card drawn, the refill, the income, nothing left over."""
    turn = game.turn
    assert turn is not None
    drawn = [step for step in turn.steps if step.startswith("draw command")]
    n_due = {"scout": 2, "led": 0}.get(turn.effect, 1)
    n_cards = sum(row["count"] for row in game.record["command_cards"].values())
    game.demand(len(drawn) == n_due or n_cards < 9, "BL-CMD-12", f"{turn.side} draws {len(drawn)} cards, not {n_due}")
    if turn.card is not None:
        game.demand("discard command" in turn.steps, "BL-CMD-12", f"{turn.card} is not discarded")
    if game.adventure.lore:
        has_income = "income" in turn.steps or not income(game) or not game.state["pool"]
        game.demand(has_income, "BL-LMK-05", f"{turn.side} gets nothing for its pentacles")
        game.demand("refill" in turn.steps, "BL-LORE-20", f"{turn.side} does not refill")
        n_drawn = turn.steps.count("draw lore refill")
        game.demand(n_drawn == turn.refill[0], "BL-LORE-20", f"{n_drawn} Lore cards are drawn, not {turn.refill[0]}")
        for side in ("a", "b"):
            most = LORE_HAND[game.adventure.forces[side].highest]
            hand = game.state["lore_hand"][side]
            game.demand(
                len(hand) <= most or side != turn.side,
                "BL-LORE-21",
                f"{side} holds {len(hand)} Lore cards, {most} at most",
            )
            game.demand(not game.state["on_cards"][side], "BL-LORE-07", f"tokens of {side} are still on its cards")
    for (side, why), number in game.tokens_due.items():
        game.demand(not number, "BL-LORE-04", f"{side} does not get {number} Lore tokens for {why}")
    game.tokens_due.clear()
    _check_charges(game, turn)


def _check_charges(game: Game, turn: Turn) -> None:
    """Who charges must battle, unless its enemy is gone before (BL-GOB-01)."""
    for label in turn.charged:
        if turn.battles[label] or game.hex(label) is None:
            continue
        enemies = [foe for foe in turn.charged_at[label] if game.hex(foe) is not None]
        still = [foe for foe in enemies if foe in game.beside(game.place(label), game.side(foe))]
        game.demand(not still, "BL-GOB-01", f"{label} charged beside {still} and does not battle")


def income(game: Game) -> int:
    """Return how many own pentacles hold own troops (BL-LMK-05)."""
    assert game.turn is not None
    side, standing = game.turn.side, game.occupied()
    n_tokens = 0
    for name, owner in game.state["owners"].items():
        who = standing.get(hex_of(name))
        if owner == side and who is not None and "magic_pentacle" in game.ground.names(hex_of(name)):
            n_tokens += game.side(who) == side and game.kind(who).kind != "creature"
    return n_tokens


HANDLERS: dict[str, Any] = {
    "draw": draw,
    "keep": keep,
    "discard": discard,
    "reshuffle": reshuffle,
    "refill": refill,
    "tokens": tokens,
    "table_cleared": table_cleared,
}

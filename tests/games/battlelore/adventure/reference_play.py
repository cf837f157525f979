"""Adventures played a second time: turn by turn, at random, or along the decisions of another engine."""

from __future__ import annotations

from contextlib import suppress

from tests.games.battlelore.adventure.reference_board import distance, relative
from tests.games.battlelore.adventure.reference_cards import NOBODY, PAID, Orders, mirrored, orders_of
from tests.games.battlelore.adventure.reference_combat import fight
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_lore import begin_lore, end_lore
from tests.games.battlelore.adventure.reference_moves import move_all
from tests.games.battlelore.adventure.reference_spells import assault, before_moves, order_teleported, with_command
from tests.games.battlelore.adventure.reference_terms import NOBODY_WON, GameOverError, Spell, Unit

END = 65536 * 2
"""The place of "no further combat"."""


def play(game: Game) -> None:
    """Play an adventure to its end."""
    deal(game)
    while not game.winner:
        take_turn(game)


def deal(game: Game) -> None:
    """Deal the hands, first to the side that begins (BL-SETUP-03)."""
    if game.terms.lore:
        begin_lore(game)
    for side in (game.terms.first, 1 - game.terms.first):
        for _ in range(game.terms.hands[side]):
            card = game.draw()
            if card is not None:
                game.hands[side][card] += 1
    with suppress(GameOverError):
        game.settle()


def take_turn(game: Game) -> None:
    """Play the turn of the side whose turn it is, and end it (BL-TURN-01)."""
    game.turn += 1
    for unit in game.units[game.side]:
        unit.begin_turn()
    game.spells = [Spell(), Spell()]
    try:
        _phases(game)
        if game.turn >= game.terms.turn_limit:
            game.winner = NOBODY_WON
    except GameOverError:
        game.happened["won"] += 1
    game.card = -1
    game.side = 1 - game.side


def _phases(game: Game) -> None:
    command = sum(game.hands[game.side])
    orders = assault(game)
    card = _lay_down(game) if orders is None else None
    teleported = with_command(game)
    if card is not None:
        orders = orders_of(game, game.terms.cards[game.card], command)
    if orders is not None:
        _order(game, orders)
    if teleported is not None:
        order_teleported(game, teleported)
    before_moves(game)
    move_all(game)
    _battle_all(game)
    if not game.has_cast(game.side, "assault"):
        _draw(game, card)
    if game.terms.lore:
        end_lore(game)


def _lay_down(game: Game) -> int | None:
    """Lay down a command card; return it, None for an empty hand (BL-CMD-01)."""
    side, hand = game.side, game.hands[game.side]
    options = {card: card for card in range(len(hand)) if hand[card]}
    if not options:
        game.happened["no card"] += 1
        game.last_card[side] = -1
        return None
    card = game.decide("card", side, options)
    hand[card] -= 1
    effective = card
    copied = game.last_card[1 - side]
    if game.terms.cards[card].effect == "counter_attack" and copied >= 0:
        effective = mirrored(game, copied)
    game.card = game.last_card[side] = effective
    game.happened[game.effect] += 1
    return card


def _order(game: Game, orders: Orders) -> None:
    """Order units one by one, as many as the card can; those that cost tokens come last, and need not be ordered.

    Where all that cost nothing can be ordered together there is nothing to decide.
    """
    side = game.side
    while candidates := orders.candidates():
        costs = {id(unit): orders.cost(unit) for unit in candidates}
        free = [unit for unit in candidates if not costs[id(unit)]]
        if free and orders.can_order_all(free):
            for unit in free:
                _give_order(unit, orders)
            continue
        options: dict[int, Unit | None] = {relative(side, unit.at): unit for unit in free}
        if not options:
            payable = [unit for unit in candidates if costs[id(unit)] <= game.tokens[side]]
            options = {PAID + relative(side, unit.at): unit for unit in payable} | {NOBODY: None}
        chosen = game.decide("order", side, options)
        if chosen is None:
            return
        game.pay(side, costs[id(chosen)])
        game.happened["freed"] += chosen.webbed
        game.happened["out of section"] += costs[id(chosen)] > chosen.webbed
        _give_order(chosen, orders)


def _give_order(unit: Unit, orders: Orders) -> None:
    unit.ordered, unit.freed, unit.webbed = True, unit.webbed, False
    unit.battles = 2 if orders.effect == "darken_the_sky" else 1
    unit.bonus = int(orders.effect in ("leadership", "battlelore"))
    unit.melee_bonus = int(orders.effect == "mounted_charge")


def _battle_all(game: Game) -> None:
    """Fight with the ordered units one by one, as long as their owner likes; who has charged must (BL-GOB-01)."""
    while True:
        battles = legal_battles(game)
        must = [(unit, target) for unit, target in battles if unit.charged]
        options: dict[int, tuple[Unit, Unit] | None] = {
            256 * relative(game.side, unit.at) + relative(game.side, target.at): (unit, target)
            for unit, target in must or battles
        }
        if not must:
            options[END] = None
        taken = game.decide("battle", game.side, options)
        if taken is None:
            return
        unit, target = taken
        ranged = distance(unit.at, target.at) > 1
        unit.battles = unit.battles - 1 if ranged else 0
        unit.shot = unit.shot or ranged
        fight(game, unit, target)


def legal_battles(game: Game) -> list[tuple[Unit, Unit]]:
    """Return whom each unit may attack now."""
    army = game.army(game.side)
    ready = [unit for unit in army if unit.ordered and unit.may_battle and unit.battles and not unit.webbed]
    return [(unit, target) for unit in ready for target in targets_of(game, unit)]


def targets_of(game: Game, unit: Unit) -> list[Unit]:
    """Return the adjacent enemies; without any, those in range and in sight (BL-RNG)."""
    if beside := game.enemies_beside(unit):
        return [] if unit.shot else beside
    if unit.charged:
        return []
    return [
        enemy
        for enemy in game.army(1 - unit.side)
        if distance(unit.at, enemy.at) <= unit.fighter.weapon.range_hexes
        and game.board.sees(unit.at, enemy.at, game.standing)
    ]


def _draw(game: Game, played: int | None) -> None:
    """Discard the card and draw another; after a Scout two, of which one is kept (BL-CMD-12)."""
    effect = game.effect if played is not None else ""
    if played is not None:
        game.discard[played] += 1
    cards = [card for _ in range(2 if effect == "scout" else 1) if (card := game.draw()) is not None]
    if len(cards) == 2:
        kept = game.decide("keep", game.side, {card: card for card in cards})
        game.discard[sum(cards) - kept] += 1
        cards = [kept]
    for card in cards:
        game.hands[game.side][card] += 1
    if effect == "battlelore":
        game.deck = [left + gone for left, gone in zip(game.deck, game.discard, strict=True)]
        game.discard = [0] * len(game.deck)

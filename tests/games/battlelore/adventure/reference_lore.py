"""Lore told a second time: councils, the Lore deck, hands, the windows in which cards are played, and the refill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from balance.games.battlelore.tables import LoreCard
from tests.games.battlelore.adventure.reference_board import CELLS, relative
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_landmarks import place_landmarks
from tests.games.battlelore.adventure.reference_terms import Spell, Unit
from tests.games.warforged.reference_luck import below, word

MASTERS = ("wizard", "rogue", "cleric", "warrior")
NO_LORE = 10**6
"""The place of playing no Lore card."""
DEALT = 4
"""Lore cards dealt to a side, of which it keeps some."""


def top_level(game: Game, side: int) -> int:
    """Return the highest level of a side's Lore Masters, 0 without any."""
    return max(int(getattr(game.terms.councils[side], master)) for master in MASTERS)


def by_level(game: Game, side: int, what: str) -> int:
    """Return a number of the war council's table: lore_cards, lore_tokens or lore_hand; 0 without Lore Masters."""
    level = top_level(game, side)
    return int(getattr(getattr(game.terms.constants.war_council, what), f"level_{level}")) if level else 0


def cost_of(game: Game, side: int, card: LoreCard) -> int:
    """Return what a card costs a side: more out of character (BL-LORE-23)."""
    level = getattr(game.terms.councils[side], card.master)
    extra = 0 if level else game.terms.constants.lore.out_of_character
    return int(card.cost + card.cost_per_level * max(level, 1) + extra)


def value_of(game: Game, side: int, card: LoreCard) -> int:
    """Return by how much a card has its effect for a side: out of character as by a master of level 1."""
    level = int(getattr(game.terms.councils[side], card.master))
    return max(0, card.base + card.per_level * max(level, 1))


# the beginning


def begin_lore(game: Game) -> None:
    """Give out tokens, place landmarks, make the Lore deck, and deal Lore cards (BL-WC-03 to BL-WC-08)."""
    sides = (game.terms.first, 1 - game.terms.first)
    game.pool = game.terms.constants.lore.tokens
    for side in sides:
        tokens = game.terms.tokens[side]
        game.gain(side, by_level(game, side, "lore_tokens") if tokens is None else tokens)
    place_landmarks(game)
    _make_deck(game)
    dealt = {side: _drawn(game, DEALT if top_level(game, side) else 0) for side in sides}
    for side in sides:
        _keep_some(game, side, dealt[side])


def _make_deck(game: Game) -> None:
    """Put into the deck as many cards of each class as the councils allow, by luck."""
    cards, numbers = game.terms.lore_cards, game.terms.constants.war_council.lore_deck
    count, game.moments = game.moments, game.moments + 1
    for master in MASTERS:
        copies = [
            (word(game.key, count, "lore deck", 100 * row + copy), row)
            for row, card in enumerate(cards)
            if card.master == master
            for copy in range(card.count)
        ]
        n_councils = sum(getattr(council, master) > 0 for council in game.terms.councils)
        if game.rules.lore_deck == "any" and n_councils:
            n_councils = 2
        most = (numbers.in_none, numbers.in_one, numbers.in_both)[n_councils]
        for _, row in sorted(copies, reverse=True)[:most]:
            game.lore_deck[row] += 1


def draw_lore(game: Game) -> int | None:
    """Draw a Lore card; an empty deck is made of the discards first."""
    if not any(game.lore_deck):
        game.lore_deck, game.lore_discard = game.lore_discard, game.lore_deck
        game.happened["lore reshuffle"] += any(game.lore_deck)
    if not any(game.lore_deck):
        return None
    count, game.moments = game.moments, game.moments + 1
    place = below(word(game.key, count, "lore draw"), sum(game.lore_deck))
    card = next(card for card in range(len(game.lore_deck)) if place < sum(game.lore_deck[: card + 1]))
    game.lore_deck[card] -= 1
    return card


def _drawn(game: Game, n_cards: int) -> list[int]:
    return [card for _ in range(n_cards) if (card := draw_lore(game)) is not None]


def _keep_some(game: Game, side: int, cards: list[int]) -> None:
    """Keep as many of the cards dealt as the council allows; the others go back into the deck."""
    for n_wanted in range(by_level(game, side, "lore_cards"), 0, -1):
        if not cards:
            return
        options = {card: card for card in cards}
        card = game.decide("lore_start", side, options) if len(cards) > n_wanted else cards[0]
        cards.remove(card)
        game.lore_hands[side][card] += 1
    for card in cards:
        game.lore_deck[card] += 1


# playing a card


def window(game: Game, side: int, phases: Sequence[str], aims: Callable[[LoreCard], Iterable[Unit | None]]) -> bool:
    """Let a side play a Lore card, one a turn (BL-LORE-13); return whether it has, and the card has its effect.

    `aims` says on whom a card may be played: on nobody (None), or on some units; nothing where it may not be played.
    """
    if not game.terms.lore or game.spells[side].played >= 0:
        return False
    options: dict[int, tuple[int, Unit | None] | None] = {NO_LORE: None}
    for row, card in enumerate(game.terms.lore_cards):
        if game.lore_hands[side][row] and card.phase in phases and cost_of(game, side, card) <= game.tokens[side]:
            for unit in aims(card):
                options[1000 * row + (relative(side, unit.at) if unit else 0)] = row, unit
    taken = game.decide("lore", side, options)
    if taken is None:
        return False
    _lay_down(game, side, *taken)
    return side != game.side or not _is_cancelled(game, side)


def _lay_down(game: Game, side: int, row: int, unit: Unit | None) -> None:
    """Pay for a card and lay it down; another card may say that it comes back (BL-LORE-07)."""
    card = game.terms.lore_cards[row]
    game.happened[card.mechanism] += 1
    value = value_of(game, side, card)
    slot = -1 if unit is None else unit.slot
    if unit is not None and card.target == "any_unit" and unit.side != side:
        slot += game.slots  # those of the other side come after the own
    spell = game.spells[side] = Spell(row, row, slot, value)
    _pay(game, side, row)
    keeps = [row for row, card in enumerate(game.terms.lore_cards) if card.mechanism == "keep"]
    keep = next((row for row in keeps if game.lore_hands[side][row]), None)
    if keep is None or cost_of(game, side, game.terms.lore_cards[keep]) > game.tokens[side]:
        return
    if game.decide("again", side, {0: False, 1: True}):
        game.happened["keep"] += 1
        spell.kept = keep
        _pay(game, side, keep)


def _pay(game: Game, side: int, row: int) -> None:
    cost = cost_of(game, side, game.terms.lore_cards[row])
    game.tokens[side] -= cost
    game.spells[side].paid += cost
    game.lore_hands[side][row] -= 1


def _is_cancelled(game: Game, side: int) -> bool:
    """Ask the other side whether it cancels a card; its player may get some of the tokens back (BL-LORE-16)."""
    if not window(game, 1 - side, ("answer",), lambda card: [None]):
        return False
    spell = game.spells[side]
    spell.card, spell.unit, spell.value = -1, -1, 0
    returned = min(game.spells[1 - side].value, spell.paid)
    spell.paid -= returned
    game.tokens[side] += returned
    return True


# the end of a turn


def end_lore(game: Game) -> None:
    """Put cards and tokens away, and refill (BL-LORE-07, BL-LORE-20)."""
    for side in (game.side, 1 - game.side):
        spell = game.spells[side]
        game.pool += spell.paid
        if spell.kept >= 0:
            game.lore_discard[spell.kept] += 1
            game.lore_hands[side][spell.played] += 1
        elif spell.played >= 0:
            game.lore_discard[spell.played] += 1
    game.spells = [Spell(), Spell()]
    if game.rules.income == "before":
        _income(game)
    _refill(game, game.side)
    if game.rules.income == "after":
        _income(game)


def _income(game: Game) -> None:
    """Take a token for each magic pentacle that a troop of the side stands on (BL-LMK-05)."""
    for cell in CELLS:
        holder = game.standing.get(cell)
        if holder is None or holder.creature or holder.side != game.side or not game.board.has(cell, "magic_pentacle"):
            continue
        if game.board.owners.get(cell, game.side) == game.side:
            game.happened["income"] += 1
            game.gain(game.side, 1)


def _refill(game: Game, side: int) -> None:
    most = by_level(game, side, "lore_hand")
    option = game.decide("refill", side, {0: 0, 1: 1, 2: 2} if most else {2: 2})
    game.happened[f"refill {option}"] += 1
    cards = _drawn(game, 2 - option)
    if option == 0 and len(cards) == 2:
        kept = game.decide("lore_keep", side, {card: card for card in cards})
        game.lore_discard[sum(cards) - kept] += 1
        cards = [kept]
    for card in cards:
        game.lore_hands[side][card] += 1
    game.gain(side, option)
    while sum(game.lore_hands[side]) > most:
        game.happened["lore card dropped"] += 1
        hand = game.lore_hands[side]
        card = game.decide("lore_drop", side, {card: card for card in range(len(hand)) if hand[card]})
        hand[card] -= 1
        game.lore_discard[card] += 1

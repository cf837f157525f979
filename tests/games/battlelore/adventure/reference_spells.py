"""What Lore cards do outside combat, told a second time: instead of a command card, with it, and before the moves."""

from __future__ import annotations

from collections import Counter

from balance.games.battlelore.tables import LoreCard
from tests.games.battlelore.adventure.reference_board import CELLS, adjacent, distance, relative
from tests.games.battlelore.adventure.reference_cards import ANY, Orders
from tests.games.battlelore.adventure.reference_combat import die_of, lose
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_lore import window
from tests.games.battlelore.adventure.reference_terms import Unit
from tests.games.warforged.reference_luck import below, word


def assault(game: Game) -> Orders | None:
    """Return the orders of a Lore card that is played instead of a command card, if one is (BL-LORE-08)."""
    if not window(game, game.side, ("instead",), lambda card: [None]):
        return None
    leadership = next(card for card in game.terms.cards if card.effect == "leadership")
    return Orders(game, leadership, Counter({ANY: game.spells[game.side].value}))


def with_command(game: Game) -> Unit | None:
    """Let the side play a Lore card with its command card; return the unit that has teleported, if one has."""
    if not window(game, game.side, ("command",), lambda card: _aims(game, card)):
        return None
    spell = game.spells[game.side]
    what = game.terms.lore_cards[spell.card].mechanism
    if what == "gain":
        game.gain(game.side, spell.value)
    elif what == "steal":
        stolen = min(spell.value, game.tokens[1 - game.side])
        game.tokens[1 - game.side] -= stolen
        game.tokens[game.side] += stolen
    elif what == "confuse":
        _confuse(game)
    elif what == "heal":
        unit = game.units[game.side][spell.unit]
        unit.figures = min(unit.fighter.unit.figures, unit.figures + spell.value)
    elif what in ("fireball", "doom"):
        _strike(game, game.units[1 - game.side][spell.unit], spell.value, spreads=what == "doom")
    elif what == "teleport":
        others, slot = divmod(spell.unit, game.slots)
        unit = _teleport(game, game.units[game.side ^ others][slot], spell.value)
        return None if others else unit
    return None


def _aims(game: Game, card: LoreCard) -> list[Unit] | list[None]:
    """Return on whom a card may be played with a command card."""
    own, foe, what = game.army(game.side), 1 - game.side, card.mechanism
    if what == "heal":
        return [unit for unit in own if unit.figures < unit.fighter.unit.figures]
    if what == "teleport":
        return [*own, *game.army(foe)] if card.target == "any_unit" else own
    if what in ("fireball", "doom"):
        return game.army(foe)
    is_legal = {"steal": game.tokens[foe] > 0, "confuse": any(game.hands[foe])}.get(what, True)
    return [None] if is_legal else []


def _confuse(game: Game) -> None:
    """Have the other side lose a command card by luck, and draw another."""
    foe = 1 - game.side
    hand = game.hands[foe]
    count, game.moments = game.moments, game.moments + 1
    place = below(word(game.key, count, "confuse"), sum(hand))
    card = next(card for card in range(len(hand)) if place < sum(hand[: card + 1]))
    hand[card] -= 1
    game.discard[card] += 1
    if (drawn := game.draw()) is not None:
        hand[drawn] += 1


def _strike(game: Game, target: Unit, n_dice: int, *, spreads: bool) -> None:
    """Throw dice at a unit, and if the card says so at all that stand next to its hex; a Lore face may burn it up."""
    near = [unit for units in game.units for unit in units if unit.alive and adjacent(unit.at, target.at)]
    near.sort(key=lambda unit: relative(game.side, unit.at))
    for unit in [target, *near] if spreads else [target]:
        faces = game.throw("lore dice", n_dice)
        if not spreads and "L" in faces:
            lose(game, unit, unit.figures)
        elif unit.creature:
            die_of(game, unit, "lore critical", faces.count(unit.helmet))
        else:
            lose(game, unit, faces.count(unit.helmet))


def _teleport(game: Game, unit: Unit, most: int) -> Unit:
    """Put a unit somewhere else, wherever the player who controls it likes (BL-LORE-15)."""
    near = [cell for cell in CELLS if distance(unit.at, cell) <= most and game.free(cell)]
    cell = game.decide("lore_cell", unit.side, {relative(unit.side, cell): cell for cell in [unit.at, *near]})
    game.put(unit, cell)
    game.settle()
    return unit


def order_teleported(game: Game, unit: Unit) -> None:
    """Order a unit that has teleported beside those that its side's card orders; it moves no more (BL-Q48)."""
    unit.ordered = unit.done = True
    unit.may_battle = all(terrain.battle_on_entry for terrain in game.board.terrain[unit.at])


def before_moves(game: Game) -> None:
    """Let the side play a Lore card on units that are about to move (BL-LORE-10)."""
    ordered = [unit for unit in game.army(game.side) if unit.ordered]

    def aims(card: LoreCard) -> list[Unit] | list[None]:
        if card.mechanism == "speed":
            return ordered
        return [None] if ordered else []

    if window(game, game.side, ("movement",), aims):
        spell = game.spells[game.side]
        for unit in ordered:
            if spell.unit in (-1, unit.slot):
                unit.speed += spell.value

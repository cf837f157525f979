"""What happens in an adventure in words: a line for each thing watched, which opens a frame or goes into one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.process import State
from balance.game.question.board_story import Act, cell_name
from balance.games.battlelore.adventure.map.field import LANDMARKS
from balance.games.battlelore.adventure.story.board import Board, Unit
from balance.games.battlelore.adventure.story.events import PILES, number_in, on_whom
from balance.games.battlelore.rules.dice import LETTERS

KINDS = {"attack": "attacks", "bonus": "presses on against", "back": "battles back against"}
"""Kind of attack -> how it is told."""
POWERS = ("", "stores Lore", "uses Web", "uses Poison")
"""What a creature does with the Lore faces it rolls, by number."""
REFILLS = ("chooses two Lore cards, to keep one", "chooses a Lore card and a token", "chooses two Lore tokens")
"""What a side does at the end of its turn, by number of the option (BL-LORE-20)."""
LOSSES = {
    "blocked": " for a blocked way",
    "panic": " in panic",
    "trample": " under foot",
    "cornered": ", cornered",
    "backstab": " by its own strikes",
}
"""What figures are lost for, where it is not dice -> how it is told."""
ALONE = ("command", "instead", "movement")
"""Moments of Lore cards that are told in a frame of their own; the others are told with the attack they belong to."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the story.

    * `text`: what is told, without who acts; may be empty.
    * `opens`: whether it opens a frame; else it is an effect of the frame before.
    * `act`: what a page draws of it.
    * `is_attack`: whether effects follow its text after a colon.
    * `dice`: a throw.
    * `hits`: whether it makes the attack under way a hit.
    * `opened_by` and `joins`: the kind of frame it opens, and that of an open frame of which it becomes a part.
    """

    text: str = ""
    opens: bool = False
    actor: str = ""
    act: Act | None = None
    is_attack: bool = False
    dice: str = ""
    hits: bool = False
    opened_by: str = ""
    joins: str = ""


class Words:
    """Turns what is watched in the one trial of a story into lines."""

    def __init__(self, board: Board) -> None:
        self.board, self.battle = board, board.battle

    def of(self, what: str, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        """Return the line for something watched; None if it has none."""
        tell = getattr(self, f"_on_{what}", None)
        return None if tell is None else tell(side, fields, state)

    def _opens(self, side: int, text: str, opened_by: str = "", joins: str = "") -> Line:
        return Line(text=text, opens=True, actor=self.board.sides[side], opened_by=opened_by, joins=joins)

    def _unit(self, side: int, fields: Mapping[str, Any], name: str = "unit") -> tuple[Unit, str]:
        unit = side, number_in(fields, name)
        return unit, self.board.name(unit)

    # -- cards ---------------------------------------------------------------------------------------------------------

    def _on_landmark(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        name = self.battle.field.terrains[LANDMARKS[number_in(fields, "master")]].name
        return self._opens(side, f"places its {name} at {cell_name(number_in(fields, 'cell'))}")

    def _on_lore_dealt(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        cards = fields["cards"][0]
        return self._opens(side, f"is dealt the Lore cards {self.board.lore_names(cards)}") if cards.any() else None

    def _on_lore_kept(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        tokens = int(state["tokens"][0, side])
        return self._opens(side, f"begins with {tokens} Lore and {self.board.lore_names(fields['cards'][0])}")

    def _on_dealt(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return self._opens(side, f"is dealt {self.board.command_names(fields['cards'][0])}")

    def _on_card(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        card, effective = number_in(fields, "card"), number_in(fields, "effective")
        cards, text = self.battle.deck.cards, "plays no card"
        if card >= 0:
            text = f"plays {cards[card].name}"
        if 0 <= effective != card:
            mirrored = f"a mirrored {cards[int(state['last_card'][0, 1 - side])].name}"
            text += f", as {cards[effective].name if effective < len(cards) else mirrored}"
        return self._opens(side, text, opened_by="card")

    def _on_order(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        labels = [self.board.label((side, slot)) for slot in np.flatnonzero(fields["unit"][0]).tolist()]
        return self._opens(side, f"orders {', '.join(labels) or 'nobody'}", joins="card")

    def _on_paid(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        what = "free" if fields["freed"][0] else "order"
        label = self.board.label((side, number_in(fields, "unit")))
        return Line(text=f"{self.board.sides[side]} pays {number_in(fields, 'price')} Lore to {what} {label}")

    def _on_draw(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        card = number_in(fields, "card")
        text = "has no card to draw" if card < 0 else f"draws {self._named(fields, card)}"
        if fields["why"] == "turn":
            return self._opens(side, text, opened_by="draw", joins="draw")
        return Line(text=f"{self.board.sides[side]} {text}")

    def _on_keep(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(text=f"{self.board.sides[side]} keeps {self._named(fields, number_in(fields, 'card'))}")

    def _on_discard(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        if fields["why"] == "played":
            return None
        return Line(text=f"{self.board.sides[side]} discards {self._named(fields, number_in(fields, 'card'))}")

    def _on_reshuffle(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(text=f"the discards are shuffled into the {PILES[fields['pile']]} deck")

    def _named(self, fields: Mapping[str, Any], card: int) -> str:
        """Return the name of a card of the pile in `fields`."""
        if PILES[fields["pile"]] == "lore":
            return self.board.lore_name(card)
        return self.battle.deck.cards[card].name

    # -- Lore ----------------------------------------------------------------------------------------------------------

    def _on_lore(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        number = number_in(fields, "card")
        card, unit = self.battle.lore_deck.cards[number], on_whom(self.battle, side, number, number_in(fields, "unit"))
        target = "" if unit is None else f" on {self.board.name(unit)}"
        price = int(self.battle.lore_deck.cost[side, number])
        text = f"plays {self.board.lore_name(number)}{target} for {price} Lore"
        if card.phase in ALONE:
            return self._opens(side, text, opened_by="card" if card.phase == "instead" else "")
        return Line(text=f"{self.board.sides[side]} {text}")

    def _on_again(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        number = number_in(fields, "card")
        price, name = int(self.battle.lore_deck.cost[side, number]), self.board.lore_name(number)
        return Line(text=f"{self.board.sides[side]} plays {name} for {price} Lore, and keeps the card")

    def _on_cancelled(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        name, returned = self.board.lore_name(number_in(fields, "card")), number_in(fields, "returned")
        return Line(text=f"{name} has no effect{f', and gives back {returned} Lore' if returned else ''}")

    def _on_refill(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return self._opens(side, REFILLS[number_in(fields, "option")])

    def _on_tokens(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(text=f"{self.board.sides[side]} takes {number_in(fields, 'change')} Lore")

    def _on_stolen(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        a, b = self.board.sides[side], self.board.sides[1 - side]
        return Line(text=f"{a} takes {number_in(fields, 'change')} Lore from {b}")

    def _on_power(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        power, (_, name) = POWERS[number_in(fields, "power")], self._unit(side, fields)
        return Line(text=f"{name} {power}", hits=power.startswith("uses")) if power else None

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _on_move(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        before, after = number_in(fields, "before"), number_in(fields, "after")
        if before == after:
            return None
        (unit, name), how = self._unit(side, fields), ""
        if fields["by"] == "order" and fields["charge"][0]:
            how = ", and charges"
        elif fields["by"] == "order" and fields["passage"][0]:
            how = f" by the secret passage for {self.battle.terms.constants.lore.passage} Lore"
        act = Act("move", self.board.units.index(unit), (before, after))
        return Line(text=f"moves to {cell_name(after)}{how}", opens=True, actor=name, act=act)

    def _on_gain(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        unit, name = self._unit(side, fields)
        before, after = number_in(fields, "before"), number_in(fields, "after")
        act = Act("move", self.board.units.index(unit), (before, after))
        return Line(text=f"follows to {cell_name(after)}", opens=True, actor=name, act=act)

    def _on_trained(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        unit, name = self._unit(side, fields)
        colour = self.battle.muster.fighters[int(state["kind"][0][unit])].unit.colour
        return Line(text=f"trains, and is {colour} from now on", opens=True, actor=name)

    def _on_passage_opened(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        text = f"opens a secret passage at {cell_name(number_in(fields, 'cell'))}"
        return Line(text=text, opens=True, actor=self._unit(side, fields)[1])

    def _on_healed(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        unit, name = self._unit(side, fields)
        return Line(text=f"{name} has {show_many(int(state['figures'][0][unit]), 'figure')} again")

    # -- combats -------------------------------------------------------------------------------------------------------

    def _on_battle(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        (unit, name), (target, target_name) = self._unit(side, fields), self._unit(1 - side, fields, "target")
        cells = int(state["cell"][0][unit]), int(state["cell"][0][target])
        act = Act("shot", self.board.units.index(unit), cells, "miss")
        text = f"{KINDS[str(fields['kind'])]} {target_name}"
        return Line(text=text, opens=True, actor=name, act=act, is_attack=True)

    def _on_throw(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(dice=f"{fields['name']}: {_shown(fields)}")

    def _on_roll_changed(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(dice=f"after cards: {_shown(fields) or 'nothing'}")

    def _on_ignore(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        ignored, (_, name) = number_in(fields, "ignored"), self._unit(side, fields)
        return Line(text=f"{name} ignores {show_many(ignored, 'flag')}") if ignored else None

    def _on_hit(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        _, name = self._unit(side, fields)
        lost = show_many(number_in(fields, "lost"), "figure")
        return Line(text=f"{name} loses {lost}{LOSSES.get(fields['why'], '')}", hits=True)

    def _on_retreat(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        after = cell_name(number_in(fields, "after"))
        return Line(text=f"{self._unit(side, fields)[1]} retreats to {after}", hits=True)

    def _on_gone(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        return Line(text=f"{self._unit(side, fields)[1]} is gone", hits=True)

    def _on_banner(self, side: int, fields: Mapping[str, Any], state: State) -> Line | None:
        if fields["why"] == "unit":
            return None
        banners, at = number_in(fields, "banners"), cell_name(number_in(fields, "cell"))
        verb = "wins" if banners > 0 else "loses"
        return Line(text=f"{self.board.sides[side]} {verb} {show_many(abs(banners), 'banner')} at {at}")

    def _on_stronghold(self, side: int, fields: Mapping[str, Any], state: State) -> Line:
        verb, at = "retakes" if fields["retaken"] else "loses", cell_name(number_in(fields, "cell"))
        return Line(text=f"{self.board.sides[side]} {verb} its stronghold at {at}")


def _shown(fields: Mapping[str, Any]) -> str:
    """Return what a throw shows, such as "1 B 2 S"."""
    counts = zip(LETTERS, fields["faces"][0].tolist(), strict=True)
    return " ".join(f"{count} {face}" for face, count in counts if count)

"""What happens in an adventure as plain data, an event for each thing that is watched: for referees, and programs.

`docs/reference/games/adventures.md` says what each event is, and what its fields hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from balance.game.question.board_story import cell_name
from balance.games.battlelore.adventure.map.field import LANDMARKS
from balance.games.battlelore.adventure.story.board import SIDES, Board
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.deck import EFFECTS
from balance.games.battlelore.rules.dice import LETTERS

Event: TypeAlias = dict[str, Any]
PILES = {"deck": "command", "lore_deck": "lore"}
MASTERS_NAMED = ("wizard", "rogue", "cleric", "warrior", "commander")
POWERS = ("chalice", "store", "web", "poison")
"""What a creature's owner does with the Lore faces it rolls, by number."""
OPTIONS = ("two_cards", "card_and_token", "two_tokens")
"""How a side refills, by number."""
WHYS = {"confuse": "card"}
"""What luck calls a cause -> what an event calls it."""


def _side(side: int) -> str:
    return SIDES[side]


def number_in(fields: Mapping[str, Any], name: str) -> int:
    """Return a field of an event as the integer of its one trial."""
    return int(np.asarray(fields[name])[0])


def on_whom(battle: Battle, side: int, card: int, slot: int) -> tuple[int, int] | None:
    """Return (side, slot) of the unit that a Lore card of a side is played on; None for nobody."""
    target = battle.lore_deck.cards[card].target
    is_enemy = target in ("enemy_unit", "attacking_enemy") or slot >= battle.n_slots
    return None if slot < 0 else (1 - side if is_enemy else side, slot % battle.n_slots)


class Events:
    """Turns what is watched in the one trial of a story into events."""

    def __init__(self, board: Board) -> None:
        self.board, self.battle = board, board.battle

    def of(self, what: str, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        """Return the events of something watched; empty if it is none."""
        make = getattr(self, f"_on_{what}", None)
        return [] if make is None else make(side, fields, state)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _unit(self, side: int, fields: Mapping[str, Any], name: str = "unit") -> str:
        return self.board.label((side, number_in(fields, name)))

    def _cell(self, fields: Mapping[str, Any], name: str = "cell") -> str:
        return cell_name(number_in(fields, name))

    def _command(self, number: int) -> str | None:
        return self.battle.deck.cards[number].id if number >= 0 else None

    def _lore(self, number: int) -> str | None:
        return self.battle.lore_deck.cards[number].id if number >= 0 else None

    def _of_pile(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        pile, card = PILES[fields["pile"]], number_in(fields, "card")
        return {"pile": pile, "card": self._lore(card) if pile == "lore" else self._command(card)}

    # -- events --------------------------------------------------------------------------------------------------------

    def _on_begin(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "turn", "side": _side(side), "number": int(state["turn"][0])}]

    def _on_landmark(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        master = number_in(fields, "master")
        told = {"terrain": LANDMARKS[master], "hex": self._cell(fields), "master": MASTERS_NAMED[master]}
        return [{"event": "landmark", "side": _side(side), **told}]

    def _on_lore_deck(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        cards = zip(self.battle.lore_deck.cards, fields["cards"][0].tolist(), strict=True)
        return [{"event": "lore_deck", "cards": {card.id: count for card, count in cards if count}}]

    def _on_lore_dealt(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "lore_dealt", "side": _side(side), "cards": self.board.lore_ids(fields["cards"][0])}]

    def _on_lore_kept(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "lore_kept", "side": _side(side), "cards": self.board.lore_ids(fields["cards"][0])}]

    def _on_dealt(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "dealt", "side": _side(side), "cards": self.board.command_ids(fields["cards"][0])}]

    def _on_lore(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        number = number_in(fields, "card")
        card, unit = self.battle.lore_deck.cards[number], on_whom(self.battle, side, number, number_in(fields, "unit"))
        told: Event = {"card": card.id, "unit": None if unit is None else self.board.label(unit), "phase": card.phase}
        told |= {"price": int(self.battle.lore_deck.cost[side, number]), "instead": card.phase == "instead"}
        return [{"event": "lore_card", "side": _side(side), **told}]

    def _on_again(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        number = number_in(fields, "card")
        price = int(self.battle.lore_deck.cost[side, number])
        return [{"event": "again", "side": _side(side), "card": self._lore(number), "price": price}]

    def _on_cancelled(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        card, returned = self._lore(number_in(fields, "card")), number_in(fields, "returned")
        return [{"event": "cancelled", "side": _side(side), "card": card, "returned": returned}]

    def _on_card(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        card, played, deck = number_in(fields, "card"), number_in(fields, "effective"), self.battle.deck
        event: Event = {"event": "command_card", "side": _side(side), "card": self._command(card), "copied": None}
        if card >= 0:
            event |= {"effect": EFFECTS[deck.effect[played]], "orders": deck.orders[played].tolist()}
            event |= {"anywhere": int(deck.anywhere[played]), "command": int(state["hand"][0, side].sum()) + 1}
            if fields["copies"][0]:
                event["copied"] = self._command(int(state["last_card"][0, 1 - side]))
        return [event]

    def _on_led(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        card, n_units = self._lore(number_in(fields, "card")), number_in(fields, "anywhere")
        return [{"event": "led", "side": _side(side), "card": card, "anywhere": n_units}]

    def _on_paid(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told: Event = {"unit": self._unit(side, fields), "price": number_in(fields, "price")}
        return [{"event": "paid", "side": _side(side), **told, "freed": bool(fields["freed"][0])}]

    def _on_order(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        labels = [self.board.label((side, slot)) for slot in np.flatnonzero(fields["unit"][0]).tolist()]
        return [{"event": "order", "side": _side(side), "units": labels}]

    def _on_passage_opened(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "passage_opened", "unit": self._unit(side, fields), "hex": self._cell(fields)}]

    def _on_trained(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "trained", "unit": self._unit(side, fields)}]

    def _way(self, side: int, fields: Mapping[str, Any]) -> dict[str, Any]:
        way = {"from": self._cell(fields, "before"), "to": self._cell(fields, "after")}
        return {"unit": self._unit(side, fields), **way}

    def _on_move(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        event: Event = {"event": "move", **self._way(side, fields), "by": fields["by"]}
        if fields["by"] == "order":
            event |= {name: bool(fields[name][0]) for name in ("charge", "passage")}
        return [event]

    def _on_retreat(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "retreat", **self._way(side, fields)}]

    def _on_gain(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "follow", **self._way(side, fields)}]

    def _on_healed(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "healed", "unit": self._unit(side, fields), "by": fields["by"]}]

    def _on_battle(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"unit": self._unit(side, fields), "target": self._unit(1 - side, fields, "target")}
        return [{"event": "battle", **told, "kind": str(fields["kind"]), "melee": bool(fields["melee"][0])}]

    def _on_throw(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"for": fields["name"], "dice": number_in(fields, "n"), "faces": _faces(fields)}
        return [{"event": "throw", "side": _side(side), **told}]

    def _on_roll_changed(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "roll_changed", "side": _side(side), "faces": _faces(fields)}]

    def _on_power(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"unit": self._unit(side, fields), "target": self._unit(1 - side, fields, "target")}
        power, price = POWERS[number_in(fields, "power")], number_in(fields, "price")
        return [{"event": "power", **told, "power": power, "price": price}]

    def _on_ignore(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"flags": number_in(fields, "flags"), "ignored": number_in(fields, "ignored")}
        return [{"event": "ignore", "unit": self._unit(side, fields), **told}]

    def _on_hit(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"unit": self._unit(side, fields), "lost": number_in(fields, "lost"), "why": fields["why"]}
        return [{"event": "hit", **told}]

    def _on_gone(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "gone", "unit": self._unit(side, fields)}]

    def _on_banner(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        event: Event = {"event": "banner", "side": _side(side), "banners": number_in(fields, "banners")}
        event["why"] = fields["why"]
        of_unit = fields["why"] == "unit"
        return [event | ({"unit": self._unit(1 - side, fields)} if of_unit else {"hex": self._cell(fields)})]

    def _on_stronghold(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        told = {"hex": self._cell(fields), "retaken": bool(fields["retaken"])}
        return [{"event": "stronghold", "side": _side(side), **told}]

    def _on_tokens(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "tokens", "side": _side(side), "change": number_in(fields, "change"), "why": fields["why"]}]

    def _on_stolen(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        change = number_in(fields, "change")
        taken = {"event": "tokens", "side": _side(side), "change": change, "why": "card"}
        return [taken, {"event": "tokens", "side": _side(1 - side), "change": -change, "why": "stolen"}]

    def _on_draw(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        event = {"event": "draw", "side": _side(side), **self._of_pile(fields), "why": fields["why"]}
        return [event]

    def _on_keep(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "keep", "side": _side(side), **self._of_pile(fields)}]

    def _on_discard(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        why = WHYS.get(fields["why"], fields["why"])
        return [{"event": "discard", "side": _side(side), **self._of_pile(fields), "why": why}]

    def _on_reshuffle(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "reshuffle", "side": _side(side), "pile": PILES[fields["pile"]]}]

    def _on_refill(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "refill", "side": _side(side), "option": OPTIONS[number_in(fields, "option")]}]

    def _on_table_cleared(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "table_cleared"}]

    def _on_won(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "won", "side": _side(side)}]

    def _on_late(self, side: int, fields: Mapping[str, Any], state: Mapping[str, Any]) -> list[Event]:
        return [{"event": "late"}]


def _faces(fields: Mapping[str, Any]) -> dict[str, int]:
    counts = fields["faces"][0].tolist()
    return {letter: int(count) for letter, count in zip(LETTERS, counts, strict=True) if count}

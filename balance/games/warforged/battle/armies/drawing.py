"""Armies that are drawn: `random:150` in place of an army stands for another legal one in every battle.

`random:POINTS[:UNITS]` says how many war points there are to spend and how many units may be bought; without a number
of units it is the one agreed for the battle, else the one that the rules pair with the points (WF-BUILD.1, WF-BUILD.2).
How it is spent, `purchase` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from balance.base.errors import Fault, UsageError
from balance.catalogue import Catalogue, apply
from balance.game.armies.armies import MOST_UNITS, Army, army_of
from balance.game.armies.lost_actions import LOST_ACTIONS
from balance.game.setup import AskedSide, EntrantKind
from balance.games.warforged.cards import legal_loadouts
from balance.games.warforged.lineup.setup import scales_of
from balance.games.warforged.setup import DuelStance, Side

WORD = "random"
DRAWING_FORM = f"{WORD}:POINTS[:UNITS]"
MOST_POINTS = 9999
SUCH_AS = f"such as {WORD}:150, or {WORD}:150:4 for at most 4 units"


@dataclass(frozen=True)
class Drawing:
    """A side whose army is another in every battle.

    `text`: as it was written, such as `random:150:4`. `points` and `limit`: war points to spend, and units to buy at
    most; a limit of 0 is still to be agreed. `stance`: what every unit brings that its cards do not print.
    """

    text: str
    points: int
    limit: int
    stance: DuelStance = field(default_factory=DuelStance)
    lost_actions: int = 0

    @property
    def name(self) -> str:
        """What reports call it: a random army, and of how many units at most."""
        return f"random army{f' of at most {self.limit}' if self.limit else ''}"

    def inputs(self) -> dict[str, Any]:
        """Return text, points, unit limit and stance as plain values, as reports and `--json` state them."""
        fields = {"id": self.text, "name": self.name, "cost_points": self.points, "unit_limit": self.limit}
        return {**fields, **self.stance.model_dump(mode="json"), LOST_ACTIONS: self.lost_actions}


def parse_drawing(text: str, place: str = "") -> tuple[int, int] | None:
    """Return points and units (0 if it does not say) of an army to be drawn; None for an army written out.

    What begins like an army to be drawn and is none raises `UsageError`, which names `place`.

    >>> parse_drawing("random:150"), parse_drawing("random:150:4"), parse_drawing("trooper+shotgun:2")
    ((150, 0), (150, 4), None)
    """
    if all(part.partition(":")[0] != WORD for part in text.split(",")):
        return None
    if "," in text:
        tip = f"such as {WORD}:150 alone"
        raise UsageError(Fault("mixes units with an army that is drawn", place, found=text, tip=tip))
    _, *numbers = text.split(":")
    if not 1 <= len(numbers) <= 2:
        raise UsageError(Fault("is no army to be drawn", place, found=text, allowed=DRAWING_FORM, tip=SUCH_AS))
    limits = (("war points", MOST_POINTS), ("units", MOST_UNITS))
    faults = [
        Fault(f"is no number of {subject}", place, field=WORD, found=number, allowed=f"1 to {upper}", tip=SUCH_AS)
        for number, (subject, upper) in zip(numbers, limits, strict=False)
        if not _number(number, upper)
    ]
    if faults:
        raise UsageError(faults)
    points, limit = (_number(number, MOST_POINTS) for number in (*numbers, "0")[:2])
    return points, limit


def _number(text: str, upper: int) -> int:
    """Return a whole number from 1 to `upper`; 0 for anything else."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    return number if number <= upper else 0


def usual_limit(catalogue: Catalogue, points: int) -> int:
    """Return the unit limit that the rules pair with war points, rounded down (WF-BUILD.1, WF-BUILD.2)."""
    scales = np.array(sorted(scales_of(catalogue)), np.float64)
    return int(np.clip(np.interp(points, *scales.T), 1, MOST_UNITS))


def battle_army(loadout: EntrantKind) -> EntrantKind:
    """Return the kind of entrant that is an army of loadouts, or one to be drawn."""
    army = army_of(loadout)

    def drawing(catalogue: Catalogue, text: str) -> Drawing | None:
        numbers = parse_drawing(text)
        return Drawing(text, numbers[0], numbers[1] or usual_limit(catalogue, numbers[0])) if numbers else None

    def label(catalogue: Catalogue, text: str) -> str:
        drawn_army = drawing(catalogue, text)
        return drawn_army.name if drawn_army else army.label(catalogue, text)

    def cost_points(catalogue: Catalogue, text: str) -> int:
        drawn_army = drawing(catalogue, text)
        return drawn_army.points if drawn_army else army.cost_points(catalogue, text)

    def cards(catalogue: Catalogue, text: str) -> list[tuple[str, str]]:
        list_cards = army.cards if drawing(catalogue, text) is None else _cards
        return list(list_cards(catalogue, text)) if list_cards else []

    return replace(
        army,
        label=label,
        cost_points=cost_points,
        cards=cards,
        read=lambda side: _read(army, side),
        written=f"{army.written}; or {DRAWING_FORM}, another army in every trial",
        drawn=DRAWING_FORM,
    )


def _cards(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield (table, entry) of every card that an army may buy."""
    loadouts = legal_loadouts(catalogue)
    yield from (("units", card_id) for card_id in dict.fromkeys(loadout.unit.id for loadout in loadouts))
    yield from (("weapons", card_id) for card_id in dict.fromkeys(loadout.weapons[0].id for loadout in loadouts))


def _read(army: EntrantKind, side: AskedSide[Any, Any]) -> Army[Side[DuelStance]] | Drawing:
    """Read a side: an army that is written out, or one to be drawn, of which only the stance can be set."""
    numbers = parse_drawing(side.text, side.root)
    if numbers is None:
        return cast("Army[Side[DuelStance]]", army.read(side))
    stance_fields, cards = side.split()
    if cards:
        tip = "change the cards in a catalogue of your own: §catalogue=DIR"
        raise UsageError(
            [Fault("cannot be set of an army that is drawn", side.place, found=path, tip=tip) for path in cards]
        )
    stance = apply(side.stance, stance_fields, side.place)
    lost_actions = stance.lost_actions
    return Drawing(side.text, *numbers, stance.model_copy(update={LOST_ACTIONS: 0}), lost_actions)

"""Battles of three and four as they are asked for: the others of side a, the table, the columns and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Annotated, Any

from pydantic import Field

from balance.base.errors import BalanceError, Fault, UsageError
from balance.catalogue import Header
from balance.game.game import Column, PolicyKind
from balance.game.kit import each_side
from balance.game.setup import AskedSide, EntrantKind
from balance.games.warforged.battle.columns import CANNOT_SEE, ENDS, MAP_WORDS, POLICIES, BattleSituation
from balance.games.warforged.battle.luck import SEATS, SIDES
from balance.games.warforged.battle.turns.table import Table

BETWEEN = "/"
"""What stands between armies of others."""
USUAL_MAPS = {2: "ledger", 3: "trefoil", 4: "corners"}
"""Number of players -> the map they play on if nothing is said."""
FIRST = ("a", "others", "random")
"""Who may act first."""


class SeatsSituation(BattleSituation):
    """What a battle of three or four depends on beside the cards."""

    map: Annotated[str, Field(max_length=80, description=MAP_WORDS)] = ""  # trefoil for three players, corners for four
    alliances: Annotated[
        str, Field(max_length=5, description="Who is allied (WF-MULTI.1): sides together, a dot between: ab, ac.bd.")
    ] = ""
    alliance_rounds: Annotated[int, Field(ge=0, le=99, description="Rounds that alliances last; 0: to the end.")] = 0
    order: Annotated[
        str, Field(max_length=4, description="Order of play, such as cab; nothing: by luck (WF-MULTI.1).")
    ] = ""
    victory_per_unit: Annotated[
        int,
        Field(ge=0, le=99, description="For each enemy unit destroyed (WF-MULTI.2)."),
        Header(unit="victory points"),
    ] = 1
    victory_per_objective: Annotated[
        int,
        Field(ge=0, le=99, description="For holding the objective alone for objective_rounds rounds in a row."),
        Header(unit="victory points"),
    ] = 0
    victory_per_control: Annotated[
        int,
        Field(ge=0, le=99, description="For each objective cell that one stands on when a round ends."),
        Header(unit="victory points"),
    ] = 0


SEAT_NAMES = {0: "nobody", **dict(enumerate(SEATS, 1))}
SIDE_NAMES = {0: "nobody", **dict(enumerate(SIDES, 1))}
_OF_SIDES = {
    "victory": ("victory points of {me}", "victory points"),
    "units": ("units that {me} has left", ""),
    "health": ("health that the units of {me} have left together", ""),
    "attacks": ("attacks that {me} made, each shot of Rapid Fire one", ""),
    "attacked": ("attacks made at {me}", "attacks at it"),
    "cost": ("war points of {me} at the start", ""),
}
COLUMNS: Mapping[str, Column] = {
    "winner": Column(
        "0 draw, 1 side a or its alliance, 2 another side", "winner", names={1: "a", 2: "others", 0: "draw"}
    ),
    "winner_seat": Column("place of the winner in the order of play; of allies, of the one ahead", names=SEAT_NAMES),
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    "ended": Column("how it ended: 1 annihilation, 2 objective, 3 round limit", "ending", names=ENDS, stand_offs=(3,)),
    "out_seat": Column("place in the order of play of who was out first", names=SEAT_NAMES),
    "out_side": Column("side that was out first", names=SIDE_NAMES),
    **{
        f"{side}_{of}": Column(meaning.format(me=me), side=side, of=of, called=called)
        for of, (meaning, called) in _OF_SIDES.items()
        for side, me in (("a", "side a"), ("others", "the others together"))
    },
}
"""What a battle of three or four reports, and what it means."""
PLAY_TEXT = (
    "Three or four armies deploy on the bases of a map and take turns in an order drawn by luck, as in a battle of "
    "two. Allies do not attack each other. Who has no units left is out. It ends when one player, or one alliance, "
    "alone has units left, when the objective has been held where that is asked for, or after the agreed rounds: then "
    "whoever has most victory points wins, and of those with as many whoever has most health left."
)
WHOM_TEXT = PolicyKind(
    "Whom a side attacks among several enemies.",
    {
        "nearest": "makes the best attack that there is, whoever it hits",
        "leader": "attacks who has most victory points, and of those who has most health left; else anybody",
        "weakest": "attacks who has least health left; else anybody",
    },
)
SEAT_POLICIES = {
    **each_side("policy", replace(POLICIES["policy_a"], side="", of=""), ("a", "others"), name="{of}_{side}"),
    **each_side("aim", WHOM_TEXT, ("a", "others"), name="{of}_{side}"),
}
SEATS_CANNOT_SEE = (
    *CANNOT_SEE,
    "Diplomacy: alliances are agreed beforehand; nobody breaks one, joins one later, or spares who is no threat.",
)


@dataclass(frozen=True)
class Others:
    """The armies of the other sides, by side."""

    text: str
    armies: Mapping[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        """The names of the armies, with what stands between them."""
        return f" {BETWEEN} ".join(army.name for army in self.armies.values())

    def inputs(self) -> dict[str, Any]:
        """Return the armies by side, and what they cost together, as plain values."""
        armies = {side: army.inputs() for side, army in self.armies.items()}
        cost = sum(army["cost_points"] for army in armies.values())
        return {"id": self.text, "name": self.name, "cost_points": cost, "armies": armies}


def others_of(army: EntrantKind) -> EntrantKind:
    """Return the kind of entrant that is two or three armies of a kind."""

    def split(text: str) -> list[str]:
        return [part.strip() for part in text.split(BETWEEN)]

    def cards(catalogue: Any, text: str) -> list[tuple[str, str]]:
        return [card for part in split(text) for card in (army.cards(catalogue, part) if army.cards else ())]

    return replace(
        army,
        name="other armies",
        ids=lambda catalogue: [f"{name} {BETWEEN} {name}" for name in army.ids(catalogue)],
        label=lambda catalogue, text: f" {BETWEEN} ".join(army.label(catalogue, part) for part in split(text)),
        cost_points=lambda catalogue, text: sum(army.cost_points(catalogue, part) for part in split(text)),
        read=lambda side: _read(army, side, split(side.text)),
        written=f"ARMY {BETWEEN} ARMY[ {BETWEEN} ARMY], each as {army.written}",
        cards=cards,
        marks=f"{army.marks}{BETWEEN}",
        drawn="",
    )


def _read(army: EntrantKind, side: AskedSide[Any, Any], texts: list[str]) -> Others:
    """Read each army with what is set of all and of itself; raise all faults of all at once."""
    if not 2 <= len(texts) <= len(SIDES) - 1:
        legal_text = f"two or three, with {BETWEEN} between them"
        raise UsageError(Fault("are no armies of others", side.root, found=side.text, allowed=legal_text))
    armies, errors = dict[str, Any](), list[BalanceError]()
    letters = SIDES[1 : len(texts) + 1]
    for letter, text in zip(letters, texts, strict=True):
        own = {path[2:]: value for path, value in side.fields.items() if path.startswith(f"{letter}.")}
        shared = {path: value for path, value in side.fields.items() if path[:2] not in {f"{x}." for x in letters}}
        try:
            armies[letter] = army.read(replace(side, root=f"{side.root}.{letter}", text=text, fields={**shared, **own}))
        except BalanceError as error:
            errors.append(error)
    if errors:
        raise type(errors[0])([fault for error in errors for fault in error.faults])
    return Others(side.text, armies)


def armies_by_side(sides: Mapping[str, Any]) -> dict[str, Any]:
    """Return the army of each side, of others by their letters."""
    flat = dict[str, Any]()
    for name, army in sides.items():
        flat |= army.armies if isinstance(army, Others) else {name: army}
    return flat


def regrouped(sides: Mapping[str, Any], armies: Mapping[str, Any]) -> dict[str, Any]:
    """Return armies by side as the sides of the question have them."""
    return {
        name: replace(army, armies={side: armies[side] for side in army.armies})
        if isinstance(army, Others)
        else armies[name]
        for name, army in sides.items()
    }


def table_of(situation: BattleSituation, first: str, n_sides: int) -> Table | None:
    """Return what holds for more than two players; None for two. Order and alliances that fail raise `UsageError`."""
    if not isinstance(situation, SeatsSituation):
        return None
    groups = tuple(part for part in situation.alliances.split(".") if part)
    if faults := [
        *_alliance_faults(situation.alliances, groups, n_sides),
        *_order_faults(situation.order, first, n_sides),
    ]:
        raise UsageError(faults)
    scores = situation.victory_per_objective and situation.objective == "none"
    return Table(
        n_sides,
        tuple(tuple(sorted(map(SIDES.index, group))) for group in groups),
        situation.alliance_rounds,
        situation.victory_per_unit,
        situation.victory_per_control,
        situation.victory_per_objective,
        situation.objective_rounds if scores else 0,
    )


def _alliance_faults(text: str, groups: tuple[str, ...], n_sides: int) -> Iterator[Fault]:
    letters, sides = "".join(groups), SIDES[:n_sides]
    legal_text = f"two or more of {', '.join(sides)} together, a dot between two alliances"
    if set(letters) - set(sides) or len(letters) > len(set(letters)) or any(len(group) < 2 for group in groups):
        yield Fault("are no alliances", "situation.alliances", found=text, allowed=legal_text, tip="such as ab")
    elif groups and len(groups[0]) == n_sides:
        yield Fault("leaves nobody to fight", "situation.alliances", found=text, tip="leave out a side")


def _order_faults(order: str, first: str, n_sides: int) -> Iterator[Fault]:
    sides = SIDES[:n_sides]
    if order and sorted(order) != list(sides):
        yield Fault("is no order of play", "situation.order", found=order, allowed=f"each of {', '.join(sides)} once")
    elif order and not orders_of(n_sides, first, order):
        tip = "leave one of the two out"
        yield Fault(f"does not begin with {first}", "situation.order", found=order, tip=tip)


def orders_of(n_sides: int, first: str, order: str = "") -> tuple[str, ...]:
    """Return the equally likely orders of play: all, those in which `first` of `FIRST` acts first, or one.

    >>> orders_of(3, "a"), orders_of(3, "random", "cab")
    (('abc', 'acb'), ('cab',))
    """
    every_order = ["".join(sides) for sides in permutations(SIDES[:n_sides])]
    begins = {"random": SIDES, "a": "a", "others": SIDES[1:]}[first]
    return tuple(each for each in every_order if each[0] in begins and order in ("", each))

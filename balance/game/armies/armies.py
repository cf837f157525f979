"""Armies as entrants, such as `whisper+sidearm:2,trooper+shotgun`, and what they meet in.

An army is written as its members separated by `,`, each with how many of it after `:` (one, if nothing is said). What a
member is, its own kind of entrant says. What is set of a side is set of every member; a number names one of them, in
the order written: `a.2.armour=3`. Only the actions that a side loses at the start are set of the army as a whole.

A game whose armies meet declares an `ArmyKind`: members are read once, and then any armies of them are played in one
batch, others in every trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from balance.base.arrays import IntArray
from balance.base.errors import BalanceError, Fault, UsageError
from balance.catalogue import Catalogue, Record, apply
from balance.chance.rolls.process import Process
from balance.chance.rolls.rolls import Policy
from balance.game.armies.copies import Copies
from balance.game.armies.lost_actions import LOST_ACTIONS, LostActions
from balance.game.setup import AskedSide, HasInputs

if TYPE_CHECKING:
    from balance.game.setup import EntrantKind

RulesT = TypeVar("RulesT", bound=Record)
SituationT = TypeVar("SituationT", bound=Record)
SideT = TypeVar("SideT", bound=HasInputs)

MOST_UNITS = 64
"""Units that an army may have: many cheap ones may meet few dear ones."""
ARMY_FORM = "MEMBER[:COUNT][,MEMBER[:COUNT]...]"


@dataclass(frozen=True)
class Army(Generic[SideT]):
    """An army as a side of a question, after overrides.

    * `text`, `name` and `cost_points`: the army as written, its name for people, and the total cost of its units in
      points.
    * `members` and `counts`: the distinct members, as their kind of entrant reads them, in written order; and the
      number of units of each.
    * `lost_actions`: actions that the whole army loses at the start of a fight; None where the game has no such rule.
    * `stance`: settings of the army as a whole that no card prints; None where only members have settings.
    """

    text: str
    name: str
    cost_points: int
    members: tuple[SideT, ...]
    counts: tuple[int, ...]
    lost_actions: int | None = None
    stance: Record | None = None

    @property
    def units(self) -> tuple[SideT, ...]:
        """All units of the army in written order, a member repeated by its count."""
        return tuple(member for member, n in zip(self.members, self.counts, strict=True) for _ in range(n))

    def inputs(self) -> dict[str, Any]:
        """Return the resolved army (text, name, cost, members) as plain values for JSON."""
        whole = {} if self.lost_actions is None else {LOST_ACTIONS: self.lost_actions}
        whole |= {} if self.stance is None else self.stance.model_dump(mode="json")
        member_inputs = (
            {key: value for key, value in item.inputs().items() if key not in whole} for item in self.members
        )
        members = [{**item, "count": n} for item, n in zip(member_inputs, self.counts, strict=True)]
        return {"id": self.text, "name": self.name, "cost_points": self.cost_points, **whole, "members": members}


@dataclass(frozen=True)
class ChangedMember:
    """A member of an arena with some values of its cards changed.

    `values` holds (`table.entry.column`, text) of each changed value.

    >>> print(ChangedMember("whisper+sidearm", (("weapons.sidearm.precision", "8"),)))
    whisper+sidearm with weapons.sidearm.precision=8
    """

    member: str
    values: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Return the member with its changes, which is its id in the arena."""
        return f"{self.member} with {', '.join(f'{path}={text}' for path, text in self.values) or 'no change'}"


@dataclass(frozen=True)
class AskedArena(Generic[RulesT, SituationT, SideT]):
    """A request to open an arena: the rules and situation, and the members that armies may consist of.

    `members`: id -> member as its kind of entrant read it; the order numbers the members from 0. `choices` and
    `policies`: as in `Asked`.
    """

    catalogue: Catalogue
    rules: RulesT
    situation: SituationT
    members: Mapping[str, SideT]
    choices: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)


class ArmyProcess(Protocol):
    """The function of an `Arena` that makes a process for armies which differ from trial to trial."""

    def __call__(self, a: IntArray, b: IntArray, limits: IntArray | None = None) -> Process:
        """Return the process of n trials with the columns of its kind of question; side a goes first.

        `a` and `b` hold the numbers of the members of each army, `int[n, k]`, -1 for nobody, with k as each side needs
        it; row i meets in trial i. `limits` is the unit limit of each trial, `int[n]`; None takes that of the
        situation.
        """
        ...


@dataclass(frozen=True)
class Arena:
    """Members of which any two armies can meet, with other armies in every trial.

    * `members`: ids of the members; their indices are their numbers.
    * `marks`: a key for each member, equal for members that play alike; it depends neither on ids nor on their order.
    * `process`: makes a process from the armies of all trials.
    * `copies`: limits on how often members may join a legal army; None for no limit.
    * `together`: as in `ArmyKind`.
    """

    members: tuple[str, ...]
    marks: tuple[str, ...]
    process: ArmyProcess
    copies: Copies | None = None
    together: bool = False

    def __repr__(self) -> str:
        """Return the number of members in short."""
        return f"<arena of armies of {len(self.members)} members>"


def _no_scales(catalogue: Catalogue) -> tuple[tuple[int, float], ...]:
    return ()


@dataclass(frozen=True)
class ArmyKind:
    """How armies meet in a kind of question: what they consist of, and how to play any of them.

    * `member`: the kind of entrant that an army consists of.
    * `field`: function that opens an arena for the members asked for.
    * `scales`: catalogue -> (budget in points, unit limit) as the rules pair them, the smallest first; empty if they do
      not.
    * `irrelevant_fields`: fields of cards without effect where armies meet so, or values of a field as "field: value".
    * `drawn_fields`: fields of the situation that a budget and a unit limit determine, so that an arena cannot set
      them.
    * `house_rules`: (path, values) of options that stand beside the rules as printed, such as another way to count
      actions; the value in force is first. Verdicts on prices are of that one, and what the others say is told beside
      it.
    * `is_legal`: whether armies keep to limits on units and copies, as on a board, so that one member alone is no army.
    * `together`: whether battles of any sizes are best played in one run: where units that do not act cost nothing.
    """

    member: EntrantKind
    field: Callable[[AskedArena[Any, Any, Any]], Arena]
    scales: Callable[[Catalogue], tuple[tuple[int, float], ...]] = _no_scales
    irrelevant_fields: tuple[str, ...] = ()
    drawn_fields: tuple[str, ...] = ()
    house_rules: tuple[tuple[str, tuple[str, ...]], ...] = ()
    is_legal: bool = False
    together: bool = False


def parse_army(text: str, place: str = "") -> tuple[tuple[str, int], ...]:
    """Return (member, number of units) for each member of an army such as `trooper+shotgun:4,nexus`, in written order.

    Raise UsageError with one fault, at `place`, for each member that is missing or whose number is none, or for too
    many units.

    >>> parse_army("whisper+sidearm:2,trooper+shotgun")
    (('whisper+sidearm', 2), ('trooper+shotgun', 1))
    """
    members: list[tuple[str, int]] = []
    faults: list[Fault] = []
    for part in text.split(","):
        member, colon, number = part.partition(":")
        count = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
        if not member:
            faults.append(Fault("names no member of an army", place, found=part, allowed=ARMY_FORM))
        elif colon and not count:
            tip = "leave out whom the army does not have" if number.isdecimal() else f"such as {member}:2"
            faults.append(
                Fault("is no number of units", place, field=member, found=number, allowed=f"1 to {MOST_UNITS}", tip=tip)
            )
        members.append((member, count if colon else 1))
    n_units = sum(count for _, count in members)
    if not faults and n_units > MOST_UNITS:
        faults.append(Fault("units are too many for an army", place, found=str(n_units), allowed=f"1 to {MOST_UNITS}"))
    if faults:
        raise UsageError(faults)
    return tuple(members)


def army_text(members: Sequence[str], army: Sequence[int]) -> str:
    """Return an army, one index into `members` for each unit, as it is written; an index below 0 is nobody.

    Members stand in the order of their indices.

    >>> army_text(["ant", "ox"], [1, 0, -1, 1])
    'ant,ox:2'
    """
    counts = {number: list(army).count(number) for number in sorted(set(army)) if number >= 0}
    return ",".join(members[number] + (f":{n}" if n > 1 else "") for number, n in counts.items())


def army_of(member: EntrantKind, name: str = "army") -> EntrantKind:
    """Return the kind of entrant that is an army of members; each member is listed as an army of one.

    `member`: the kind of entrant of the members. `name`: name of the new kind.
    """
    return replace(
        member,
        name=name,
        label=lambda catalogue, text: _name(parse_army(text), lambda name: member.label(catalogue, name)),
        cost_points=lambda catalogue, text: sum(
            n * member.cost_points(catalogue, name) for name, n in parse_army(text)
        ),
        read=lambda side: _read(member, side),
        written=f"{ARMY_FORM}, a member as {member.written}",
        joined_by="",
        cards=lambda catalogue, text: [
            card for name, _ in parse_army(text) for card in _cards(member, catalogue, name)
        ],
        marks=":,",
    )


def _name(members: tuple[tuple[str, int], ...], label: Callable[[str], str]) -> str:
    return ", ".join(label(name) if n == 1 else f"{n} {label(name)}" for name, n in members)


def _cards(member: EntrantKind, catalogue: Catalogue, name: str) -> Iterator[tuple[str, str]]:
    if member.cards is not None:
        yield from member.cards(catalogue, name)
        return
    for part in member.parts(name):
        yield from ((table, part) for table, entries in catalogue.tables.items() if part in entries)


def _read(member: EntrantKind, side: AskedSide[Any, Any]) -> Army[Any]:
    """Read every member with its overrides; raise all faults of all members at once."""
    members = parse_army(side.text, side.root)
    whole, fields, faults = _fields(side, len(members))
    read: list[Any] = []
    errors: list[BalanceError] = [UsageError(faults)] if faults else []
    stance = side.stance
    try:
        stance = apply(stance, whole, side.place)
    except BalanceError as error:
        errors.append(error)
    for place, (member_id, _) in enumerate(members, start=1):
        root = side.root if len(members) == 1 else f"{side.root}.{place}"
        try:
            read.append(member.read(replace(side, root=root, text=member_id, fields=fields[place])))
        except BalanceError as error:
            errors.append(error)
    if errors:
        raise type(errors[0])([fault for error in errors for fault in error.faults])
    catalogue, counts = side.catalogue, tuple(n for _, n in members)
    costs = [
        int(member_side.inputs().get("cost_points", member.cost_points(catalogue, member_id)))
        for member_side, (member_id, _) in zip(read, members, strict=True)
    ]
    name = _name(members, lambda member_id: member.label(catalogue, member_id))
    cost = sum(n * member_id for n, member_id in zip(counts, costs, strict=True))
    return Army(side.text, name, cost, tuple(read), counts, getattr(stance, LOST_ACTIONS, None))


def _fields(side: AskedSide[Any, Any], n_members: int) -> tuple[dict[str, str], dict[int, dict[str, str]], list[Fault]]:
    """Return the overrides of the whole army, those of each member by place from 1, and the faults among them."""
    of_whole = {LOST_ACTIONS} if isinstance(side.stance, LostActions) else set()
    whole: dict[str, str] = {}
    shared_fields: dict[str, str] = {}
    fields_by_place: dict[int, dict[str, str]] = {place: {} for place in range(1, n_members + 1)}
    faults: list[Fault] = []
    for path, text in side.fields.items():
        number, _, rest = path.partition(".")
        if path in of_whole:
            whole[path] = text
        elif not number.isdecimal():
            shared_fields[path] = text
        elif rest in of_whole:
            tip = f"say {side.root}.{rest}={text}"
            faults.append(Fault("is a number of the whole army", side.place, found=path, tip=tip))
        elif int(number) in fields_by_place and rest:
            fields_by_place[int(number)][rest] = text
        else:
            legal_text = f"1 to {n_members}, and a field after it"
            faults.append(Fault("is no member of this army", side.place, found=path, allowed=legal_text))
    return whole, {place: {**shared_fields, **fields} for place, fields in fields_by_place.items()}, faults

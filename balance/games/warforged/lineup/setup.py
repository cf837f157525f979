"""From armies as they are typed to line-ups, and the arena in which any armies of some members meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from balance.base.errors import Fault, RulesError, UsageError
from balance.catalogue import Catalogue, Header, Record
from balance.chance.rolls.process import Process
from balance.game.armies.armies import Arena, Army, AskedArena
from balance.game.armies.copies import Copies
from balance.game.game import Lane
from balance.game.kit.combat.budget import over_budget
from balance.game.kit.combat.orders import Meeting
from balance.game.setup import Asked, Setup
from balance.games.warforged.cards import Unit, Weapon, constants_of, such_as
from balance.games.warforged.fight_terms import fight_terms
from balance.games.warforged.lineup.columns import LineUp
from balance.games.warforged.lineup.roster import Roster, Terms, mark_of
from balance.games.warforged.ruleset import WarforgedRules
from balance.games.warforged.setup import DuelStance, Side, cover_dice_of


class LineUpSituation(Record):
    """What a line-up depends on beside the cards."""

    actions: Annotated[
        Literal["pool", "per_unit"],
        Field(description="Actions a turn: so many to spend freely (WF-ACT.1), or one for each living unit."),
    ] = "pool"
    unit_limit: Annotated[
        int, Field(ge=0, le=64, description="Actions of a pool, and units of a legal army; 0: as the larger army has.")
    ] = 0
    budget_points: Annotated[
        int,
        Field(ge=0, le=9999, description="What an army may cost (WF-BUILD.2), 0 for no limit."),
        Header(("budget",), unit="war points"),
    ] = 0
    legal: Annotated[
        bool, Field(description="Whether armies keep to the unit limit and to the copies there are (WF-BUILD).")
    ] = False
    light_cover: Annotated[bool, Field(description="Light cover halfway: it protects whoever is attacked.")] = False
    a_in_light_cover: Annotated[bool, Field(description="Light cover protects side a (WF-COV.1).")] = False
    b_in_light_cover: Annotated[bool, Field(description="Light cover protects side b (WF-COV.1).")] = False
    n_covers: Annotated[int, Field(ge=1, le=9, description="How many, where each one counts (WF-Q5).")] = 1
    distance_cells: Annotated[
        int, Field(ge=1, le=40, description="Cells between any two enemies."), Header(("distance",), unit="cells")
    ] = 2
    neighbours: Annotated[
        int, Field(ge=0, le=64, description="Units of its side that a blast on a unit reaches too (WF-EFF.2).")
    ] = 0
    round_limit: Annotated[
        int, Field(ge=0, le=10_000, description="Rounds to play, 0 for no limit (WF-WIN.1)."), Header(("rounds",))
    ] = 0


AskedLineUp: TypeAlias = Asked[WarforgedRules, LineUpSituation, Army[Side[DuelStance]]]


def line_up_setup(question: AskedLineUp) -> Setup[LineUp]:
    """Prepare a line-up: number its members, and hold its armies to budget, limit and copies.

    A unit without a weapon raises `UsageError`; an army that costs too much or is not legal, where that is asked for,
    `RulesError`.
    """
    units = {side: army.units for side, army in question.sides.items()}
    if faults := list(unarmed(question.catalogue, units)):
        raise UsageError(faults)
    if faults := [fault for side, army in question.sides.items() for fault in _forbidden(question, side, army)]:
        raise RulesError(faults)
    meeting = Meeting.of(question)
    terms = _terms(question.catalogue, question.rules, question.situation)
    policies = tuple((side, question.choices[f"policy_{side}"]) for side in question.sides)
    return Setup(LineUp(Roster(meeting.members), terms, policies, meeting), question.inputs())


def unarmed(catalogue: Catalogue, units: Mapping[str, Sequence[Side[DuelStance]]]) -> Iterator[Fault]:
    """Yield a fault for each unit without a weapon, naming each loadout once."""
    pairs = ((side, member.loadout) for side, members in units.items() for member in members)
    bare_units = {(side, loadout.unit.id): loadout.unit for side, loadout in pairs if not loadout.weapons}
    for (side, name), unit in bare_units.items():
        yield Fault(f"{name!r} has no weapon to fight with", side, tip=such_as(unit, catalogue))


def _forbidden(question: AskedLineUp, side: str, army: Army[Side[DuelStance]]) -> Iterator[Fault]:
    """Yield where an army breaks the situation's budget, and if it is to be legal, unit limit and copies."""
    situation = question.situation
    limit = situation.unit_limit if situation.legal else 0
    yield from forbidden(side, army, budget=situation.budget_points, limit=limit, copies=situation.legal)


def forbidden(side: str, army: Army[Side[DuelStance]], *, budget: int, limit: int, copies: bool) -> Iterator[Fault]:
    """Yield where an army costs too much, is too large, or (if copies bind) takes cards of which there are not so many.

    `budget` is in war points (WF-BUILD.2) and `limit` in units (WF-BUILD.1); 0 for no limit.
    """
    units = army.units
    yield from over_budget(side, army.cost_points, budget, "war points")
    if limit and len(units) > limit:
        yield Fault("units are too many (WF-BUILD.1)", side, found=str(len(units)), allowed=f"at most {limit}")
    hands = [cards_of_side(unit) for unit in units] if copies else []
    cards = [hand[0] for hand in hands] + [card for hand in hands for card in hand[1:]]
    copies_of = dict(cards)
    for card, n in Counter(card for card, _ in cards).items():
        if n > copies_of[card]:
            yield Fault(f"is taken {n} times (WF-BUILD.3)", side, found=card, allowed=f"{copies_of[card]} copies exist")


def cards_of_side(unit: Side[DuelStance]) -> list[tuple[str, int]]:
    """Return the cards that a unit takes, each with how many of it there are."""
    cards: tuple[Unit | Weapon, ...] = (unit.loadout.unit, *unit.loadout.weapons)
    return [(card.id, card.copies) for card in cards]


def _terms(catalogue: Catalogue, rules: WarforgedRules, situation: LineUpSituation) -> Terms:
    constants = constants_of(catalogue)
    covers = situation.a_in_light_cover, situation.b_in_light_cover
    a, b = (cover_dice_of(situation.light_cover or c, situation.n_covers, rules, constants) for c in covers)
    return Terms(
        **fight_terms(rules, constants),
        cover_dice=(a, b),
        per_unit=situation.actions == "per_unit",
        unit_limit=situation.unit_limit,
        round_limit=situation.round_limit,
        distance=situation.distance_cells,
        neighbours=situation.neighbours,
    )


def line_up_processes(setup: Setup[LineUp], lane: Lane) -> tuple[Process, ...]:
    """Return a line-up's processes, one for each order of play that is equally likely.

    Lane "literal" rolls attacks in full, "compiled" draws them whole.
    """
    from balance.games.warforged.lineup.play import line_up_process
    from balance.games.warforged.lineup.tables import tables_of

    line_up = setup.play
    tables = tables_of(line_up.roster, line_up.terms, line_up.policies)
    return line_up.meeting.processes(partial(line_up_process, tables), lane)


def line_up_arena(question: AskedArena[WarforgedRules, LineUpSituation, Side[DuelStance]]) -> Arena:
    """Open the arena in which armies of some members meet; a member without a weapon raises `UsageError`."""
    from balance.games.warforged.lineup.play import line_up_process
    from balance.games.warforged.lineup.tables import tables_of

    if unarmed := [name for name, side in question.members.items() if not side.loadout.weapons]:
        tip = such_as(question.members[unarmed[0]].loadout.unit, question.catalogue)
        raise UsageError(f"{', '.join(unarmed)}: no weapon to fight with", tip)
    terms = _terms(question.catalogue, question.rules, question.situation)
    policies = tuple((side, question.choices[f"policy_{side}"]) for side in "ab")
    tables = tables_of(Roster(tuple(question.members.values())), terms, policies)
    marks = tuple(mark_of(terms, side) for side in question.members.values())
    copies = Copies.of([cards_of_side(side) for side in question.members.values()])
    return Arena(tuple(question.members), marks, partial(line_up_process, tables), copies)


def scales_of(catalogue: Catalogue) -> tuple[tuple[int, float], ...]:
    """Return budgets of two players and the unit limits in the middle of what goes with them (WF-BUILD.1, WF-BUILD.2).

    >>> from balance.game.loaded import load
    >>> scales_of(load("warforged").catalogue)
    ((150, 4.0), (250, 7.0), (350, 10.5))
    """
    points, limits = constants_of(catalogue).war_points, constants_of(catalogue).unit_limits
    pairs = ((points.tactical, limits.tactical), (points.medium, limits.medium), (points.large, limits.large))
    return tuple((by_players.players_2, (span.low + span.high) / 2) for by_players, span in pairs)

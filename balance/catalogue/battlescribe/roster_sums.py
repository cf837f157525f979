"""What the rows of a roster cost, so that no point is lost and none is counted twice.

A row has the cost of its selection and of all below it that has no row of its own. What lies in no row is left over;
rows and what is left over are held against the total that the roster tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from balance.base.numbers import show_many
from balance.catalogue.battlescribe.costs import Costs, Part, add, plain_cost

if TYPE_CHECKING:
    from balance.catalogue.battlescribe.profiles import Entry

MOST_NAMED_PARTS = 3
"""Of what is left over: names that a sentence tells."""


@dataclass
class RowCosts:
    """Costs of the rows of a table, in their order.

    * `own_costs`: as they stand on the entry or the selection; none on a second row of one selection.
    * `total`: in a roster with what lies below and has no row of its own; of a catalogue's entry its own.
    * `whole`: with all that lies below; of a catalogue's entry its own.
    * `as_it_comes`: of a catalogue's entry with what it must hold; of a roster's as `total`.
    * `notes`: how the rows of each roster add up.
    """

    own_costs: list[Costs] = field(default_factory=list)
    total: list[Costs] = field(default_factory=list)
    whole: list[Costs] = field(default_factory=list)
    as_it_comes: list[Costs] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def row_costs(entries: Sequence[Entry]) -> RowCosts:
    """Return the costs of the rows; each selection counts once, in its first row."""
    rows: dict[Part, int] = {}
    for at, entry in enumerate(entries):
        if entry.part is not None:
            rows.setdefault(entry.part, at)
    totals: list[Costs] = [{} for _ in entries]
    wholes: dict[Part, Costs] = {}
    costs_of_rows = RowCosts()
    for roster in dict.fromkeys(part.roster for part in rows):
        remainders = _share_out(roster, rows, totals, wholes)
        costs_of_rows.notes += _sum_notes(
            roster, [totals[at] for part, at in rows.items() if part.roster is roster], remainders
        )
    n_further = 0
    for at, entry in enumerate(entries):
        if entry.part is None:
            costs = (entry.costs, entry.costs, entry.costs, entry.as_it_comes)
        elif rows[entry.part] == at:
            costs = (entry.costs, totals[at], wholes[entry.part], totals[at])
        else:
            costs, n_further = ({}, {}, {}, {}), n_further + 1
        for list_of, row_cost in zip(
            (costs_of_rows.own_costs, costs_of_rows.total, costs_of_rows.whole, costs_of_rows.as_it_comes),
            costs,
            strict=True,
        ):
            list_of.append(row_cost)
    if n_further and rows:
        are = "is a further profile" if n_further == 1 else "are further profiles"
        costs_of_rows.notes.append(
            f"{show_many(n_further, 'row')} {are} of a selection above: its cost stands there, once"
        )
    return costs_of_rows


def _share_out(
    roster: Part, rows: dict[Part, int], totals: list[Costs], wholes: dict[Part, Costs]
) -> list[tuple[str, Costs]]:
    """Add each part's costs to the nearest row at or above it, in place; return (name, costs) of parts in no row."""
    owners: dict[Part, int | None] = {roster: None}
    remainders: list[tuple[str, Costs]] = []
    parts = [*roster.parts()]
    for part in parts:
        owner = rows.get(part, None if part.above is None else owners[part.above])
        owners[part] = owner
        wholes[part] = dict(part.costs)
        if owner is not None:
            add(totals[owner], part.costs)
        elif any(part.costs.values()):
            remainders.append((part.name, part.costs))
    for part in reversed(parts):
        if part.above is not None and part.above is not roster:
            add(wholes[part.above], wholes[part])
    return remainders


def _sum_notes(roster: Part, totals: list[Costs], remainders: list[tuple[str, Costs]]) -> Iterator[str]:
    """Yield a sentence per kind of cost that compares rows and remainder with the total of the roster."""
    in_rows: Costs = {}
    left_over: Costs = {}
    for row_total in totals:
        add(in_rows, row_total)
    for _, row_total in remainders:
        add(left_over, row_total)
    for kind in dict.fromkeys((*roster.costs, *in_rows, *left_over)):
        of_rows, rest = in_rows.get(kind, Decimal(0)), left_over.get(kind, Decimal(0))
        parts = [(name, costs[kind]) for name, costs in remainders if costs.get(kind)]
        roster_cost = roster.costs.get(kind)
        if not (of_rows or parts or roster_cost):
            continue
        text = f"{roster.file.name}: {kind} of the rows {plain_cost(of_rows)}"
        text += f", left over {plain_cost(rest)} ({_some_names(parts)})" if parts else ", left over 0"
        if roster_cost is None:
            yield f"{text}: together {plain_cost(of_rows + rest)}; the roster tells no total"
        elif of_rows + rest == roster_cost:
            yield f"{text}: together the roster's {plain_cost(roster_cost)}"
        else:
            yield f"{text}: together {plain_cost(of_rows + rest)}, but the roster says {plain_cost(roster_cost)}"


def _some_names(parts: list[tuple[str, Decimal]]) -> str:
    """Return the most costly of the parts that lie in no row, and how many more there are."""
    parts_by_size = sorted(parts, key=lambda part: -abs(part[1]))
    names = [f"{name or 'without a name'} {plain_cost(cost)}" for name, cost in parts_by_size[:MOST_NAMED_PARTS]]
    more = len(parts_by_size) - MOST_NAMED_PARTS
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")

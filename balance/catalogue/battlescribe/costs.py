"""What things cost in BattleScribe's files: a catalogue's entries, and the parts of a roster.

In a catalogue a cost is that of one, and what an entry must hold costs besides. In a roster a cost is that of a
selection for all of its number, and what the selection holds costs besides: the costs of all selections and forces add
up to the roster's total.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from balance.base.limits import MOST_XML_DEPTH
from balance.catalogue.battlescribe.xml_reading import Element

Costs = dict[str, Decimal]
"""Name of a kind of cost -> how much, exactly as written."""

_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]{1,2})?")
_MAX_COST = Decimal(10**9)
_FINEST = Decimal("1e-15")
_PARTS = ("roster", "force", "selection")


def add(total: Costs, more: Mapping[str, Decimal], times: int = 1) -> None:
    """Add costs to a total in place, by type, `times` over.

    >>> total = {"pts": Decimal("12.5")}
    >>> add(total, {"pts": Decimal("0.1"), "PL": Decimal(1)}, times=2)
    >>> total
    {'pts': Decimal('12.7'), 'PL': Decimal('2')}
    """
    for name, cost in more.items():
        total[name] = total.get(name, Decimal(0)) + times * cost


def read_costs(element: Element, targets: Mapping[str, Element], unread_costs: list[str] | None = None) -> Costs:
    """Return the costs that stand on an element, by name; `targets` names those that have only the id of their kind.

    `unread_costs` grows by a sentence for each cost that is no number or too large.
    """
    costs: Costs = {}
    for cost in element.within("costs"):
        number = cost.get("typeId") or cost.get("costTypeId")
        kind = targets.get(number)
        name = cost.get("name") or (kind.get("name") if kind is not None else "") or number
        text = cost.get("value")
        value = _number(text)
        if value is None and text and unread_costs is not None:
            place = f"line {cost.line}: " if cost.line else ""
            unread_costs.append(f"{place}the cost {text[:20]!r} of {name or 'no name'} is no number, and is left out")
        if name and value is not None:
            costs[name] = value
    return costs


def _number(text: str) -> Decimal | None:
    """Return a cost exactly, with a point or a comma; None if it is no number or beyond `_MAX_COST`.

    >>> _number("12,5"), _number("1e400"), _number("nan"), _number("1.000,5")
    (Decimal('12.5'), None, None, None)
    """
    if not _NUMBER.fullmatch(text) or len(text) > 40:
        return None
    number = Decimal(text.replace(",", "."))
    if abs(number) >= _MAX_COST:
        return None
    return number if number == 0 or abs(number) >= _FINEST else Decimal(0)


def plain_cost(cost: Decimal) -> str:
    """Return a cost in plain decimals without trailing zeros.

    >>> plain_cost(Decimal("60.0")), plain_cost(Decimal("12.50")), plain_cost(Decimal("-0"))
    ('60', '12.5', '0')
    """
    text = f"{cost:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


class EntryCosts:
    """What the entries of catalogues cost.

    `targets` has the elements of all files by id, `links_to` the links to each id; `step` is called for each element
    visited, to limit the work.
    """

    def __init__(
        self, targets: Mapping[str, Element], links_to: Mapping[str, list[Element]], step: Callable[[], None]
    ) -> None:
        self.targets, self.links_to, self.step = targets, links_to, step
        self._complete: dict[int, Costs] = {}
        self._open = set[int]()

    def costs_of(self, element: Element) -> Costs:
        """Return the costs of an entry by name; a cost that it lacks is that of its links where all of them agree."""
        own_costs = read_costs(element, self.targets)
        number = element.get("id")
        linked_costs = [read_costs(link, self.targets) for link in self.links_to.get(number, ())] if number else []
        for name in {name for link_costs in linked_costs for name in link_costs}:
            costs = {link_costs.get(name, Decimal(0)) for link_costs in linked_costs}
            if len(costs) == 1 and not own_costs.get(name):
                own_costs[name] = costs.pop()
        return own_costs

    def as_it_comes(self, element: Element) -> Costs:
        """Return the costs of an entry with those of what it must hold, as a list builder would fill it in."""
        number = id(element)
        if number in self._complete:
            return self._complete[number]
        if number in self._open or len(self._open) > MOST_XML_DEPTH:
            return {}
        self._open.add(number)
        total = self._without_inner(element)
        for inner, times in self._must_hold(element):
            add(total, self.as_it_comes(inner), times)
        self._open.discard(number)
        self._complete[number] = {name: cost for name, cost in total.items() if abs(cost) < _MAX_COST}
        return self._complete[number]

    def _without_inner(self, element: Element) -> Costs:
        """Return an entry's own costs; of a link, the complete costs of its target and what the link adds."""
        target = self._target(element)
        if target is element:
            return dict(self.costs_of(element))
        total = dict(self.as_it_comes(target))
        stated_costs, counted_costs = read_costs(target, self.targets), self.costs_of(target)
        for name, cost in read_costs(element, self.targets).items():
            already = Decimal(0) if stated_costs.get(name) else counted_costs.get(name, Decimal(0))
            add(total, {name: cost - already})
        return total

    def _must_hold(self, holder: Element) -> Iterator[tuple[Element, int]]:
        """Yield (entry, number) of what an entry must hold; of a group its default, or else its cheapest entry."""
        for inner in holder.within("selectionEntries", "selectionEntryGroups", "entryLinks"):
            self.step()
            target = self._target(inner)
            minimum = max(_minimum_of(inner), _minimum_of(target))
            if target.tag != "selectionEntryGroup":
                if minimum:
                    yield inner, minimum
                continue
            yield from self._of_group(inner, target, minimum)

    def _of_group(self, link: Element, group: Element, minimum: int) -> Iterator[tuple[Element, int]]:
        if id(group) in self._open or len(self._open) > MOST_XML_DEPTH:
            return
        self._open.add(id(group))
        must = [*self._must_hold(group)]
        self._open.discard(id(group))
        yield from must
        missing = minimum - sum(times for _, times in must)
        options = [*group.within("selectionEntries", "entryLinks")]
        if missing <= 0 or not options:
            return
        default = link.get("defaultSelectionEntryId") or group.get("defaultSelectionEntryId")
        for option in options:
            if default and default in (option.get("id"), option.get("targetId")):
                yield option, missing
                return
        yield min(options, key=lambda option: (sum(self.as_it_comes(option).values()), option.line)), missing

    def _target(self, element: Element) -> Element:
        """Return the target of a link; the element itself if it is no link, or the target is in no file."""
        if element.tag != "entryLink":
            return element
        return self.targets.get(element.get("targetId"), element)


def _minimum_of(element: Element) -> int:
    """Return how many of an element its holder must have, from its constraints, at most 10,000."""
    minimum = 0
    for limit in element.within("constraints"):
        if (limit.get("type"), limit.get("field"), limit.get("scope")) == ("min", "selections", "parent"):
            number = _number(limit.get("value"))
            if number is not None and limit.get("percentValue") != "true":
                minimum = max(minimum, min(int(number), 10_000))
    return minimum


@dataclass(eq=False)
class Part:
    """A roster, or a force or a selection of one.

    `costs`: as the file states them: of a roster its total, of a part without what it holds. `above` and `below`: the
    part that it lies in, None for a roster, and the parts in it.
    """

    name: str
    costs: Costs
    above: Part | None
    file: Path
    below: list[Part] = field(default_factory=list)

    @property
    def roster(self) -> Part:
        """The roster that it belongs to, which may be itself."""
        part = self
        while part.above is not None:
            part = part.above
        return part

    def parts(self) -> Iterator[Part]:
        """Yield all parts in it in document order, itself excluded."""
        stack = self.below[::-1]
        while stack:
            part = stack.pop()
            yield part
            stack += reversed(part.below)


def roster_parts(root: Element, file: Path, targets: Mapping[str, Element]) -> dict[int, Part]:
    """Return the parts of a roster's tree by the `id()` of their elements; `targets` has the catalogue's."""
    parts: dict[int, Part] = {}
    stack: list[tuple[Element, Part | None]] = [(root, None)]
    while stack:
        element, above = stack.pop()
        if element.tag in _PARTS:
            part = Part(element.get("name"), read_costs(element, targets), above, file)
            if above is not None:
                above.below.append(part)
            parts[id(element)] = above = part
        stack += [(child, above) for child in reversed(element.children)]
    return parts

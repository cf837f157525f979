"""The joint law of what a section of steps sets, for given values of what it needs, on plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import gcd, lcm
from operator import itemgetter
from typing import TypeAlias

from balance.chance.budget import spend
from balance.rulebook.play.script import Deed, Script

Values: TypeAlias = tuple[int, ...]
Weights: TypeAlias = dict[Values, int]
Pick: TypeAlias = Callable[[Values], Values]
WAY = 3
"""Steps of work for each way in which the dice of a section may fall."""


@dataclass(frozen=True, eq=False)
class StepOnRows:
    """One step of a section, and where its numbers stand.

    A row has what steps before gave and later ones need. `constants`: the values of the section that the step uses, and
    `so_far`: those that it or steps before it use. `uses`: from a row and the constants to what the step uses; `keeps`:
    from a row, the constants and the results of the step to the next row.
    """

    deed: Deed
    constants: Pick
    so_far: Pick
    uses: Pick
    keeps: Pick
    weights: dict[Values, Weights] = field(default_factory=dict, repr=False)

    def after(self, rows: Weights, values: Values) -> Weights:
        """Return the rows after the step."""
        after, constants, keeps = Weights(), self.constants(values), self.keeps
        laws = [step_weights(self.deed, self.uses(row + constants)) for row in rows]
        totals = [sum(law.values()) for law in laws]
        common = lcm(*totals)
        for (row, weight), law, total in zip(rows.items(), laws, totals, strict=True):
            whole, times = row + constants, weight * (common // total)
            spend(WAY * len(law))
            for results, ways in law.items():
                new = keeps(whole + results)
                after[new] = after.get(new, 0) + times * ways
        return after


@dataclass(frozen=True, eq=False)
class Section:
    """A script whose results are asked for by name; laws are kept by the values of what the script needs.

    Rows after each step are kept as well, by the values that mattered until then: most of them not for each state.
    """

    script: Script
    steps: tuple[StepOnRows, ...]
    laws: dict[Values, list[tuple[Values, float]]] = field(default_factory=dict, repr=False)

    def law(self, values: Values) -> list[tuple[Values, float]]:
        """Return the law of the results, in floating point; `values` are those of the script's needs, in their order.

        `DistributionError` where it is too much work, `GameError` where a step makes no sense for these values.
        """
        law = self.laws.get(values)
        if law is None:
            weights = self.weights(values)
            total = sum(weights.values())
            law = self.laws[values] = [(row, weight / total) for row, weight in weights.items()]
        return law

    def weights(self, values: Values) -> Weights:
        """Return the law of the results in whole numbers without a common divisor."""
        rows: Weights = {(): 1}
        for step in self.steps:
            so_far = step.so_far(values)
            rows = step.weights[so_far] if so_far in step.weights else step.after(rows, values)
            step.weights[so_far] = rows
        divisor = gcd(*rows.values())
        return {row: weight // divisor for row, weight in rows.items()}


def section_of(script: Script, names: Sequence[str]) -> Section:
    """Return a script as a section whose results are these names, kept with the script."""
    key = f"plain {' '.join(names)}"
    if key not in script.store:
        script.store[key] = Section(script, tuple(_steps(script, names)))
    section: Section = script.store[key]
    return section


def _steps(script: Script, names: Sequence[str]) -> Iterable[StepOnRows]:
    """Yield the steps of a script, which give these names in the end."""
    deeds, row, so_far = [deed for deed in script.deeds if deed.step is not None], list[str](), list[int]()
    for number, deed in enumerate(deeds):
        is_last = number + 1 == len(deeds)
        later = {name for other in deeds[number + 1 :] for name in other.uses}.union(names)
        constants = [name for name in (*deed.uses, *(names if is_last else ())) if name not in (*row, *deed.gives)]
        places = [script.needs.index(name) for name in dict.fromkeys((*constants, *deed.uses)) if name not in row]
        constants = [script.needs[place] for place in places]
        so_far += [place for place in places if place not in so_far]
        place_of = {name: place for place, name in enumerate((*row, *constants, *deed.gives))}  # the latest counts
        before = {name: place for place, name in enumerate((*row, *constants))}
        given = [name for name in dict.fromkeys((*row, *deed.gives)) if name in later]
        row_after = list(names) if is_last else given
        uses, keeps = ([of[name] for name in of_names] for of, of_names in ((before, deed.uses), (place_of, row_after)))
        yield StepOnRows(deed, pick(places), pick(so_far), pick(uses), pick(keeps))
        row = row_after


def pick(places: Sequence[int]) -> Pick:
    """Return what gives the numbers at some places."""
    if len(places) > 1:
        return itemgetter(*places)
    return partial(_few, tuple(places))


def _few(places: tuple[int, ...], row: Values) -> Values:
    return (row[places[0]],) if places else ()


def step_weights(deed: Deed, values: Values) -> Weights:
    """Return the law of what a step sets, in whole numbers, kept with the step; a value that is set, also unclipped."""
    known_laws: dict[Values, Weights] = deed.store.setdefault("weights", {})
    if values not in known_laws:
        is_formula = deed.law.step.formula is not None
        law: Weights = {(deed.law.formula_value(values),): 1} if is_formula else deed.law.weights(values)
        if deed.line.assigns:
            law = {(max(0, value), value): weight for (value,), weight in law.items()}
        known_laws[values] = law
    return known_laws[values]

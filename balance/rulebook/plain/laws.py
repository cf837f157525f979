"""The joint law of what a section of steps sets, for given values of what it needs, on plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm
from typing import TypeAlias

from balance.chance.budget import spend
from balance.rulebook.play.script import Deed, Script

Values: TypeAlias = tuple[int, ...]
Weights: TypeAlias = dict[Values, int]
Chances: TypeAlias = list[tuple[Values, float]]
WAY = 4
"""Steps of work for each way in which the dice of a section may fall."""


@dataclass(frozen=True, eq=False)
class StepOnNumbers:
    """One step of a section, and where its numbers stand.

    `uses`: the places of its values in a row. `keeps`: the places in a row, with the results of the step added, of what
    is needed later.
    """

    deed: Deed
    uses: tuple[int, ...]
    keeps: tuple[int, ...]

    def moved(self, row: Values, results: Values) -> Values:
        """Return the numbers still needed after the step gave these results."""
        if self.deed.line.assigns:
            results = (max(0, results[0]), results[0])
        whole = row + results
        return tuple([whole[place] for place in self.keeps])


@dataclass(frozen=True, eq=False)
class Section:
    """A script whose results are asked for by name; laws are kept by the values of what the script needs."""

    script: Script
    names: tuple[str, ...]
    steps: tuple[StepOnNumbers, ...]
    laws: dict[Values, Chances] = field(default_factory=dict, repr=False)

    def law(self, values: Values) -> Chances:
        """Return the law of the results, in floating point; `values` are those of the script's needs, in their order.

        `DistributionError` where it is too much work, `GameError` where a step makes no sense for these values.
        """
        if values not in self.laws:
            rows = {values: 1.0}
            for step in self.steps:
                rows = _after(step, rows)
            self.laws[values] = list(rows.items())
        return self.laws[values]

    def weights(self, values: Values) -> Weights:
        """Return the law of the results in whole numbers without a common divisor."""
        rows = {values: 1}
        for step in self.steps:
            rows = _whole_after(step, rows)
        divisor = gcd(*rows.values())
        return {row: weight // divisor for row, weight in rows.items()}


def section_of(script: Script, names: Sequence[str]) -> Section:
    """Return a script as a section whose results are these names, kept with the script."""
    key = f"plain {' '.join(names)}"
    if key not in script.store:
        script.store[key] = Section(script, tuple(names), tuple(_steps(script, names)))
    section: Section = script.store[key]
    return section


def _steps(script: Script, names: Sequence[str]) -> list[StepOnNumbers]:
    deeds = [deed for deed in script.deeds if deed.step is not None]
    steps, row = list[StepOnNumbers](), list(script.needs)
    for number, deed in enumerate(deeds):
        later = {name for other in deeds[number + 1 :] for name in other.uses}.union(names)
        place_of = {name: place for place, name in enumerate([*row, *deed.gives])}  # the latest of a name counts
        row_after = [name for name in place_of if name in later] if number + 1 < len(deeds) else list(names)
        uses = tuple(row.index(name) for name in deed.uses)
        steps.append(StepOnNumbers(deed, uses, tuple(place_of[name] for name in row_after)))
        row = row_after
    return steps


def _after(step: StepOnNumbers, rows: Mapping[Values, float]) -> dict[Values, float]:
    after, moved = dict[Values, float](), step.moved
    for row, chance in rows.items():
        law = step_law(step.deed, tuple([row[place] for place in step.uses]))
        spend(WAY * len(law))
        for results, share in law:
            new = moved(row, results)
            after[new] = after.get(new, 0.0) + chance * share
    return after


def _whole_after(step: StepOnNumbers, rows: Mapping[Values, int]) -> Weights:
    laws = [step_weights(step.deed, tuple([row[place] for place in step.uses])) for row in rows]
    totals = [sum(law.values()) for law in laws]
    common, after = lcm(*totals), Weights()
    for (row, weight), law, total in zip(rows.items(), laws, totals, strict=True):
        spend(WAY * len(law))
        for results, ways in law.items():
            new = step.moved(row, results)
            after[new] = after.get(new, 0) + weight * ways * (common // total)
    return after


def step_law(deed: Deed, values: Values) -> Chances:
    """Return the law of the results of a step for values of what it uses, kept with the step."""
    known_laws: dict[Values, Chances] = deed.store.setdefault("plain", {})
    if values not in known_laws:
        weights = step_weights(deed, values)
        total = sum(weights.values())
        known_laws[values] = [(results, weight / total) for results, weight in weights.items()]
    return known_laws[values]


def step_weights(deed: Deed, values: Values) -> Weights:
    """Return the law of the results of a step in whole numbers, kept with the step."""
    known_laws: dict[Values, Weights] = deed.store.setdefault("plain weights", {})
    if values not in known_laws:
        has_formula = deed.law.step.formula is not None
        known_laws[values] = {(deed.law.formula_value(values),): 1} if has_formula else deed.law.weights(values)
    return known_laws[values]

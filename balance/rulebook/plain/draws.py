"""Results of sections drawn at random: from their laws, or rolled die by die where a law is too much work."""

from __future__ import annotations

from itertools import accumulate
from random import Random

from balance.base.errors import DistributionError
from balance.chance.budget import exact_budget
from balance.chance.dice.rolling.plain import PlainRoller
from balance.rulebook.plain.laws import Section, Values, step_weights
from balance.rulebook.play.script import Deed

SHARE = 0.001
"""Share of the work of an exact answer that one law may take: some ten thousandths of a second."""
MOST_LAWS = 200
"""Laws that are worked out, or tried; results of others are rolled."""


class Draws:
    """Draws results of sections with one generator of random numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self._roller = PlainRoller(self.random)
        self._laws = dict[tuple[Section, Values], tuple[list[Values], list[float]] | None]()

    def of(self, section: Section, values: Values) -> Values:
        """Return the results of a section for values of what it needs."""
        key = section, values
        if key not in self._laws and len(self._laws) < MOST_LAWS:
            self._laws[key] = self._law(section, values)
        law = self._laws.get(key)
        return self._rolled(section, values) if law is None else self.random.choices(law[0], cum_weights=law[1])[0]

    def _law(self, section: Section, values: Values) -> tuple[list[Values], list[float]] | None:
        try:
            with exact_budget(SHARE):
                law = section.law(values)
        except DistributionError:
            return None
        return [results for results, _ in law], list(accumulate(chance for _, chance in law))

    def _rolled(self, section: Section, values: Values) -> Values:
        row: Values = ()
        for step in section.steps:
            whole = row + step.constants(values)
            row = step.keeps(whole + self._results(step.deed, step.uses(whole)))
        return row

    def _results(self, deed: Deed, values: Values) -> Values:
        if not deed.law.step.has_dice and deed.law.step.formula is not None:
            return next(iter(step_weights(deed, values)))
        results = self._roller.roll(deed.law.nodes(values), deed.law.step.columns)
        deed.law.check_size(max(results), min(results), values)
        return (max(0, results[0]), *results) if deed.line.assigns else results

"""The price of one card or loadout: what its numbers are worth, and what could change instead of its cost.

All changes are played in one field, at its fair costs, with the same armies and dice (see `handicap`), so that they are
known by their differences. Proposals are played again on fresh seeds, at the printed cost. So are the readings of rules
that make a difference to the card, as long as the others keep their costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from balance.analysis.changes.handicaps.handicap import N_BATTLES, Handicap
from balance.analysis.changes.neighbours.card_steps import CardStep, further, steps_of
from balance.analysis.changes.neighbours.priced_item import FairAfter, PricedItem, find_priced
from balance.analysis.claims.rule_options import Reading, other_readings
from balance.analysis.prices.answer import Alternative, CardChange, CardPrice, CardPriceSettings, LoadoutPrice
from balance.analysis.prices.price_list import PriceList
from balance.analysis.prices.proposals import settings_of
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE, NOT_WORTH
from balance.analysis.scores.usual_prices import Tolerance, judge_cost
from balance.base.answers import Doc, Points
from balance.base.numbers import SURE
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner

READING_BATTLES = 1024
"""Battles of each reading of a rule: there are many, and most make no difference."""
TENTH = 10
"""A number changes by this part of it at a time where its steps are smaller than that."""
MOST_TRIED, MOST_SHOWN = 8, 5
REFINEMENTS = 2
"""How often changes are tried that may come nearer than those that were."""
MOST_USELESS = 2
"""Cards not worth taking for which other numbers are sought by themselves."""
LIKELY = 0.6
"""Part of the tolerance within which a change by several steps has to be, so that fresh seeds are likely to agree."""
WORD_COUNTS = 2
"""Steps of a number that a word which comes or goes counts as, where the smallest change comes first."""


Change = tuple[str, str, str, str, str, str]
"""The attributes of a `CardChange`, in their order."""


@dataclass(frozen=True)
class PricedStep(CardChange):
    """A step of a card, and what it is worth; null where the setting cannot see it."""

    seen: Annotated[bool, Doc("Whether the setting can see it.")]
    score: Annotated[float | None, Doc("What an army of it scores more at the same cost.")]
    score_low: Annotated[float | None, Doc("The lower end of the 95 % interval of that.")]
    score_high: Annotated[float | None, Doc("Its upper end.")]
    points: Annotated[float | None, Doc("What it is worth.")]
    low: Annotated[float | None, Doc("The lower end of the 95 % interval of `points`.")]
    high: Annotated[float | None, Doc("Its upper end.")]


@dataclass(frozen=True)
class RuleReading:
    """The fair cost by another reading of a rule, while all others keep their costs."""

    rule: str
    value: Annotated[str, Doc("How it is read.")]
    ambiguity: str
    sentence: str
    fair: Annotated[Points, Doc("The fair cost then.")]
    low: Annotated[Points, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Points, Doc("Its upper end.")]
    verdict: Annotated[str, Doc("What follows.")]
    turns: Annotated[bool, Doc("Whether that turns the verdict.")]


@dataclass(frozen=True, repr=False)
class PriceOfCard:
    """What one card or loadout should cost, and what could change instead."""

    schema: Literal[1]
    game: str
    verb: Literal["price"]
    card: str
    table: Annotated[str | None, Doc("Null for a loadout.")]
    price: LoadoutPrice | CardPrice
    alternatives: Annotated[
        tuple[Alternative, ...],
        Doc("Another cost, and changes that make the printed one fair, the smallest first; none where it is fair."),
    ]
    steps: tuple[PricedStep, ...]
    readings: Annotated[tuple[RuleReading, ...], Doc("Those that make a difference to it.")]
    settings: CardPriceSettings
    holds: Annotated[tuple[str, ...], Doc("The card, or those of the loadout.")]

    def __repr__(self) -> str:
        """Return which it is, and what is said of its cost."""
        return f"<PriceOfCard: {self.card}, {self.price.verdict}>"


def price_card(
    runner: Runner,
    prices: PriceList,
    name: str,
    seed: int = 0,
    *,
    leading: PriceList | None = None,
    n_battles: int = N_BATTLES,
) -> PriceOfCard:
    """Return the price of one card or loadout of a price list of the same game, from `n_battles` of each change.

    Changes are played where armies of equal points meet. A `leading` list is the one whose verdict counts, such as that
    of a board; where both disagree, no change is proposed. Raise UsageError, naming the nearest, where there is no such
    card or loadout.
    """
    desk = _Desk(runner, find_priced(runner, prices, name), seed, n_battles, prices.tolerance)
    steps = steps_of(runner.game, desk.kind, desk.item.cards, desk.item.members)
    worth, item, judged = desk.worth(steps), desk.item, leading or prices
    price = judged.cards.get(name) or judged.loadouts[name]
    return PriceOfCard(
        1,
        runner.game.definition.name,
        "price",
        item.name,
        item.table or None,
        price,
        tuple(desk.alternatives(worth)) if price.verdict == item.price.verdict else (),
        tuple(desk.priced(step, worth.get(step)) for step in steps),
        tuple(desk.readings()),
        CardPriceSettings(**vars(settings_of(judged)), battles_a_change=n_battles, changes_played_in=desk.kind),
        tuple(card for _, card in item.cards),
    )


def other_numbers(
    runner: Runner, prices: PriceList, bench: Callable[[], PriceList], seed: int = 0
) -> dict[str, tuple[Alternative, ...]]:
    """Return for each card that is not worth taking at any cost the changes of one number that would make it fair.

    `bench` gives the list in whose setting changes are tried.
    """
    useless = [name for name, price in prices.cards.items() if price.verdict == NOT_WORTH]
    if not useless:
        return {}
    tried = bench()
    found = {name: price_card(runner, tried, name, seed).alternatives for name in useless[:MOST_USELESS]}
    return {
        name: tuple(change for change in changes if change.field != "cost_points") for name, changes in found.items()
    }


def step_points(
    runner: Runner, item: PricedItem, seed: int = 0, *, may_add_words: bool = False, n_battles: int = N_BATTLES
) -> dict[CardStep, Estimate | None]:
    """Return what each single change of a card is worth in points; None where the setting cannot see it.

    With `may_add_words`, words that a card does not have may be put on it, too.
    """
    desk = _Desk(runner, item, seed, n_battles)
    steps = steps_of(runner.game, desk.kind, item.cards, item.members, may_add_words=may_add_words)
    worth, points = desk.worth(steps), dict[CardStep, Estimate | None]()
    for step in steps:
        row = desk.priced(step, worth.get(step))
        points[step] = None
        if row.points is not None and row.low is not None and row.high is not None:
            points[step] = Estimate(row.points, row.low, row.high, n_battles, "fitted")
    return points


@dataclass(frozen=True)
class _Desk:
    """Prices one card or loadout in its field."""

    runner: Runner
    item: PricedItem
    seed: int
    n_battles: int
    tolerance: Tolerance = field(default_factory=Tolerance)

    @property
    def kind(self) -> str:
        return self.item.field.setting.kind

    def worth(self, steps: Sequence[CardStep], within: tuple[float, float] | None = None) -> dict[CardStep, Handicap]:
        """Return the handicap of each step with an effect less the card's own; `within` as in `handicaps`."""
        if not (effective := [step for step in steps if step.has_effect]):
            return {}
        groups = [self.item.group(), *map(self.item.group, effective)]
        base, *results = self.item.play(self.runner, groups, self.seed, self.n_battles, within=within)
        return {step: result.beyond(base) for step, result in zip(effective, results, strict=True)}

    def priced(self, step: CardStep, worth: Handicap | None) -> PricedStep:
        """Return a step and what it is worth: a difference, whatever the card costs."""
        if worth is None:
            return PricedStep(*_change(step), step.has_effect, *(None,) * 6)
        price, fair = self.item.price, self.item.fair
        after = replace(self.item, price=replace(price, dice_low=fair, dice_high=fair)).after(worth)
        scores, points = (after.score, after.score_low, after.score_high), (after.fair, after.low, after.high)
        return PricedStep(*_change(step), step.has_effect, *scores, *(end - fair for end in points))

    def alternatives(self, worth: dict[CardStep, Handicap]) -> list[Alternative]:
        """Return rows of another cost and of changes that make the printed one fair, all played again on fresh dice."""
        item = self.item
        if abs(item.fair - item.cost) <= item.price.tolerance or item.price.verdict == NOT_MEASURABLE:
            return []
        whole = max(round(item.fair), 1)
        cost = (item.table, item.name, "cost_points", f"{item.cost:g}", f"{whole}", f"{whole}")
        steps = sorted(self._fitting_steps(worth), key=_size)[:MOST_TRIED]
        costs = [whole] if whole != item.cost else []  # a whole banner may be nearest to what is not fair
        groups = [*(item.group(cost=price) for price in costs), *(item.group(step, item.cost) for step in steps)]
        if not groups:
            return []
        results = item.play(self.runner, groups, self.seed, self.n_battles, "analysis/price_card/fresh")
        proposals = [self._alternative(cost, item.after(result, whole), whole) for result in results[: len(costs)]]
        for step, result in zip(steps, results[len(costs) :], strict=True):
            after = item.after(result, item.cost)
            proposals += [self._alternative(_change(step), after, item.cost)] if self._fits(after) else []
        return proposals[: MOST_SHOWN + 1]

    def _alternative(self, change: Change, after: FairAfter, cost: float) -> Alternative:
        """Return a fair cost beside a cost that is proposed, judged by the tolerance of that."""
        tolerance = self.tolerance.of(cost)
        verdict = judge_cost(cost, after.low, after.high, tolerance)
        scores = after.score, after.score_low, after.score_high
        return Alternative(*change, cost, after.fair, after.low, after.high, *scores, tolerance, verdict)

    def _fits(self, after: FairAfter, share: float = 1.0) -> bool:
        return abs(after.fair - self.item.cost) <= share * self.item.price.tolerance

    def _fitting_steps(self, worth: dict[CardStep, Handicap]) -> Iterator[CardStep]:
        """Yield for each field one change that makes the printed cost fair, as far as one can be found.

        The smallest is taken; of a number so large that its steps are fine, the one that comes nearest.
        """
        item, target_shift = self.item, self.item.shift_for(self.item.cost)
        steps = steps_of(self.runner.game, self.kind, item.cards, item.members, may_add_words=target_shift > 0)
        wide = [self._times(step, _width(step)) or step for step in steps]
        fit = item.shift_for(item.cost - item.price.tolerance), item.shift_for(item.cost + item.price.tolerance)
        worth = worth | self.worth([step for step in dict.fromkeys((*steps, *wide)) if step not in worth], fit)
        helpful = {
            step: result
            for step, result in worth.items()
            if result.shift * target_shift > SURE * abs(target_shift) * result.error
        }
        for _ in range(REFINEMENTS):
            more = dict.fromkeys(self._multiples(helpful, target_shift))
            helpful |= self.worth([step for step in more if step not in helpful], fit)
        places = set[tuple[str, str]]()
        for step in sorted(
            helpful,
            key=lambda change: abs(helpful[change].shift - target_shift) if _width(change) > 1 else _size(change)[0],
        ):
            place = step.path, "" if step.by else step.value
            if place not in places and self._fits(item.after(helpful[step]), LIKELY if abs(step.by) > 1 else 1.0):
                places.add(place)
                yield step

    def _multiples(self, helpful: dict[CardStep, Handicap], target_shift: float) -> Iterator[CardStep]:
        """Yield, for each number, larger changes near the one that interpolates to the shift wanted."""
        best = dict[str, CardStep]()
        for step in sorted(helpful, key=lambda change: -abs(helpful[change].shift - target_shift)):
            best[step.path] = step  # the nearest comes last
        for step in best.values():
            middle = target_shift / helpful[step].shift
            near = max(1.0, abs(middle * step.by) / TENTH) / max(abs(step.by), 1.0)
            for times in (middle - near, middle, middle + near):
                if times > 0 and (more := self._times(step, times)) is not None:
                    yield more

    def _times(self, step: CardStep, times: float) -> CardStep | None:
        return further(self.runner.game, self.kind, step, round(times * step.by) / (step.by or 1), self.item.members)

    def readings(self) -> Iterator[RuleReading]:
        """Yield a row for each reading of a rule under which some score differs, with the verdict under it."""
        readings = other_readings(self.runner.game, self.item.field.setting.changes)
        usual = self.item.says(self.item.as_it_is)
        for reading, handicap in self._under(readings):
            if not handicap.score_parts.any():
                continue
            after = self.item.after(handicap)
            says = self.item.says(after)
            turns = NOT_KNOWN not in (says, usual) and says != usual
            rule = reading.switch, reading.value, reading.ambiguity, reading.sentence
            yield RuleReading(*rule, after.fair, after.low, after.high, says, turns)

    def _under(self, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Handicap]]:
        """Yield the card's handicap under each reading less that under the rules in force, on the same dice."""
        setting, group = self.item.field.setting, self.item.group()
        groups = [group]
        for reading in readings:
            fixed = f"rules.{reading.switch}="
            changes = (*(change for change in setting.changes if not change.startswith(fixed)), reading.assignment)
            groups.append(replace(group, setting=replace(setting, changes=changes)))
        if readings:
            in_force, *results = self.item.play(self.runner, groups, self.seed, READING_BATTLES)
            yield from ((reading, result.beyond(in_force)) for reading, result in zip(readings, results, strict=True))


def _change(step: CardStep) -> Change:
    return step.table, step.card, step.field, step.old, step.new, step.value


def _width(step: CardStep) -> int:
    """Return the step size for a number: about a tenth of its value, at least 1."""
    return max(1, round(abs(float(step.old)) / TENTH)) if step.by else 1


def _size(step: CardStep) -> tuple[float, str]:
    """Return a sort key for changes: how many steps a number moves (a word has a size of its own), then the path."""
    return abs(step.by) / _width(step) if step.by else WORD_COUNTS, step.path

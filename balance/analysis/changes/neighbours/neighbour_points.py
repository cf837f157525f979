"""What the small changes of a card are worth in points, where armies are bought for them.

As `balance price` finds it, with one difference: all printed costs are taken as fair, so that no price list is needed
first. What the same armies and dice say of the card as it is and after a change differs by the change alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from balance.analysis.changes.handicaps.handicap import N_BATTLES
from balance.analysis.changes.neighbours.card_changes import InPoints
from balance.analysis.changes.neighbours.card_steps import CardStep
from balance.analysis.changes.neighbours.neighbours import Change, Neighbourhood
from balance.analysis.changes.neighbours.price_card import step_points
from balance.analysis.changes.neighbours.priced_item import as_printed
from balance.analysis.prices.asked import army_setting
from balance.base.errors import UsageError
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Runner


def neighbour_points(
    runner: Runner, neighbourhood: Neighbourhood, seed: int = 0, n_battles: int = N_BATTLES
) -> InPoints:
    """Return what the changes of a neighbourhood are worth in points, from `n_battles` of each change."""
    try:
        setting = army_setting(runner.game, buys_all=False)
        item = as_printed(runner.game, setting, neighbourhood.card)
    except UsageError as error:
        return InPoints(not_measurable_here=error.faults[0].message)
    steps = step_points(runner, item, seed, may_add_words=True, n_battles=n_battles)
    points = {neighbour.change: _of(neighbour.change, steps) for neighbour in neighbourhood.neighbours}
    known = {change: worth for change, worth in points.items() if worth is not None}
    return InPoints(setting.kind, points=known)


def _of(change: Change, steps: Mapping[CardStep, Estimate | None]) -> Estimate | None:
    """Return the points of the one step that equals this change; None where no step or several do."""
    matches = list(_matching_steps(change, steps))
    return steps[matches[0]] if len(matches) == 1 else None


def _matching_steps(change: Change, steps: Iterable[CardStep]) -> Iterable[CardStep]:
    for step in steps:
        if step.field != change.field:
            continue
        if change.word:
            if change.word in (step.old, step.new) and not step.by:
                yield step
        elif step.by and float(step.old) == float(change.from_) and float(step.new) == float(change.to):
            yield step

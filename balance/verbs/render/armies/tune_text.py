"""What `balance tune` prints and writes: what should change, what that does, and the patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_fixed, show_interval, show_many, show_probability, show_probability_change
from balance.verbs.render.armies.tune_json import ends_of
from balance.verbs.render.terminal import Whole, line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.mean_scores import MeanScores
    from balance.analysis.changes.tuning.tune import TuneResult

MOST_SHOWN = 8
"""Rows of entrants."""


def unmet_demand(tuning: TuneResult) -> str:
    """Return what of a demand is not met; nothing where it is, or may be."""
    if tuning.verdict != "not reached":
        return ""
    target, after = tuning.target, tuning.after
    reasons = []
    if (n := tuning.within(after)) < len(tuning.entrants):
        reasons.append(f"{n} of {len(tuning.entrants)} mean scores lie in {_band_text(tuning)}")
    if target.first_mover is not None and abs(after.first_mover) > target.first_mover:
        gain = show_probability_change(after.first_mover)
        reasons.append(f"going first adds {gain}, more than {show_probability(target.first_mover)}")
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    reason = comma_list(reasons) if reasons else f"some mean score lies outside {_band_text(tuning)} for certain"
    return f"not met by {show_many(tuning.max_changes, 'change')} of {tuning.n_tried} numbers: {reason}; {tip}"


def _band_text(tuning: TuneResult) -> str:
    return show_interval(tuning.target.low, tuning.target.high, lambda x: f"{100 * x:g}%")


def sentence(tuning: TuneResult) -> str:
    """Return in a sentence what the changes reach."""
    n, of = tuning.within(tuning.after), len(tuning.entrants)
    changes_text = show_many(len(tuning.changes), "change")
    begin = f"{changes_text}, and" if tuning.changes else "Nothing has to change:"
    if tuning.verdict == "reached":
        return f"{begin} all {of} mean scores lie in {_band_text(tuning)} for certain."
    if tuning.verdict == "not yet known":
        return f"{begin} {n} of {of} mean scores lie in {_band_text(tuning)}; for some it is not yet known for certain."
    if not tuning.changes:
        return f"Nothing that may move brings scores nearer: {n} of {of} mean scores lie in {_band_text(tuning)}."
    times = tuning.before.spread / max(tuning.after.spread, 1e-9)
    return (
        f"{show_many(tuning.max_changes, 'change')} cannot bring all mean scores into the band; with {changes_text} "
        f"the spread of mean scores shrinks {show_fixed(times, 1)} times, and {n} of {of} lie in {_band_text(tuning)}."
    )


def blocks(tuning: TuneResult, last: str, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom.

    Parameters
    ----------
    tuning
        The changes, and what they do.
    last
        The last line, which says where the patch is.
    more
        Whether everything is printed, instead of the first screen.
    """
    yield title(f"{tuning.game.definition.title}: tuned", tuning.verdict if tuning.changes else "as it is")
    yield line(sentence(tuning), after=1)
    if tuning.changes:
        changes = [(change.path, change.old, change.new) for change in tuning.changes]
        yield table(["change", "from", "to"], changes, ("from", "to"))
    rows = [(name, *map(show, (tuning.before, tuning.after))) for name, show in _measures(tuning, more)]
    yield table(["armies of equal points", "before", "after"], rows, ("before", "after"))
    if more and (farthest := _farthest(tuning)):
        heads = ["farthest from the band", "cost", "before", "after", "95% interval"]
        yield table(heads, farthest, heads[1:4])
    yield line(_basis(tuning, more), "dim", after=int(more))
    yield Whole(last)


def _measures(tuning: TuneResult, more: bool) -> list[tuple[str, Any]]:
    """Return what is told before and after: its name, and how it is shown."""
    of = len(tuning.entrants)
    measures: list[tuple[str, Any]] = [
        (f"mean scores in {_band_text(tuning)}", lambda means: f"{tuning.within(means)} of {of}"),
        ("lowest mean score", lambda means: show_probability(float(means.scores.min()))),
        ("highest mean score", lambda means: show_probability(float(means.scores.max()))),
        ("going first adds", _first_mover),
    ]
    return [*measures, ("spread of mean scores", lambda means: show_probability(means.spread))] if more else measures


def _first_mover(means: MeanScores) -> str:
    return f"{show_probability_change(means.first_mover)} ± {show_fixed(100 * SURE * means.first_mover_error, 1)}"


def _farthest(tuning: TuneResult) -> list[Sequence[str]]:
    """Return the entrants that lie farthest outside the band after the changes."""
    scores, errors = tuning.after.scores, tuning.after.errors
    beyond = [max(tuning.target.low - score, score - tuning.target.high) for score in scores.tolist()]
    order = sorted((at for at, by in enumerate(beyond) if by > 0), key=lambda at: -beyond[at])
    return [
        (
            tuning.game.label(tuning.entrants[at]),
            " → ".join(dict.fromkeys(f"{cost:g}" for cost in tuning.costs[:, at])),
            show_probability(float(tuning.before.scores[at])),
            show_probability(float(scores[at])),
            show_interval(*ends_of(float(scores[at]), float(errors[at])), show_probability),
        )
        for at in order[:MOST_SHOWN]
    ]


def _basis(tuning: TuneResult, more: bool) -> str:
    """Return what a mean score is, how before and after are known, and by what band they are judged."""
    budgets = tuning.setting.budgets
    text = (
        f"A mean score is what armies of one kind score against all others at equal points, from {budgets[0][0]:g} to "
        f"{budgets[-1][0]:g}, a draw counted half; simulated before and after on fresh armies and dice, "
        f"{tuning.after.n_pairs:,} pairs of battles of each, seed {tuning.seed}. Band {_band_text(tuning)} (--band)."
    )
    if tuning.without_effect and (more or not tuning.changes):
        idle = tuning.without_effect
        numbers = show_many(len(idle), "other number")
        text += f" Nothing here shows what {numbers} would do: {comma_list(idle)}."
    if not more:
        return f"{text} Farthest from it, and more: --more"
    return f"{text} The spread is the root mean square from 50%, without what dice add."


def patch(tuning: TuneResult) -> str:
    """Return the patch that makes the changes."""
    from balance.study.settings.patch import patch_text

    text = f"Found by balance tune {tuning.game.definition.name}, seed {tuning.seed}: {sentence(tuning)}"
    changes = [(change.path, change.old, change.new) for change in tuning.changes]
    return patch_text(f"Tuned to {_band_text(tuning)}", changes, text)

"""What `balance tune` prints and writes: what should change, what that does, and the patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.answers.media.terminal import Whole, line, table, title
from balance.base.errors import comma_list, first_of
from balance.base.numbers import (
    SURE,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
    show_unit,
)
from balance.verbs.render.armies.tune_json import ends_of, verdict_before

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.mean_scores import MeanScores
    from balance.analysis.changes.tuning.tune import Change, TuneResult

MOST_SHOWN = 8
"""Rows of entrants."""
MOST_TOLD = 3
"""Entrants that a sentence names."""


def unmet_demand(tuning: TuneResult) -> str:
    """Return what of a demand is not met; nothing where it is, or may be."""
    if tuning.verdict != "not reached":
        return ""
    target, after = tuning.target, tuning.after
    reasons = []
    if (n := tuning.within(after)) < tuning.n_judged:
        reasons.append(f"{n} of {tuning.n_judged} mean scores lie in {_band_text(tuning)}")
    if target.first_mover is not None and abs(after.first_mover) > target.first_mover:
        gain = show_probability_change(after.first_mover)
        reasons.append(f"going first adds {gain}, more than {show_probability(target.first_mover)}")
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    reason = comma_list(reasons) if reasons else f"some mean score lies outside {_band_text(tuning)} for certain"
    return f"not met by {show_many(tuning.max_changes, 'change')} of {tuning.n_tried} numbers: {reason}; {tip}"


def _band_text(tuning: TuneResult) -> str:
    return show_interval(tuning.target.low, tuning.target.high, lambda x: f"{100 * x:g}%")


def sentence(tuning: TuneResult) -> str:
    """Return in a sentence what the changes reach: the target, something nearer to it, or nothing."""
    n, of, band = tuning.within(tuning.after), tuning.n_judged, _band_text(tuning)
    if tuning.headline == "reached":
        sure = " for certain" if tuning.verdict == "reached" else ", though not yet for certain"
        if not tuning.changes:
            return f"Already in the band: all {of} mean scores lie in {band}{sure}; nothing has to change."
        return f"Reached: {_changes_text(tuning)}, and all {of} mean scores lie in {band}{sure}."
    still = f"{show_many(of - n, 'mean score')} of {of} outside {band}: {_outside_text(tuning)}" if n < of else ""
    if tuning.headline == "better":
        before, after = (show_fixed(100 * tuning.judged(means).spread, 1) for means in (tuning.before, tuning.after))
        nearer = f"from {before} to {show_unit(after, 'pp')}"
        fall = f"with {_changes_text(tuning)} the typical distance of a mean score from 50% falls {nearer}"
        return f"Better: {fall}, with {still}." if still else f"Better: {fall}."
    if tuning.verdict == "not yet known":
        return f"Not found: no change is sure to bring mean scores nearer, with {still or 'all of them in the band'}."
    return f"Not found: nothing that may move brings mean scores nearer, with {still or 'all of them in the band'}."


def _changes_text(tuning: TuneResult) -> str:
    """Return what changes: a power by its name, single numbers by how many there are."""
    n_single = len(tuning.single_changes)
    if tuning.power is None:
        return show_many(n_single, "change")
    return tuning.power.name + (f" and {show_many(n_single, 'other change')}" if n_single else "")


def _outside_text(tuning: TuneResult) -> str:
    """Return who is outside the band after the changes, the farthest with their scores."""
    rows = tuning.outside.tolist()
    names = [
        f"{tuning.game.label(tuning.entrants[at])} ({show_probability(float(tuning.after.scores[at]))})" for at in rows
    ]
    return comma_list(first_of(names, MOST_TOLD))


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
    n_changes = f"{show_many(tuning.n_changes, 'change')} of {tuning.max_changes} allowed"
    yield title(f"{tuning.game.definition.title}: tuned", n_changes)
    yield line(sentence(tuning), after=1)
    if tuning.changes:
        heads = ["change", "from", "to", "points", "as it is"]
        yield table(heads, _change_rows(tuning, more), heads[1:4], whole=heads[:4])
    rows = [(name, *map(show, (tuning.before, tuning.after))) for name, show in _measures(tuning, more)]
    yield table(["armies of equal points", "before", "after"], rows, ("before", "after"))
    if moved_out := tuning.moved_out.tolist():
        heads = ["moved out of the band", "cost", "before", "after", "95% interval"]
        yield table(heads, _entrant_rows(tuning, moved_out, more), heads[1:4])
    if more and (farthest := tuning.outside.tolist()):
        heads = ["farthest from the band", "cost", "before", "after", "95% interval"]
        yield table(heads, _entrant_rows(tuning, farthest[:MOST_SHOWN], more), heads[1:4])
    yield line(_basis(tuning, more), "dim", after=int(more))
    yield Whole(last)


def _change_rows(tuning: TuneResult, more: bool) -> list[Sequence[str]]:
    """Return what changes: all costs to a power as one row, then single numbers; with more, every cost."""
    powered = [change for change in tuning.changes if change.by_power]
    rows: list[Sequence[str]] = []
    if tuning.power is not None and powered:
        old, new = ([float(getattr(change, side)) for change in powered] for side in ("old", "new"))
        steps = show_interval(*_ends([change.points for change in powered]), _signed)
        rows.append((tuning.power.name.partition(" (")[0], _range(old), _range(new), steps, _uneven(powered)))
    listed = tuning.changes if more else tuning.single_changes
    return rows + [
        (change.path, change.old, change.new, _step_text(change), verdict_before(change)) for change in listed
    ]


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _range(values: Sequence[float]) -> str:
    return show_interval(*_ends(values), lambda value: f"{value:g}")


def _signed(points: float) -> str:
    """Return a change in points with its sign; a whole one without decimals."""
    text = show_fixed(points, 1).removesuffix(".0")
    return f"+{text}" if points > 0 else text


def _step_text(change: Change) -> str:
    """Return what a change does in points: to a cost, or to what those are worth whom it touches."""
    if change.is_cost:
        return _signed(change.points)
    return f"worth {_signed(change.points)}" if change.points else ""


def _uneven(powered: Sequence[Change]) -> str:
    """Return what all costs to a power say of small and large costs as they are."""
    by_cost = sorted(powered, key=lambda change: float(change.old))
    return f"small {verdict_before(by_cost[0])}, large {verdict_before(by_cost[-1])}"


def _measures(tuning: TuneResult, more: bool) -> list[tuple[str, Any]]:
    """Return what is told before and after: its name, and how it is shown."""
    of = tuning.n_judged
    measures: list[tuple[str, Any]] = [
        (f"mean scores in {_band_text(tuning)}", lambda means: f"{tuning.within(means)} of {of}"),
        ("lowest mean score", lambda means: show_probability(float(tuning.judged(means).scores.min()))),
        ("highest mean score", lambda means: show_probability(float(tuning.judged(means).scores.max()))),
        ("going first adds", _first_mover),
    ]
    return (
        [*measures, ("spread of mean scores", lambda means: show_probability(tuning.judged(means).spread))]
        if more
        else measures
    )


def _first_mover(means: MeanScores) -> str:
    return f"{show_probability_change(means.first_mover)} ± {show_fixed(100 * SURE * means.first_mover_error, 1)}"


def _entrant_rows(tuning: TuneResult, places: Sequence[int], more: bool = False) -> list[Sequence[str]]:
    """Return what some entrants cost and score before and after the changes; the first of many."""
    scores, errors = tuning.after.scores, tuning.after.errors
    listed = places if more else places[:MOST_SHOWN]
    rows: list[Sequence[str]] = [
        (
            tuning.game.label(tuning.entrants[at]),
            " → ".join(dict.fromkeys(f"{cost:g}" for cost in tuning.costs[:, at])),
            show_probability(float(tuning.before.scores[at])),
            show_probability(float(scores[at])),
            show_interval(*ends_of(float(scores[at]), float(errors[at])), show_probability),
        )
        for at in listed
    ]
    left = len(places) - len(listed)
    return [*rows, (f"and {left:,} more, see --more", "", "", "", "")] if left else rows


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
    if tuning.twins:
        text += (
            f" Left alone and not judged, as not measurable here: {comma_list(tuning.twins)}, whose cards play alike "
            "though they cost different points for what this setting cannot see; name one with --move to let it change."
        )
    if not more:
        return f"{text} Farthest from it, and more: --more"
    return f"{text} The spread is the root mean square from 50%, without what dice add."


def patch(tuning: TuneResult) -> str:
    """Return the patch that makes the changes."""
    from balance.study.settings.patch import patch_text

    text = f"Found by balance tune {tuning.game.definition.called}, seed {tuning.seed}: {sentence(tuning)}"
    changes = [(change.path, change.old, change.new) for change in tuning.changes]
    return patch_text(f"Tuned to {_band_text(tuning)}", changes, text)

"""What `balance tune` prints and writes: what should change, what that does, and the patch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.base.errors import listed
from balance.base.numbers import SURE, show_fixed, show_interval, show_many, show_probability, show_probability_change
from balance.verbs.render.armies.tune_json import ends_of
from balance.verbs.render.terminal import Whole, line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.mean_scores import MeanScores
    from balance.analysis.changes.tuning.tune import TuneResult

__all__ = ["blocks", "patch", "sentence", "unmet"]

MOST_SHOWN = 8
"""Rows of entrants."""


def unmet(found: TuneResult) -> str:
    """Return what of a demand is not met; nothing where it is, or may be."""
    if found.verdict != "not reached":
        return ""
    target, after = found.target, found.after
    told = []
    if (n := found.within(after)) < len(found.entrants):
        told.append(f"{n} of {len(found.entrants)} mean scores lie in {_band_text(found)}")
    if target.first_mover is not None and abs(after.first_mover) > target.first_mover:
        gain = show_probability_change(after.first_mover)
        told.append(f"going first adds {gain}, more than {show_probability(target.first_mover)}")
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    reason = listed(told) if told else f"some mean score lies outside {_band_text(found)} for certain"
    return f"not met by {show_many(found.max_changes, 'change')} of {found.n_tried} numbers: {reason}; {tip}"


def _band_text(found: TuneResult) -> str:
    return show_interval(found.target.low, found.target.high, lambda x: f"{100 * x:g}%")


def sentence(found: TuneResult) -> str:
    """Return in a sentence what the changes reach."""
    n, of = found.within(found.after), len(found.entrants)
    many = show_many(len(found.changes), "change")
    begin = f"{many}, and" if found.changes else "Nothing has to change:"
    if found.verdict == "reached":
        return f"{begin} all {of} mean scores lie in {_band_text(found)} for certain."
    if found.verdict == "not yet known":
        return f"{begin} {n} of {of} mean scores lie in {_band_text(found)}; for some it is not yet known for certain."
    if not found.changes:
        return f"Nothing that may move brings scores nearer: {n} of {of} mean scores lie in {_band_text(found)}."
    times = found.before.spread / max(found.after.spread, 1e-9)
    near = f"the spread of mean scores shrinks {show_fixed(times, 1)} times, and {n} of {of} lie in {_band_text(found)}"
    return f"{show_many(found.max_changes, 'change')} cannot bring all mean scores into the band; with {many} {near}."


def blocks(found: TuneResult, last: str, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    yield title(f"{found.game.game.title}: tuned", found.verdict if found.changes else "as it is")
    yield line(sentence(found), after=1)
    if found.changes:
        yield table(["change", "from", "to"], [(one.path, one.old, one.new) for one in found.changes], ("from", "to"))
    rows = [(name, *(show(one) for one in (found.before, found.after))) for name, show in _measures(found, more)]
    yield table(["armies of equal points", "before", "after"], rows, ("before", "after"))
    if more and (shown := _farthest(found)):
        heads = ["farthest from the band", "cost", "before", "after", "95% interval"]
        yield table(heads, shown, heads[1:4])
    yield line(_checked(found, more), "dim", after=int(more))
    yield Whole(last)


def _measures(found: TuneResult, more: bool) -> list[tuple[str, Any]]:
    """Return what is told before and after: its name, and how it is shown."""
    of = len(found.entrants)
    told: list[tuple[str, Any]] = [
        (f"mean scores in {_band_text(found)}", lambda one: f"{found.within(one)} of {of}"),
        ("lowest mean score", lambda one: show_probability(float(one.scores.min()))),
        ("highest mean score", lambda one: show_probability(float(one.scores.max()))),
        ("going first adds", _first_mover),
    ]
    return [*told, ("spread of mean scores", lambda one: show_probability(one.spread))] if more else told


def _first_mover(one: MeanScores) -> str:
    return f"{show_probability_change(one.first_mover)} ± {show_fixed(100 * SURE * one.first_mover_error, 1)}"


def _farthest(found: TuneResult) -> list[Sequence[str]]:
    """Return the entrants that lie farthest outside the band after the changes."""
    scores, errors = found.after.scores, found.after.errors
    beyond = [max(found.target.low - score, score - found.target.high) for score in scores.tolist()]
    order = sorted((at for at, by in enumerate(beyond) if by > 0), key=lambda at: -beyond[at])
    return [
        (
            found.game.label(found.entrants[at]),
            " → ".join(dict.fromkeys(f"{cost:g}" for cost in found.costs[:, at])),
            show_probability(float(found.before.scores[at])),
            show_probability(float(scores[at])),
            show_interval(*ends_of(float(scores[at]), float(errors[at])), show_probability),
        )
        for at in order[:MOST_SHOWN]
    ]


def _checked(found: TuneResult, more: bool) -> str:
    """Return what a mean score is, how before and after are known, and by what band they are judged."""
    budgets = found.setting.budgets
    told = (
        "A mean score is what armies of one kind score against all others at equal points, from "
        f"{budgets[0][0]:g} to {budgets[-1][0]:g}, a draw counted half; simulated before and after on fresh armies "
        f"and dice, {found.after.n_pairs:,} pairs of battles of each, seed {found.seed}. Band {_band_text(found)} "
        "(--band)."
    )
    if found.without_effect and (more or not found.changes):
        numbers = found.without_effect
        told += f" Nothing here shows what {show_many(len(numbers), 'other number')} would do: {listed(numbers)}."
    if not more:
        return f"{told} Farthest from it, and more: --more"
    return f"{told} The spread is the root mean square from 50%, without what dice add."


def patch(found: TuneResult) -> str:
    """Return the patch that makes the changes."""
    from balance.study.settings.patch import patch_text

    told = f"Found by balance tune {found.game.game.name}, seed {found.seed}: {sentence(found)}"
    changes = [(one.path, one.old, one.new) for one in found.changes]
    return patch_text(f"Tuned to {_band_text(found)}", changes, told)

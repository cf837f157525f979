"""What `tune` says and writes: what should change, what that does, and the patch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from balance.analysis.changes.tuning.answer import Change, CostPower, EntrantScore, FewestChanges, TuneScores
from balance.analysis.prices.answer import PatchFile
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, Verbatim, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.changes.patches import patch_lines
from balance.answers.words.prices.price_list import kind_text
from balance.base.answers import Chance, Points
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
from balance.study.settings.patch import Assignment, patch_text

MOST_SHOWN = 8
"""Rows of entrants."""
MOST_TOLD = 3
"""Entrants that a sentence names."""


@dataclass(frozen=True)
class ScoreChange(EntrantScore):
    """What armies of an entrant score after the changes, and before."""

    score_before: Chance
    cost_before: Points


def sentence(answer: FewestChanges, terms: Terms) -> str:
    """Return what the changes reach."""
    return _statement(answer)


def short(answer: FewestChanges, terms: Terms) -> Screen:
    """Return what should change, how fair armies are before and after, and who leaves the band."""
    return Screen([*_blocks(answer, terms, more=False)])


def full(answer: FewestChanges, terms: Terms) -> Iterator[Block]:
    """Yield every cost that changes, and who stays farthest from the band, too."""
    return _blocks(answer, terms, more=True)


def tables(answer: FewestChanges) -> Mapping[str, Records]:
    """Return the tables of scores after and before, and of changes."""
    before = answer.before.entrants
    rows = {
        name: ScoreChange(**vars(after), score_before=before[name].score, cost_before=before[name].cost)
        for name, after in answer.after.entrants.items()
    }
    return {"scores": Records(ScoreChange, rows, "entrant"), "changes": Records(Change, answer.changes)}


WORDS = AnswerWords(sentence, short, full, tables)


def unmet_demand(answer: FewestChanges) -> str:
    """Return what of a demand is not met; nothing where it is, or may be."""
    if answer.verdict != "not reached":
        return ""
    after, most_gain = answer.after, answer.target.first_mover
    reasons = []
    if after.in_band < after.judged:
        reasons.append(f"{after.in_band} of {after.judged} mean scores lie in {_band(answer)}")
    if most_gain is not None and abs(after.first_mover.advantage) > most_gain:
        gain = show_probability_change(after.first_mover.advantage)
        reasons.append(f"going first adds {gain}, more than {show_probability(most_gain)}")
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    reason = comma_list(reasons) if reasons else f"some mean score lies outside {_band(answer)} for certain"
    return f"not met by {show_many(answer.target.changes, 'change')} of {answer.n_numbers} numbers: {reason}; {tip}"


def patch(answer: FewestChanges, called: str) -> str:
    """Return the patch that makes the changes; `called` is how a command names the game."""
    text = f"Found by balance tune {called}, seed {answer.seed}: {_statement(answer)}"
    changes = [Assignment(change.path, change.from_, change.to) for change in answer.changes]
    return patch_text(f"Tuned to {_band(answer)}", changes, text)


def _band(answer: FewestChanges) -> str:
    return show_interval(answer.target.low, answer.target.high, lambda x: f"{100 * x:g}%")


def _statement(answer: FewestChanges) -> str:
    """Return in a sentence what the changes reach: the target, something nearer to it, or nothing."""
    before, after, band = answer.before, answer.after, _band(answer)
    of, n_outside = after.judged, after.judged - after.in_band
    if answer.headline == "reached":
        sure = " for certain" if answer.verdict == "reached" else ", though not yet for certain"
        if not answer.changes:
            return f"Already in the band: all {of} mean scores lie in {band}{sure}; nothing has to change."
        return f"Reached: {_changes_text(answer)}, and all {of} mean scores lie in {band}{sure}."
    still = f"{show_many(n_outside, 'mean score')} of {of} outside {band}: {_outside_text(answer)}" if n_outside else ""
    if answer.headline == "better":
        nearer = f"from {_points_text(before)} to {show_unit(_points_text(after), 'pp')}"
        fall = f"with {_changes_text(answer)} the typical distance of a mean score from 50% falls {nearer}"
        return f"Better: {fall}, with {still}." if still else f"Better: {fall}."
    if answer.verdict == "not yet known":
        return f"Not found: no change is sure to bring mean scores nearer, with {still or 'all of them in the band'}."
    return f"Not found: nothing that may move brings mean scores nearer, with {still or 'all of them in the band'}."


def _points_text(scores: TuneScores) -> str:
    return show_fixed(100 * scores.spread, 1)


def _changes_text(answer: FewestChanges) -> str:
    """Return what changes: a power by its name, single numbers by how many there are."""
    n_single = len(_changes_by(answer, "itself"))
    if answer.power is None:
        return show_many(n_single, "change")
    power = f"{_power_text(answer.power)} (times {answer.power.times:.2g})"
    return power + (f" and {show_many(n_single, 'other change')}" if n_single else "")


def _changes_by(answer: FewestChanges, cause: str) -> list[Change]:
    return [change for change in answer.changes if change.by == cause]


def _power_text(power: CostPower) -> str:
    return f"all costs to the power {f'{power.power:.2f}'.removesuffix('0')}"


def _outside_text(answer: FewestChanges) -> str:
    """Return who lies outside the band after the changes, the farthest with their scores."""
    scores = [answer.after.entrants[name] for name in answer.outside]
    return comma_list(first_of([f"{one.label} ({show_probability(one.score)})" for one in scores], MOST_TOLD))


def _blocks(answer: FewestChanges, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what to print, from top to bottom."""
    n_changes = f"{show_many(answer.n_changes, 'change')} of {answer.target.changes} allowed"
    yield Title(f"{terms.title}: tuned", (n_changes,))
    yield plain(_statement(answer), gap=True)
    if answer.changes:
        heads = ["change", "from", "to", "points", "as it is"]
        yield grid(heads, _change_rows(answer, more), right=heads[1:4], whole=heads[:4])
    rows = [(name, show(answer.before), show(answer.after)) for name, show in _measures(answer, more)]
    yield grid(["armies of equal points", "before", "after"], rows, right=("before", "after"))
    if answer.moved_out:
        yield _entrants("moved out of the band", answer, answer.moved_out, more)
    if more and answer.outside:
        yield _entrants("farthest from the band", answer, answer.outside[:MOST_SHOWN], more)
    yield plain(_basis(answer, more), "aside", gap=more)
    if answer.patch is None:
        yield Verbatim(("Nothing was written.",))
    else:
        yield Verbatim(patch_lines(PatchFile(answer.patch, answer.compare, answer.apply, answer.again)))


def _change_rows(answer: FewestChanges, more: bool) -> list[Sequence[str]]:
    """Return what changes: all costs to a power as one row, then single numbers; with more, every cost."""
    rows: list[Sequence[str]] = []
    if answer.power is not None and (powered := _changes_by(answer, "power")):
        old, new = (_range([float(value) for value in values]) for values in zip(*map(_values, powered), strict=True))
        steps = show_interval(*_ends([change.points for change in powered]), _signed)
        rows.append((_power_text(answer.power), old, new, steps, _uneven(powered)))
    listed = answer.changes if more else _changes_by(answer, "itself")
    return rows + [(change.path, change.from_, change.to, _step_text(change), change.verdict) for change in listed]


def _values(change: Change) -> tuple[str, str]:
    return change.from_, change.to


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
    by_cost = sorted(powered, key=lambda change: float(change.from_))
    return f"small {by_cost[0].verdict}, large {by_cost[-1].verdict}"


def _measures(answer: FewestChanges, more: bool) -> Iterator[tuple[str, Callable[[TuneScores], str]]]:
    """Yield what is told before and after: its name, and how it is shown."""
    yield f"mean scores in {_band(answer)}", lambda scores: f"{scores.in_band} of {scores.judged}"
    yield "lowest mean score", lambda scores: show_probability(scores.lowest)
    yield "highest mean score", lambda scores: show_probability(scores.highest)
    yield "going first adds", _first_mover
    if more:
        yield "spread of mean scores", lambda scores: show_probability(scores.spread)


def _first_mover(scores: TuneScores) -> str:
    gain, error = scores.first_mover.advantage, scores.first_mover.error
    return f"{show_probability_change(gain)} ± {show_fixed(100 * SURE * error, 1)}"


def _entrants(head: str, answer: FewestChanges, names: Sequence[str], more: bool) -> Table:
    """Return what some entrants cost and score before and after the changes; the first of many."""
    listed = names if more else names[:MOST_SHOWN]
    pairs = [(answer.before.entrants[name], answer.after.entrants[name]) for name in listed]
    rows = [
        (
            after.label,
            " → ".join(dict.fromkeys(f"{cost:g}" for cost in (before.cost, after.cost))),
            show_probability(before.score),
            show_probability(after.score),
            show_interval(after.low, after.high, show_probability),
        )
        for before, after in pairs
    ]
    if left := len(names) - len(listed):
        rows.append((f"and {left:,} more, see --more", "", "", "", ""))
    return grid([head, "cost", "before", "after", "95% interval"], rows, right=("cost", "before", "after"))


def _basis(answer: FewestChanges, more: bool) -> str:
    """Return what a mean score is, how before and after are known, and by what band they are judged."""
    budgets, twins = answer.setting.budgets, answer.left_alone
    idle = answer.not_measurable_here[: len(answer.not_measurable_here) - len(twins)]
    text = (
        f"A mean score is what armies of one kind score against all others at equal points, from {budgets[0].points:g} "
        f"to {budgets[-1].points:g}, a draw counted half. Judged in {kind_text(answer.setting.kind)}, before and after "
        f"on fresh armies and dice, {answer.after.pairs_each:,} pairs of battles of each, seed {answer.seed}. "
        f"Band {_band(answer)} (--band)."
    )
    if idle and (more or not answer.changes):
        numbers = show_many(len(idle), "other number")
        text += f" Nothing here shows what {numbers} would do: {comma_list(idle)}."
    if twins:
        text += (
            f" Left alone and not judged, as not measurable here: {comma_list(twins)}, whose cards play alike "
            "though they cost different points for what this setting cannot see; name one with --move to let it change."
        )
    if not more:
        return f"{text} Farthest from it, and more: --more"
    return f"{text} The spread is the root mean square from 50%, without what dice add."

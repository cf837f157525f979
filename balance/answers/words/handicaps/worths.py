"""What `handicap --worth` says: what each change of a match-up is worth in steps of one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from balance.analysis.changes.handicaps.worth import ChangeWorth, NumberEffect, Worths
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.handicaps.common import basis, changes_line, score_text
from balance.base.numbers import show_fixed, show_interval, show_many, show_probability, show_probability_change
from balance.chance.trials.estimate import Estimate

FALSE_SHARE = 0.05
"""Share of changes without any effect whose interval of 95 % leaves out 0 by luck."""


def sentence(worths: Worths, terms: Terms) -> str:
    """Return which change is worth most, and how much that is."""
    n_changes = show_many(len(worths.worths), "single change")
    as_it_is = f"{' against '.join(worths.entrants)} scores {score_text(worths.score)}"
    if not worths.worths or not worths.worths[0].measurable:
        return f"{as_it_is}. Not measurable here: none of {n_changes} is known to do anything."
    best = worths.worths[0]
    worth = ""
    if best.worth is not None:
        worth = f", as much as {_worth(best)} {_unit(worths)}"
    elif best.beyond is not None:
        worth = f", more than any change of {worths.side}.{worths.field} that was played does"
    return f"{as_it_is}. Of {n_changes} {best.name} is worth most: it then scores {score_text(best.score)}{worth}."


def tables(worths: Worths) -> Mapping[str, Records]:
    """Return the effect of each single change, in steps of the number too; and what the number itself does."""
    return {"worths": Records(ChangeWorth, worths.worths), "curve": Records(NumberEffect, worths.curve)}


def _unit(worths: Worths) -> str:
    return f"{worths.field} of {worths.side}"


def _body(worths: Worths, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the table of measurable changes, the largest effect first, and how many are not measurable."""
    measurable = [change for change in worths.worths if change.measurable]
    if measurable:
        yield _table(worths, measurable, more)
        yield plain("Effects are in percentage points of what the first side scores.", "aside", gap=True)
    if not worths.measurable:
        nothing = f"no change of {worths.side}.{worths.field} is known to do anything"
        yield plain(f"Not measurable here in {_unit(worths)}: {nothing}.", "aside", gap=True)
    if rest := worths.worths[len(measurable) :]:
        which = f": {', '.join(change.name for change in rest)}" if more else ", --more names them"
        text = f"Not measurable here, as their intervals meet 0: {show_many(len(rest), 'change')}{which}."
        yield plain(text, "aside", gap=True)
    if not worths.score.is_exact:
        n_changes = len(worths.worths)
        n_false = max(1, round(FALSE_SHARE * n_changes))
        text = f"Of {n_changes} changes that do nothing about {n_false} would be listed by luck alone"
        yield plain(f"{text}; the largest effects are flattered by it.", "aside", gap=True)


def _table(worths: Worths, changes: Sequence[ChangeWorth], more: bool) -> Table:
    unit, is_exact = _unit(worths), worths.score.is_exact
    columns: dict[str, Callable[[ChangeWorth], str] | None] = {
        "change": lambda change: change.name,
        "score": (lambda change: show_probability(change.score.value)) if is_exact or more else None,
        "effect": lambda change: _points(change.effect.value),
        "95% interval": None if is_exact else lambda change: _ends(change.effect, _points),
        f"in {unit}": _worth,
        f"95% interval in {unit}": _worth_ends if more and not is_exact else None,
    }
    shown = {head: cell for head, cell in columns.items() if cell is not None}
    heads = list(shown)
    return grid(heads, [[cell(change) for cell in shown.values()] for change in changes], heads[1:], heads[:1])


def _points(effect: float) -> str:
    return show_probability_change(effect, unit="")


def _ends(estimate: Estimate, show: Callable[[float], str]) -> str:
    return show_interval(estimate.low, estimate.high, show)


def _worth(change: ChangeWorth) -> str:
    """Return the steps of the number with the same effect as a change; "beyond" the last step that was played."""
    if change.beyond is not None:
        return f"beyond {_signed(change.beyond)}"
    return "not measurable" if change.worth is None else _signed(change.worth.value)


def _worth_ends(change: ChangeWorth) -> str:
    return "" if change.worth is None else _ends(change.worth, _signed)


def _signed(steps: float) -> str:
    text = show_fixed(steps, 1)
    return f"+{text}" if steps > 0 else text


def _basis(worths: Worths, terms: Terms) -> str:
    trials = f"{worths.trials:,} trials a change with the same dice, 95% intervals, each by itself"
    return basis(worths, worths.score, trials, terms)


WORDS = AnswerWords.alike(sentence, _body, _basis, tables, changes_line)

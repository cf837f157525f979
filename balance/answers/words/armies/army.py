"""What `army` says of the best army: which it is, how good, and how it can be seen to fight."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.armies.best_army import BestArmy, ScoredArmy
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, Verbatim, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.base.numbers import show_interval, show_many, show_points, show_probability


def sentence(best_army: BestArmy, terms: Terms) -> str:
    """Return how good the best army is, and which it is."""
    return f"{_heading(best_army)} {best_army.best.army}"


def short(best_army: BestArmy, terms: Terms) -> Screen:
    """Return the best army alone, and how many came next."""
    return Screen([*_blocks(best_army, terms, more=False)])


def full(best_army: BestArmy, terms: Terms) -> Iterator[Block]:
    """Yield the best army, and those that came next."""
    return _blocks(best_army, terms, more=True)


def tables(best_army: BestArmy) -> Mapping[str, Records]:
    """Return the table of armies, the best first."""
    return {"armies": Records(ScoredArmy, (best_army.best, *best_army.runners_up))}


WORDS = AnswerWords(sentence, short, full, tables)


def _blocks(best_army: BestArmy, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield each army on a line of its own and never wrapped, so that it can be copied; then the numbers."""
    rows, order = (best_army.best, *best_army.runners_up), best_army.setting
    foe = best_army.against or rows[min(1, len(rows) - 1)].army
    listed = rows if more else rows[:1]
    heading = f"{terms.title}: army for {show_points(order.budget, terms.points)}"
    yield Title(heading, (f"at most {show_many(int(order.limit), 'unit')}",))
    yield plain(_heading(best_army))
    yield Verbatim(
        tuple(f"{number}. {row.army}" if more else row.army for number, row in enumerate(listed, start=1)), gap=True
    )
    yield _numbers(listed)
    yield from (plain(text, "aside") for text in _method(best_army, more))
    words = [rows[0].army, foe]
    words += [word for change in order.changes for word in ("--set", change)]
    words += [word for name, option in order.choices.items() for word in ("--choose", f"{name}={option}")]
    yield Verbatim((f"See it fight: balance {order.kind} {terms.command} {shlex.join(words)}",))


def _heading(best_army: BestArmy) -> str:
    """Return how good the best army is, as it stands above the army."""
    score = best_army.best.score
    interval = show_interval(score.low, score.high, show_probability)
    return f"The best army found scores {show_probability(score.value)} ({interval}) {_opponents(best_army)}:"


def _opponents(best_army: BestArmy) -> str:
    return f"against {best_army.against or 'random legal armies of the same budget and limit'}"


def _numbers(rows: Sequence[ScoredArmy]) -> Table:
    heads = ["army", "units", "points", "score", "95% interval", "promised"]
    cells = [
        (
            str(number),
            str(row.units),
            f"{row.cost_points:g}",
            show_probability(row.score.value),
            show_interval(row.score.low, row.score.high, show_probability),
            show_probability(row.promised),
        )
        for number, row in enumerate(rows, start=1)
    ]
    return grid(heads, cells, right=heads[:4] + heads[5:])


def _method(best_army: BestArmy, more: bool) -> Iterator[str]:
    """Yield what the numbers mean, and how far was searched."""
    best, next_best, order = best_army.best, best_army.runners_up, best_army.setting
    yield (
        f"Score: simulated {_opponents(best_army)}, going first in half of {best.score.battles:,} new "
        "battles; a draw counts one half. Promised: what it scored in the battles that chose it."
    )
    if changes := [*order.changes, *map("=".join, order.choices.items())]:
        yield f"With {', '.join(changes)}."
    equals = [str(at) for at, row in enumerate(next_best, start=2) if row.score.high > best.score.low]
    if more and equals:
        yield f"As good for all that is known: {', '.join(equals)} (the intervals overlap)."
    if next_best and not more:
        equals_text = f", {len(equals)} as good for all that is known" if equals else ""
        yield f"{show_many(len(next_best), 'other')} came next{equals_text}: --more lists them."
    yield (
        f"Searched: {show_many(best_army.search.armies, 'army', 'armies')} in {best_army.search.battles:,} battles, "
        f"seed {best_army.seed}; a better one may be left."
    )

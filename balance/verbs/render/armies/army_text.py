"""What `balance army` prints: the best army that was found, how good it is, and how it can be seen to fight."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.base.numbers import show_interval, show_many, show_points, show_probability
from balance.verbs.render.terminal import Whole, line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.best_army import BestArmy, FoundArmy
    from balance.game.loaded import LoadedGame

__all__ = ["blocks", "sentence"]


def blocks(found: BestArmy, loaded: LoadedGame, more: bool = False) -> Iterator[RenderableType]:
    """Yield each army on a line of its own and never wrapped, so that it can be copied; then the numbers."""
    rows = [found.best, *found.runners_up][: None if more else 1]
    budget, limit = found.setting.budgets[0]
    points = show_points(budget, loaded.words.points)
    yield title(f"{loaded.game.title}: army for {points}", f"at most {show_many(int(limit), 'unit')}")
    yield line(sentence(found))
    yield Whole(*(f"{number}. {row.army}" if more else row.army for number, row in enumerate(rows, start=1)))
    yield ""
    yield from _numbers(rows)
    yield from (line(text, "dim") for text in _how(found, more))
    foe = found.against or [found.best, *found.runners_up][min(1, len(found.runners_up))].army
    where, words = found.setting, [loaded.game.name, rows[0].army, foe]
    words += [word for change in where.changes for word in ("--set", change)]
    words += [word for name, option in where.choices for word in ("--choose", f"{name}={option}")]
    yield Whole(f"See it fight: balance {where.kind} {shlex.join(words)}")


def sentence(found: BestArmy) -> str:
    """Return in a sentence how good the best army is that was found."""
    score = found.best.score
    interval = show_interval(score.low, score.high, show_probability)
    return f"The best army found scores {show_probability(score.value)} ({interval}) {_whom(found)}:"


def _whom(found: BestArmy) -> str:
    return f"against {found.against}" if found.against else "against random legal armies of the same budget and limit"


def _numbers(rows: Sequence[FoundArmy]) -> Iterator[RenderableType]:
    heads = ["army", "units", "points", "score", "95% interval", "promised"]
    cells = [
        (
            str(number),
            str(row.n_units),
            f"{row.cost_points:g}",
            show_probability(row.score.value),
            show_interval(row.score.low, row.score.high, show_probability),
            show_probability(row.search_score),
        )
        for number, row in enumerate(rows, start=1)
    ]
    yield table(heads, cells, heads[:4] + heads[5:])


def _how(found: BestArmy, more: bool) -> Iterator[str]:
    """Yield what the numbers mean, and how far was searched."""
    yield (
        f"Score: simulated {_whom(found)}, going first in half of {found.best.score.n_trials:,} new battles; a draw "
        "counts one half. Promised: what it scored in the battles that chose it."
    )
    if changed := [*found.setting.changes, *(f"{name}={option}" for name, option in found.setting.choices)]:
        yield f"With {', '.join(changed)}."
    equals = [str(at) for at, row in enumerate(found.runners_up, start=2) if row.score.high > found.best.score.low]
    if more and equals:
        yield f"As good for all that is known: {', '.join(equals)} (the intervals overlap)."
    if found.runners_up and not more:
        others = f"{show_many(len(found.runners_up), 'other')} came next"
        yield f"{others}{f', {len(equals)} as good for all that is known' if equals else ''}: --more lists them."
    yield (
        f"Searched: {show_many(found.n_armies, 'army', 'armies')} in {found.n_battles:,} battles, seed {found.seed}; "
        "a better one may be left."
    )

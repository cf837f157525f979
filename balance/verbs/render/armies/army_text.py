"""What `balance army` prints: the best army that was found, how good it is, and how it can be seen to fight."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from balance.answers.media.terminal import Whole, line, table, title
from balance.base.numbers import show_interval, show_many, show_points, show_probability

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.best_army import BestArmy, FoundArmy
    from balance.game.loaded import LoadedGame


def blocks(best_army: BestArmy, game: LoadedGame, more: bool = False) -> Iterator[RenderableType]:
    """Yield each army on a line of its own and never wrapped, so that it can be copied; then the numbers.

    Parameters
    ----------
    best_army
        What the search found.
    game
        The game with its catalogue.
    more
        Whether the runners-up are printed too.
    """
    rows = [best_army.best, *best_army.runners_up][: None if more else 1]
    budget, limit = best_army.setting.budgets[0]
    points = show_points(budget, game.words.points)
    yield title(f"{game.definition.title}: army for {points}", f"at most {show_many(int(limit), 'unit')}")
    yield line(sentence(best_army))
    yield Whole(*(f"{number}. {row.army}" if more else row.army for number, row in enumerate(rows, start=1)))
    yield ""
    yield from _numbers(rows)
    yield from (line(text, "dim") for text in _method(best_army, more))
    foe = best_army.against or [best_army.best, *best_army.runners_up][min(1, len(best_army.runners_up))].army
    setting, words = best_army.setting, [rows[0].army, foe]
    words += [word for change in setting.changes for word in ("--set", change)]
    words += [word for name, option in setting.choices for word in ("--choose", f"{name}={option}")]
    yield Whole(f"See it fight: balance {setting.kind} {game.typed()} {shlex.join(words)}")


def sentence(best_army: BestArmy) -> str:
    """Return in a sentence how good the best army is that was found."""
    score = best_army.best.score
    interval = show_interval(score.low, score.high, show_probability)
    return f"The best army found scores {show_probability(score.value)} ({interval}) {_opponents(best_army)}:"


def _opponents(best_army: BestArmy) -> str:
    return (
        f"against {best_army.against}"
        if best_army.against
        else "against random legal armies of the same budget and limit"
    )


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


def _method(best_army: BestArmy, more: bool) -> Iterator[str]:
    """Yield what the numbers mean, and how far was searched."""
    yield (
        f"Score: simulated {_opponents(best_army)}, going first in half of {best_army.best.score.n_trials:,} new "
        "battles; a draw counts one half. Promised: what it scored in the battles that chose it."
    )
    if changes := [*best_army.setting.changes, *(f"{name}={option}" for name, option in best_army.setting.choices)]:
        yield f"With {', '.join(changes)}."
    equals = [
        str(at) for at, row in enumerate(best_army.runners_up, start=2) if row.score.high > best_army.best.score.low
    ]
    if more and equals:
        yield f"As good for all that is known: {', '.join(equals)} (the intervals overlap)."
    if best_army.runners_up and not more:
        runners_up_text = f"{show_many(len(best_army.runners_up), 'other')} came next"
        equals_text = f", {len(equals)} as good for all that is known" if equals else ""
        yield f"{runners_up_text}{equals_text}: --more lists them."
    yield (
        f"Searched: {show_many(best_army.n_armies, 'army', 'armies')} in {best_army.n_battles:,} battles, "
        f"seed {best_army.seed}; a better one may be left."
    )

"""`balance army`: the best army that a search finds under a budget, or random legal ones."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from balance.cli import options
from balance.cli.exits import say_json, say_line
from balance.errors import Fault, UsageError
from balance.numbers import one_line, show_interval, show_many, show_points, show_probability
from balance.render.terminal import line, say, table, title
from balance.verbs.means import Means, answering
from balance.verbs.words import MOST_POINTS, MOST_UNITS, choices_of, parse_budgets

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.battles import ArmySetting
    from balance.analysis.best_army import BestArmy, FoundArmy
    from balance.analysis.legal_armies import LegalArmy
    from balance.protocol.loaded import LoadedGame

__all__ = ["army"]

SCHEMA = 1
MOST_RANDOM = 100_000

Budget = Annotated[
    str,
    options.option("--budget", metavar="POINTS[:UNITS]", told="What the army may cost, and its unit limit as --limit."),
]
Limit = Annotated[
    int | None,
    options.option(
        "--limit",
        metavar="UNITS",
        told="Units that it may have, which is also how many actions a turn has where those are a pool; as the rules "
        "pair it with the budget without it.",
    ),
]
Against = Annotated[
    str | None,
    options.option(
        "--against", metavar="ARMY", told="The army that it shall beat, legal or not; random legal armies without it."
    ),
]
Random = Annotated[
    int | None,
    options.option(
        "--random", metavar="N", told="Print N random legal armies instead, one a line.", min=1, max=MOST_RANDOM
    ),
]


def army(
    game: options.GameName,
    budget: Budget,
    limit: Limit = None,
    against: Against = None,
    random: Random = None,
    changes: options.Changes = None,
    choices: options.Choices = None,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = 1,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the best army for a budget, or draw random legal ones."""
    from balance.analysis.best_army import best_army
    from balance.analysis.legal_armies import random_armies, setting_at
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    check_seed(seed)
    if random is not None and against is not None:
        raise UsageError("--random draws armies and asks nothing of them, so --against is of no use beside it")
    points, units = _budget(budget, limit)
    loaded = load(game, catalogue)
    setting = setting_at(loaded, points, units, changes or (), tuple(choices_of(choices).items()))
    if random is not None:
        drawn = random_armies(loaded, setting, random, seed)
        if as_json:
            say_json(_as_json(loaded, setting, seed) | {"armies": [_told(one) for one in drawn]})
        else:
            sys.stdout.write("".join(f"{one_line(one.army)}\n" for one in drawn))
        return
    with answering(loaded, Means(jobs, no_cache=True), quiet or as_json) as runner:
        found = best_army(runner, setting, seed, against or "")
    if as_json:
        say_json(_as_json(loaded, setting, seed) | _found_json(found))
    else:
        _show(found, loaded, more)


def _budget(text: str, limit: int | None) -> tuple[float, int | None]:
    """Return the points and the unit limit that were typed, the limit None where nobody named one.

    Raises
    ------
    UsageError
        They are no numbers of these, or the unit limit is named twice.
    """
    points, colon, _ = text.partition(":")
    whole: tuple[tuple[float, float], ...] = ()
    with suppress(UsageError):
        whole = parse_budgets(text if colon else f"{points}:1")
    if len(whole) != 1 or whole[0][1] != int(whole[0][1]):
        most = f"at most {MOST_POINTS:,.0f} points and {MOST_UNITS:.0f} whole units"
        allowed = f"POINTS or POINTS:UNITS, {most}"
        raise UsageError(Fault("is no budget of an army", "--budget", found=text, allowed=allowed, tip="such as 150:4"))
    if colon and limit is not None:
        raise UsageError(Fault("names a unit limit, and so does --limit", "--budget", found=text, tip="leave one out"))
    budget = whole[0][0]
    return int(budget) if budget == int(budget) else budget, int(whole[0][1]) if colon else limit


def _show(found: BestArmy, loaded: LoadedGame, more: bool = False) -> None:
    """Print each army on a line of its own and never wrapped, so that it can be copied; then the numbers."""
    rows = [found.best, *found.runners_up][: None if more else 1]
    budget, limit = found.setting.budgets[0]
    points = show_points(budget, loaded.words.points)
    say(title(f"{loaded.game.title}: army for {points}", f"at most {show_many(int(limit), 'unit')}"))
    say(line(_answer(found)))
    for number, row in enumerate(rows, start=1):
        say_line(f"{number}. {row.army}" if more else row.army)
    say("", *_numbers(rows), *(line(text, "dim") for text in _how(found, more)))
    foe = found.against or [found.best, *found.runners_up][min(1, len(found.runners_up))].army
    where, words = found.setting, [loaded.game.name, rows[0].army, foe]
    words += [word for change in where.changes for word in ("--set", change)]
    words += [word for name, option in where.choices for word in ("--choose", f"{name}={option}")]
    say_line(f"See it fight: balance {where.kind} {shlex.join(words)}")


def _answer(found: BestArmy) -> str:
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
            show_probability(row.promised),
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


# -- JSON -------------------------------------------------------------------------------------------------------------


def _as_json(loaded: LoadedGame, setting: ArmySetting, seed: int) -> dict[str, Any]:
    """Return what the object that --json prints begins with; the same question gives the same bytes."""
    budget, limit = setting.budgets[0]
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "army",
        "seed": seed,
        "setting": {
            "kind": setting.kind,
            "budget": budget,
            "limit": limit,
            "changes": list(setting.changes),
            "choices": dict(setting.choices),
        },
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }


def _found_json(found: BestArmy) -> dict[str, Any]:
    return {
        "against": found.against or None,
        "best": _scored(found.best),
        "runners_up": [_scored(row) for row in found.runners_up],
        "search": {"armies": found.n_armies, "battles": found.n_battles},
    }


def _scored(row: FoundArmy) -> dict[str, Any]:
    score = {"value": row.score.value, "low": row.score.low, "high": row.score.high, "battles": row.score.n_trials}
    return _told(row) | {"score": score, "promised": row.promised}


def _told(row: LegalArmy) -> dict[str, Any]:
    return {"army": row.army, "cost_points": row.cost_points, "units": row.n_units}

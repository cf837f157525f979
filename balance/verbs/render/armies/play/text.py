"""What `balance play` prints: the ladder, the matrix, and how it was had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from balance.analysis.play.ladder import LadderSettings, Play, WayOfPlaying
from balance.analysis.play.ways import MOST_STAND_OFFS
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table, table_in_parts
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_probability, show_probability_change
from balance.game.loaded import LoadedGame

if TYPE_CHECKING:
    from rich.console import RenderableType


HEADS_SAID = "Behind: rating points behind the best that counts, 50 of which are a score of 57.1%."
HEADS = ("both play", "behind", "95%", "score", "first, % points", "stand-offs", "counts")

COUNTS = {"in": "yes", "open": "maybe", "out": "no"}


def as_text(play: Play, game: LoadedGame, more: bool = True) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    basis = rests_on(game, f"simulated, {show_count(play.settings.battles)} battles, seed {play.settings.seed}")
    foot = _method(play) if more else _setting_in_brief(play)
    return screen_of(sentence(play), _parts(play), basis, more, foot=foot)


def _setting_in_brief(play: Play) -> Iterator[RenderableType]:
    """Yield what was asked otherwise than by default, and what the table's heads mean, in short."""
    setting = play.settings
    if changes := _changes(setting):
        yield line(f"Changed: {changes}.")
    yield line(f"In {setting.kind}s of {_entrants(setting)}. {HEADS_SAID}", "dim")


def _changes(settings: LadderSettings) -> str:
    texts = (*settings.changes, *map("=".join, settings.choices.items()))
    return comma_list(text.replace("=", " = ", 1) for text in texts)


def _entrants(settings: LadderSettings) -> str:
    """Return who meets."""
    if settings.pairs is not None:
        return comma_list(settings.pairs)
    budgets = comma_list(f"{budget.points:g} ({budget.units:g} units)" for budget in settings.budgets or ())
    return f"random legal armies, budgets {budgets}"


def _parts(play: Play) -> Iterator[RenderableType]:
    """Yield the ladder, the matrix, and what goes in circles."""
    rows = [_row(way) for way in play.ladder]
    columns = [at for at in range(len(HEADS)) if at != 5 or play.ladder[0].stand_offs is not None]
    yield table([HEADS[at] for at in columns], [[row[at] for at in columns] for row in rows], HEADS[1:6])
    yield line("What the row scores against the column, each going first as often:", "bold")
    yield from _matrix(play)
    yield line(_circles(play), after=1)


def _row(way: WayOfPlaying) -> list[str]:
    return [
        way.play.replace("_", " "),
        f"{way.behind:.0f}",
        f"{way.behind_low:.0f} to {way.behind_high:.0f}" if way.behind_high else "",
        show_probability(way.score),
        show_probability_change(way.first_mover_advantage, unit=""),
        "" if way.stand_offs is None else show_probability(way.stand_offs),
        COUNTS[way.place],
    ]


def _matrix(play: Play) -> Iterator[RenderableType]:
    names = [way.play for way in play.ladder]
    scores = {(pair.first, pair.second): show_probability(pair.both_seats) for pair in play.matrix}
    cells = [
        [row.replace("_", " "), *("" if row == column else scores[row, column] for column in names)] for row in names
    ]
    yield from table_in_parts(["", *names], cells, names)


def sentence(play: Play) -> str:
    """Return how far the ways of playing lie apart, and what going first is worth."""
    best, last = play.ladder[0], play.ladder[-1]
    return (
        f"From {last.play.replace('_', ' ')} to {best.play.replace('_', ' ')} there are {play.gap:.0f} rating points, "
        f"give or take {SURE * play.gap_error:.0f}; going first is worth {play.going_first:.0f}."
    )


def _circles(play: Play) -> str:
    text = (
        f"{show_probability(play.cyclic_share)} of the matrix goes in circles, which no ladder can show; luck alone "
        f"would show {show_probability(play.cyclic_share_of_luck)}."
    )
    if play.cycles:
        text += f" Each beats the next for certain: {'; '.join(', '.join(cycle) for cycle in play.cycles[:3])}."
    return text


def _method(play: Play) -> Iterator[RenderableType]:
    setting = play.settings
    who = "armies" if setting.pairs is None else "pairs"
    yield line(
        f"How it was had: {setting.kind}, {_entrants(setting)}; "
        f"{_changes(setting) or 'all else as by default'}; "
        f"{show_count(setting.battles)} battles, every two ways with the same {who} from both seats on the same luck, "
        f"seed {setting.seed}.",
        "dim",
    )
    yield line(
        f"{HEADS_SAID} First: what going first adds where both play so. Counts: not certainly more than "
        f"{setting.near_points:g} points behind the best (95%, all ways at once), nor more than "
        f"{MOST_STAND_OFFS:.0%} stand-offs where both play so; maybe: counts, but is not certain to.",
        "dim",
    )

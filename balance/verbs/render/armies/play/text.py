"""What `balance play` prints: the ladder, the matrix, and how it was had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.play.matrix import PairSetting, PlayWorth, WayOfPlaying
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table, table_in_parts
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_probability, show_probability_change
from balance.game.loaded import LoadedGame

if TYPE_CHECKING:
    from rich.console import RenderableType


HEADS_SAID = "Behind: rating points behind the best, 50 of which are a score of 57.1%."
HEADS = ("both play", "behind", "±", "score", "first, % points", "stand-offs", "near top")


def as_text(worth: PlayWorth, game: LoadedGame, more: bool = True) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    basis = rests_on(game, f"simulated, {show_count(worth.n_battles)} battles, seed {worth.seed}")
    foot = _method(worth) if more else _setting_in_brief(worth)
    return screen_of(sentence(worth), _parts(worth), basis, more, foot=foot)


def _setting_in_brief(worth: PlayWorth) -> Iterator[RenderableType]:
    """Yield what was asked otherwise than by default, and what the table's heads mean, in short."""
    setting = worth.setting
    changes = [text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices))]
    if changes:
        yield line(f"Changed: {comma_list(changes)}.")
    yield line(f"In {setting.kind}s of {_entrants(setting)}. {HEADS_SAID}", "dim")


def _entrants(setting: ArmySetting | PairSetting) -> str:
    """Return who meets."""
    if isinstance(setting, PairSetting):
        return comma_list(setting.pairs)
    budgets = comma_list(f"{points:g} ({units:g} units)" for points, units in setting.budgets)
    return f"random legal armies, budgets {budgets}"


def _what(setting: ArmySetting | PairSetting) -> str:
    return "pairs" if isinstance(setting, PairSetting) else "armies"


def _parts(worth: PlayWorth) -> Iterator[RenderableType]:
    """Yield the ladder, the matrix, and what goes in circles."""
    rows = [_row(way) for way in worth.ladder]
    columns = [at for at in range(len(HEADS)) if at != 5 or worth.ladder[0].stand_offs is not None]
    yield table([HEADS[at] for at in columns], [[row[at] for at in columns] for row in rows], HEADS[1:6])
    yield line("What the row scores against the column, each going first as often:", "bold")
    yield from _matrix(worth)
    yield line(_circles(worth), after=1)


def _row(way: WayOfPlaying) -> list[str]:
    return [
        way.play.replace("_", " "),
        f"{way.behind:.0f}",
        f"{SURE * way.behind_error:.0f}" if way.behind else "",
        show_probability(way.score),
        show_probability_change(way.first_mover_advantage, unit=""),
        "" if way.stand_offs is None else show_probability(way.stand_offs),
        "yes" if way.near_the_top else "no",
    ]


def _matrix(worth: PlayWorth) -> Iterator[RenderableType]:
    order = [worth.names.index(way.play) for way in worth.ladder]
    names = [worth.names[at] for at in order]
    cells = [
        [
            names[row].replace("_", " "),
            *("" if i == j else show_probability(worth.mirrored_scores[i, j]) for j in order),
        ]
        for row, i in enumerate(order)
    ]
    yield from table_in_parts(["", *names], cells, names)


def sentence(worth: PlayWorth) -> str:
    """Return how far the ways of playing lie apart, and what going first is worth."""
    best, last = worth.ladder[0], worth.ladder[-1]
    return (
        f"From {last.play.replace('_', ' ')} to {best.play.replace('_', ' ')} there are {worth.gap:.0f} rating points, "
        f"give or take {SURE * last.behind_error:.0f}; going first is worth {worth.going_first:.0f}."
    )


def _circles(worth: PlayWorth) -> str:
    text = (
        f"{show_probability(worth.cyclic)} of the matrix goes in circles, which no ladder can show; luck alone would "
        f"show {show_probability(worth.cyclic_noise)}."
    )
    if worth.cycles:
        text += f" Each beats the next for certain: {'; '.join(', '.join(cycle) for cycle in worth.cycles[:3])}."
    return text


def _method(worth: PlayWorth) -> Iterator[RenderableType]:
    setting = worth.setting
    changes = comma_list(text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices)))
    yield line(
        f"How it was had: {setting.kind}, {_entrants(setting)}; "
        f"{changes or 'all else as by default'}; "
        f"{show_count(worth.n_battles)} battles, every two ways with the same {_what(setting)} from both seats on the "
        f"same luck, seed {worth.seed}.",
        "dim",
    )
    yield line(
        f"{HEADS_SAID} First: what going first adds where both play so. Near the top: not certainly more than "
        f"{worth.near_points:g} points behind the best.",
        "dim",
    )

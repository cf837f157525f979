"""What `balance rate` prints: who is too strong, how sure that is, what is odd, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from balance.base.numbers import one_line, show_count, show_fixed, show_many
from balance.playtests.log.log import Log
from balance.playtests.model.answer import PairChance, Rated, Rating
from balance.playtests.sentences import (
    band_in_words,
    beyond_ratings_text,
    by_strength,
    caution_texts,
    chance_means,
    columns_text,
    cycle_text,
    cycles_looked_at,
    draws_text,
    first_mover_text,
    headline,
    method,
    more_games_text,
    oddities_looked_at,
    oddity_text,
    per_cent,
    play_next,
    raw_text,
    signed,
)
from balance.verbs.render.terminal import console, line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["blocks"]

STYLES = {"overpowered": "red", "underpowered": "blue", "fair": "green"}
MOST_RATINGS, FIRST_RATINGS = 40, 12
"""Entrants listed, and on the first screen."""
MOST_IN_MATRIX = 10
MOST_PAIRS = 12
MOST_SENTENCES, FIRST_SENTENCES = 5, 3
NARROW = 72
"""Width of a terminal below which there is room for few columns."""
NARROW_COLUMNS = (0, 1, 3, 4, 5)
LONGEST_NAME = 22


def blocks(log: Log, rated: Rated, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: the answer, and if more is asked for all that stands behind it."""
    games = show_many(round(log.games.n_games), "game")
    fair = f"fair from {band_in_words(rated.settings)}"
    yield title(f"Ratings of {log.path}", f"{games} of {show_count(len(rated.ratings))}, {fair}")
    yield line(headline(rated), "bold")
    if also := beyond_ratings_text(rated):
        yield line(also)
    yield line(play_next(rated, log.games), after=1)
    yield from _ratings(rated, MOST_RATINGS if more else FIRST_RATINGS)
    yield line(raw_text(rated))
    yield line(first_mover_text(rated.first_mover), after=int(more))
    yield from _everything(log, rated) if more else _what_to_know(log, rated)


def _what_to_know(log: Log, rated: Rated) -> Iterator[RenderableType]:
    """Yield what may change what is done next: findings beside the ratings, cautions, and what was left out."""
    told = [cycle_text(one) for one in rated.cycles if one.named] + [oddity_text(one) for one in rated.oddities]
    for some in (told, caution_texts(rated), (*log.assumed[1:], *log.notes)):
        yield from _bullets(some, FIRST_SENTENCES, "--more shows all")
    yield line("--more: each against each, and how it was done; --page FILE.html draws it.", "dim")


def _everything(log: Log, rated: Rated) -> Iterator[RenderableType]:
    """Yield all that stands behind the answer."""
    if drawn := draws_text(rated):
        yield line(drawn, after=1)
    yield from _strengths(rated)
    yield from _pairs(rated)
    cycles = [cycle_text(one) for one in rated.cycles if one.named]
    yield from _sentences(cycles_looked_at(rated), cycles, MOST_SENTENCES)
    yield from _sentences(oddities_looked_at(rated), [oddity_text(one) for one in rated.oddities], MOST_SENTENCES)
    yield from _sentences("Before you believe it:", caution_texts(rated), MOST_RATINGS)
    yield from _read(log, rated)


def _ratings(rated: Rated, most: int) -> Iterator[RenderableType]:
    """Yield what each scored and would score, the strongest on top, in as many columns as there is room for."""
    order, width = by_strength(rated), console().width
    heads = ["", "scored", "games", "chance", f"{100 * rated.settings.level:g}%", "verdict", "more"]
    places = range(len(heads)) if width >= NARROW else NARROW_COLUMNS
    shown = [heads[place] for place in places]
    rows = [[_row(one)[place] for place in places] for one in order[:most]]
    yield table(shown, rows, right=[head for head in shown[1:] if head != "verdict"], whole=shown[1:])
    if len(order) > most:
        yield line(f"{show_count(len(order) - most)} more: --json lists all", "dim", 1)
    yield line("scored: per cent of its games, draws half; more: games until a verdict;", "dim")
    yield line(f"chance: per cent {chance_means(rated)}", "dim", 1)


def _row(one: Rating) -> tuple[object, ...]:
    return (
        short(one.name),
        per_cent(one.score),
        _games(one.games),
        per_cent(one.chance),
        f"{per_cent(one.chance_low)} to {per_cent(one.chance_high)}",
        Text(one.verdict, STYLES.get(one.verdict, "")),
        more_games_text(one),
    )


def _strengths(rated: Rated) -> Iterator[RenderableType]:
    """Yield the ratings in the scale that they are worked out in."""
    heads = ["", "rating", f"{100 * rated.settings.level:g}%"]
    order = by_strength(rated)[:MOST_RATINGS]
    rows = [(short(one.name), signed(one.rating), f"{signed(one.low)} to {signed(one.high)}") for one in order]
    yield table(heads, rows, right=heads[1:])


def short(name: str) -> str:
    """Return a name on one line, its middle left out if it is long."""
    text = one_line(name)
    half = (LONGEST_NAME - 1) // 2
    return text if len(text) <= LONGEST_NAME else f"{text[:half].rstrip()}…{text[half - LONGEST_NAME + 1 :]}"


def _games(n: float) -> str:
    return show_fixed(n, 0 if float(n).is_integer() else 1)


# -- pairs -------------------------------------------------------------------------------------------------------------


def _pairs(rated: Rated) -> Iterator[RenderableType]:
    """Yield what each is expected to score against each other: all as a matrix, of many the least equal."""
    names = [one.name for one in by_strength(rated)]
    if len(names) < 3:
        return
    if len(names) <= MOST_IN_MATRIX:
        yield from _matrix(rated.pairs, names)
        return
    order = sorted(rated.pairs, key=lambda pair: (-abs(pair.chance - 0.5), pair.one, pair.other))[:MOST_PAIRS]
    heads = ["the least equal", "against", "chance", f"{100 * rated.settings.level:g}%", "games"]
    yield table(heads, [_pair(pair) for pair in order], right=heads[2:])
    yield line(f"{len(order)} of {show_many(len(rated.pairs), 'pair')}: --json lists all", "dim", 1)


def _matrix(pairs: Sequence[PairChance], names: Sequence[str]) -> Iterator[RenderableType]:
    """Yield a crosstable whose columns are numbered like its rows."""
    cells = {}
    for pair in pairs:
        for one, other, chance in ((pair.one, pair.other, pair.chance), (pair.other, pair.one, 1 - pair.chance)):
            cells[one, other] = per_cent(chance) if pair.games else f"({per_cent(chance)})"
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [
        [f"{number} {short(one)}", *(cells.get((one, other), "") for other in names)]
        for number, one in zip(numbers, names, strict=True)
    ]
    yield table(["per cent against", *numbers], rows, right=numbers)
    never = "; in brackets: they never met" if any(pair.games == 0 for pair in pairs) else ""
    yield line(f"chance of the row against the column, either seat as likely{never}", "dim", 1)


def _pair(pair: PairChance) -> tuple[str, ...]:
    one, other, low, chance, high = pair.one, pair.other, pair.low, pair.chance, pair.high
    if chance < 0.5:
        one, other, low, chance, high = other, one, 1 - high, 1 - chance, 1 - low
    return short(one), short(other), per_cent(chance), f"{per_cent(low)} to {per_cent(high)}", _games(pair.games)


# -- in sentences ------------------------------------------------------------------------------------------------------


def _sentences(head: str, told: Sequence[str], most: int) -> Iterator[RenderableType]:
    if not told and not head:
        return
    yield line(head)
    yield from _bullets(told, most, "--json lists all")
    yield line("")


def _bullets(told: Sequence[str], most: int, where: str) -> Iterator[RenderableType]:
    for sentence in told[:most]:
        yield Padding(line(f"- {sentence}"), (0, 0, 0, 2))
    if len(told) > most:
        yield line(f"{len(told) - most} more: {where}", "dim")


def _read(log: Log, rated: Rated) -> Iterator[RenderableType]:
    """Yield what was read and assumed, and how the ratings were worked out."""
    yield line(f"Read: {show_many(log.n_rows, 'row')}; columns {columns_text(log)}.", "dim")
    for sentence in (*log.assumed, *log.notes, *method(rated)):
        yield line(sentence, "dim")

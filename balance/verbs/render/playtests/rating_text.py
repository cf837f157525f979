"""What `balance rate` prints: who is too strong, how sure that is, what is odd, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from balance.answers.media.terminal import console, line, table, title
from balance.base.numbers import show_count, show_fixed, show_many
from balance.base.text import one_line
from balance.playtests.log.log import Log
from balance.playtests.model.answer import PairChance, Rating, RatingAnswer
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

if TYPE_CHECKING:
    from rich.console import RenderableType

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


def blocks(log: Log, results: RatingAnswer, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: the answer and the ratings, with `more` all that stands behind them."""
    games = show_many(round(log.games.n_games), "game")
    fair = f"fair from {band_in_words(results.settings)}"
    yield title(f"Ratings of {log.path}", f"{games} of {show_count(len(results.ratings))}, {fair}")
    yield line(headline(results), "bold")
    if also := beyond_ratings_text(results):
        yield line(also)
    yield line(play_next(results, log.games), after=1)
    yield from _ratings(results, MOST_RATINGS if more else FIRST_RATINGS)
    yield line(raw_text(results))
    yield line(" ".join(filter(None, (first_mover_text(results.first_mover), _question(log)))), after=int(more))
    yield from _full_report(log, results) if more else _what_to_know(log, results)


def _question(log: Log) -> str:
    """Return how to tell `rate` who went first, where neither the rows nor an option say it; else empty."""
    _, _, question = log.assumptions[0].partition(". If ")
    return f"If {question}" if question else ""


def _what_to_know(log: Log, results: RatingAnswer) -> Iterator[RenderableType]:
    """Yield cycles and oddities, cautions, and what was assumed or left out, three of each at most."""
    findings = [cycle_text(cycle) for cycle in results.cycles if cycle.named] + [
        oddity_text(oddity) for oddity in results.oddities
    ]
    for sentences in (findings, caution_texts(results), (*log.assumptions[1:], *log.notes)):
        yield from _bullets(sentences, FIRST_SENTENCES, "--more shows all")
    yield line("--more: each against each, and how it was done; --page FILE.html draws it.", "dim")


def _full_report(log: Log, results: RatingAnswer) -> Iterator[RenderableType]:
    """Yield strengths, pairs, cycles, oddities, cautions, and how the ratings were worked out."""
    if draw_sentence := draws_text(results):
        yield line(draw_sentence, after=1)
    yield from _strengths(results)
    yield from _pairs(results)
    cycles = [cycle_text(cycle) for cycle in results.cycles if cycle.named]
    yield from _sentences(cycles_looked_at(results), cycles, MOST_SENTENCES)
    yield from _sentences(
        oddities_looked_at(results), [oddity_text(oddity) for oddity in results.oddities], MOST_SENTENCES
    )
    yield from _sentences("Before you believe it:", caution_texts(results), MOST_RATINGS)
    yield from _provenance(log, results)


def _ratings(results: RatingAnswer, max_rows: int) -> Iterator[RenderableType]:
    """Yield the score and the chance of each, the strongest on top, in fewer columns on a terminal below 72."""
    order, width = by_strength(results), console().width
    heads = ["", "scored", "games", "chance", f"{100 * results.settings.level:g}%", "verdict", "more"]
    places = range(len(heads)) if width >= NARROW else NARROW_COLUMNS
    visible_heads = [heads[place] for place in places]
    rows = [[_row(rating)[place] for place in places] for rating in order[:max_rows]]
    yield table(
        visible_heads, rows, right=[head for head in visible_heads[1:] if head != "verdict"], whole=visible_heads[1:]
    )
    if len(order) > max_rows:
        yield line(f"{show_count(len(order) - max_rows)} more: --json lists all", "dim", 1)
    yield line("scored: per cent of its games, draws half; more: games until a verdict;", "dim")
    yield line(f"chance: per cent {chance_means(results)}", "dim", 1)


def _row(rating: Rating) -> tuple[object, ...]:
    return (
        short(rating.name),
        per_cent(rating.score),
        _games(rating.games),
        per_cent(rating.chance),
        f"{per_cent(rating.chance_low)} to {per_cent(rating.chance_high)}",
        Text(rating.verdict, STYLES.get(rating.verdict, "")),
        more_games_text(rating),
    )


def _strengths(results: RatingAnswer) -> Iterator[RenderableType]:
    """Yield the ratings in log-odds with their intervals, the strongest 40."""
    heads = ["", "rating", f"{100 * results.settings.level:g}%"]
    order = by_strength(results)[:MOST_RATINGS]
    rows = [
        (short(rating.name), signed(rating.rating), f"{signed(rating.low)} to {signed(rating.high)}")
        for rating in order
    ]
    yield table(heads, rows, right=heads[1:])


def short(name: str) -> str:
    """Return a name on one line, its middle left out from 23 characters on."""
    text = one_line(name)
    half = (LONGEST_NAME - 1) // 2
    return text if len(text) <= LONGEST_NAME else f"{text[:half].rstrip()}…{text[half - LONGEST_NAME + 1 :]}"


def _games(n: float) -> str:
    return show_fixed(n, 0 if float(n).is_integer() else 1)


# -- pairs -------------------------------------------------------------------------------------------------------------


def _pairs(results: RatingAnswer) -> Iterator[RenderableType]:
    """Yield the expected score of each against each: up to ten as a matrix, else the twelve least equal pairs."""
    names = [rating.name for rating in by_strength(results)]
    if len(names) < 3:
        return
    if len(names) <= MOST_IN_MATRIX:
        yield from _matrix(results.pairs, names)
        return
    order = sorted(results.pairs, key=lambda pair: (-abs(pair.chance - 0.5), pair.one, pair.other))[:MOST_PAIRS]
    heads = ["the least equal", "against", "chance", f"{100 * results.settings.level:g}%", "games"]
    yield table(heads, [_pair(pair) for pair in order], right=heads[2:])
    yield line(f"{len(order)} of {show_many(len(results.pairs), 'pair')}: --json lists all", "dim", 1)


def _matrix(pairs: Sequence[PairChance], names: Sequence[str]) -> Iterator[RenderableType]:
    """Yield a crosstable whose columns are numbered like its rows."""
    cells = {}
    for pair in pairs:
        for name, opponent, chance in ((pair.one, pair.other, pair.chance), (pair.other, pair.one, 1 - pair.chance)):
            cells[name, opponent] = per_cent(chance) if pair.games else f"({per_cent(chance)})"
    numbers = [str(at) for at in range(1, len(names) + 1)]
    rows = [
        [f"{number} {short(name)}", *(cells.get((name, opponent), "") for opponent in names)]
        for number, name in zip(numbers, names, strict=True)
    ]
    yield table(["per cent against", *numbers], rows, right=numbers)
    never = "; in brackets: they never met" if any(pair.games == 0 for pair in pairs) else ""
    yield line(f"chance of the row against the column, either seat as likely{never}", "dim", 1)


def _pair(pair: PairChance) -> tuple[str, ...]:
    first, second, low, chance, high = pair.one, pair.other, pair.low, pair.chance, pair.high
    if chance < 0.5:
        first, second, low, chance, high = second, first, 1 - high, 1 - chance, 1 - low
    return short(first), short(second), per_cent(chance), f"{per_cent(low)} to {per_cent(high)}", _games(pair.games)


# -- in sentences ------------------------------------------------------------------------------------------------------


def _sentences(head: str, sentences: Sequence[str], max_rows: int) -> Iterator[RenderableType]:
    if not sentences and not head:
        return
    yield line(head)
    yield from _bullets(sentences, max_rows, "--json lists all")
    yield line("")


def _bullets(sentences: Sequence[str], max_rows: int, hint: str) -> Iterator[RenderableType]:
    for sentence in sentences[:max_rows]:
        yield Padding(line(f"- {sentence}"), (0, 0, 0, 2))
    if len(sentences) > max_rows:
        yield line(f"{len(sentences) - max_rows} more: {hint}", "dim")


def _provenance(log: Log, results: RatingAnswer) -> Iterator[RenderableType]:
    """Yield what was read and assumed, and the method of the ratings."""
    yield line(f"Read: {show_many(log.n_rows, 'row')}; columns {columns_text(log)}.", "dim")
    for sentence in (*log.assumptions, *log.notes, *method(results)):
        yield line(sentence, "dim")

"""The page of a log of games: who is too strong, how sure that is, each against each, what is odd, how it was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from balance.answers.blocks.document import Block, Callout, Document, Figure, Section, VerdictWord
from balance.answers.blocks.lines import Bullets, Facts, Paragraph, plain
from balance.answers.blocks.tables import Table
from balance.answers.blocks.text import literal
from balance.answers.words.playtests import rating as words
from balance.answers.words.playtests.sentences import (
    band_in_words,
    beyond_ratings_text,
    by_strength,
    caution_texts,
    cycle_text,
    cycles_looked_at,
    draws_text,
    first_mover_text,
    headline,
    method,
    oddities_looked_at,
    oddity_text,
    per_cent,
    play_next,
    raw_text,
    reading,
)
from balance.answers.words.playtests.several import several_texts
from balance.base import __version__
from balance.base.numbers import show_interval, show_many
from balance.playtests.model.answer import RatingAnswer
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.page.report_files import draw_report

MOST_IN_FIGURE, MOST_IN_MATRIX, MOST_PAIRS = 60, 16, 30


def draw_ratings(answer: RatingAnswer, form: str) -> bytes:
    """Return the page of a log as `html` or `pdf`; raises `UsageError` for any other form."""
    ((_, content),) = draw_report(ratings_document(answer), [form])
    return content


def ratings_document(answer: RatingAnswer) -> Document:
    """Return the page of a log of games.

    >>> from balance.playtests.games import games_of
    >>> from balance.playtests.model.rating import rate
    >>> [block.title for block in ratings_document(rate(games_of(["elf", "orc"], ["orc", "elf"], [1, 0]))).blocks]
    ['In short', 'Ratings', 'Cycles and oddities', 'How it was worked out']
    """
    log, n = answer.log, len(answer.ratings)
    games = show_many(round(log.n_games), "game")
    tables = (
        words.ratings(answer, n, "Every entrant, the strongest first"),
        words.strengths(answer, n, "Strength in log-odds, mean 0 over all"),
    )
    sections = {
        "In short": ("in-short", _in_short(answer)),
        "Ratings": ("ratings", map(with_capitals, tables)),
        "Each against each": ("pairs", _pairs(answer)),
        "Cycles and oddities": ("odd", _odd(answer)),
        "How it was worked out": ("method", _worked_out(answer)),
    }
    blocks = {title: (anchor, tuple(parts)) for title, (anchor, parts) in sections.items()}
    return Document(
        "Who is too strong?",
        f"{log.file}: {games} of {n}, band {band_in_words(answer.settings)}",
        tuple(Section(title, anchor, parts) for title, (anchor, parts) in blocks.items() if parts),
        (
            ("File", log.file),
            ("SHA-256", log.sha256[:16]),
            ("Games", games),
            ("Band", band_in_words(answer.settings)),
            ("Level", f"{100 * answer.settings.level:g}%"),
            ("Seed", str(answer.settings.seed)),
            ("Made with", f"balance {__version__}"),
        ),
    )


def with_capitals(table: Table) -> Table:
    """Return a table whose heads begin with capitals, as on every page."""
    columns = (replace(column, name=f"{column.name[:1].upper()}{column.name[1:]}") for column in table.columns)
    return replace(table, columns=tuple(columns))


def _in_short(answer: RatingAnswer) -> Iterator[Block]:
    yield Callout("key", "What these games say", literal(f"{headline(answer)} {beyond_ratings_text(answer)}".strip()))
    yield _figure(answer)
    yield plain(play_next(answer))
    yield plain(raw_text(answer))
    yield from map(plain, several_texts(answer))
    yield plain(f"{first_mover_text(answer.first_mover)} {draws_text(answer)}".strip())
    if cautions := caution_texts(answer):
        yield Callout("caution", "Before you believe it", literal(" ".join(cautions)))


def _figure(answer: RatingAnswer) -> Figure:
    """Return the picture of each entrant's chance against the field, with its interval, over the band."""
    entrants = dict([*by_strength(answer).items()][:MOST_IN_FIGURE])
    low, high = (100 * end for end in answer.settings.band)
    picture = plot_intervals(
        [*entrants],
        [100 * entrant.chance for entrant in entrants.values()],
        [100 * entrant.chance_low for entrant in entrants.values()],
        [100 * entrant.chance_high for entrant in entrants.values()],
        "chance against the field, in per cent",
        reference=50.0,
        band=(low, high),
        verdicts=[verdict_word(entrant.verdict) for entrant in entrants.values()],
    )
    ends = "; ".join(
        f"{name} {per_cent(entrant.chance)}% ({show_interval(entrant.chance_low, entrant.chance_high, per_cent)}), "
        f"{entrant.verdict}"
        for name, entrant in entrants.items()
    )
    left_out = f" The first {MOST_IN_FIGURE}." if len(answer.ratings) > MOST_IN_FIGURE else ""
    level = f"{100 * answer.settings.level:g}%"
    caption = (
        f"Chance against the field, with {level} intervals; the band from {low:g}% to {high:g}% is shaded. Verdicts "
        f"hold for all at once, so an interval that only just leaves the band gives none.{left_out}"
    )
    return Figure(picture, f"Chance against the field: {ends}.", caption)


def verdict_word(verdict: str) -> VerdictWord:
    """Return the verdict as figures draw it; what is not measurable counts as not yet known."""
    return next((word for word in get_args(VerdictWord) if word == verdict), "not yet known")


def _pairs(answer: RatingAnswer) -> Iterator[Block]:
    """Yield the ratings of each against each, as a matrix and a table; nothing for fewer than three entrants."""
    if not answer.pairs:
        return
    if 2 < len(answer.ratings) <= MOST_IN_MATRIX:
        yield words.matrix(answer)
    if len(answer.ratings) > 2:
        yield with_capitals(words.pair_table(answer, MOST_PAIRS))


def _odd(answer: RatingAnswer) -> Iterator[Block]:
    if text := cycles_looked_at(answer):
        yield plain(text)
    if cycles := [cycle_text(cycle) for cycle in answer.cycles if cycle.named]:
        yield Bullets(tuple(map(literal, cycles)))
    if text := oddities_looked_at(answer):
        yield plain(text)
    for oddity in answer.oddities:
        yield plain(oddity_text(oddity))
        if oddity.changes:
            yield with_capitals(words.changes(oddity))


def _worked_out(answer: RatingAnswer) -> Iterator[Block]:
    yield Paragraph("What was read:")
    yield Bullets(tuple(map(literal, reading(answer.log))))
    yield Paragraph("What was done with it:")
    yield Bullets(tuple(map(literal, method(answer))))
    yield Facts((("SHA-256 of the file", answer.log.sha256),))

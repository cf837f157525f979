"""The page of a log of games: who is too strong, how sure that is, each against each, what is odd, how it was done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from balance.answers.blocks.document import (
    Block,
    Bullets,
    Callout,
    Document,
    Facts,
    Figure,
    Paragraph,
    Section,
    VerdictWord,
)
from balance.answers.blocks.tables import Cell, Column, Table
from balance.answers.blocks.text import literal
from balance.base import __version__
from balance.base.numbers import show_fixed, show_many
from balance.playtests.log.log import Log
from balance.playtests.model.answer import Oddity, Rating, RatingAnswer
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
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.page.report_files import draw_report
from balance.reporting.playtests.pairs import pair_section

MOST_IN_FIGURE = 60


def draw_ratings(log: Log, answer: RatingAnswer, form: str) -> bytes:
    """Return the page of a log as `html` or `pdf`; raises `UsageError` for any other form."""
    ((_, content),) = draw_report(ratings_document(log, answer), [form])
    return content


def ratings_document(log: Log, answer: RatingAnswer) -> Document:
    r"""Return the page of a log of games.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from balance.playtests.log.log import read_log
    >>> from balance.playtests.model.rating import rate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "log.csv"
    ...     _ = path.write_text("first,second,winner\nElves,Orcs,Elves\nOrcs,Elves,Elves\n")
    ...     log = read_log(path)
    >>> [block.title for block in ratings_document(log, rate(log.games)).blocks]
    ['In short', 'Ratings', 'Cycles and oddities', 'How it was worked out']
    """
    sections = (_in_short(log, answer), _ratings(answer), pair_section(answer), _odd(answer), _worked_out(log, answer))
    games = show_many(round(log.games.n_games), "game")
    return Document(
        "Who is too strong?",
        f"{log.path}: {games} of {len(answer.ratings)}, band {band_in_words(answer.settings)}",
        tuple(section for section in sections if section is not None),
        (
            ("File", log.path),
            ("SHA-256", log.sha256[:16]),
            ("Games", games),
            ("Band", band_in_words(answer.settings)),
            ("Level", f"{100 * answer.settings.level:g}%"),
            ("Seed", str(answer.settings.seed)),
            ("Made with", f"balance {__version__}"),
        ),
    )


def _in_short(log: Log, answer: RatingAnswer) -> Section:
    blocks: list[Block] = [
        Callout(
            "key",
            "What these games say",
            literal(" ".join(filter(None, (headline(answer), beyond_ratings_text(answer))))),
        ),
        _figure(answer),
        Paragraph(literal(play_next(answer, log.games))),
        Paragraph(literal(raw_text(answer))),
        Paragraph(literal(" ".join(filter(None, (first_mover_text(answer.first_mover), draws_text(answer)))))),
    ]
    if cautions := caution_texts(answer):
        blocks.append(Callout("caution", "Before you believe it", literal(" ".join(cautions))))
    return Section("In short", "in-short", tuple(blocks))


def _figure(answer: RatingAnswer) -> Figure:
    """Return the picture of each entrant's chance against the field, with its interval, over the band."""
    entrants = by_strength(answer)[:MOST_IN_FIGURE]
    low, high = (100 * end for end in answer.settings.band)
    picture = plot_intervals(
        [entrant.name for entrant in entrants],
        [100 * entrant.chance for entrant in entrants],
        [100 * entrant.chance_low for entrant in entrants],
        [100 * entrant.chance_high for entrant in entrants],
        "chance against the field, in per cent",
        reference=50.0,
        band=(low, high),
        verdicts=[_verdict_word(entrant) for entrant in entrants],
    )
    ends = "; ".join(
        f"{entrant.name} {per_cent(entrant.chance)}% ({_interval(entrant)}), {entrant.verdict}" for entrant in entrants
    )
    left_out = f" The first {MOST_IN_FIGURE}." if len(answer.ratings) > MOST_IN_FIGURE else ""
    level = f"{100 * answer.settings.level:g}%"
    caption = (
        f"Chance against the field, with {level} intervals; the band from {low:g}% to {high:g}% is shaded. Verdicts "
        f"hold for all at once, so an interval that only just leaves the band gives none.{left_out}"
    )
    return Figure(picture, f"Chance against the field: {ends}.", caption)


def _verdict_word(entrant: Rating) -> VerdictWord:
    return next((word for word in get_args(VerdictWord) if word == entrant.verdict), "not yet known")


def _interval(entrant: Rating) -> str:
    return f"{per_cent(entrant.chance_low)} to {per_cent(entrant.chance_high)}"


def _ratings(answer: RatingAnswer) -> Section:
    level = f"{100 * answer.settings.level:g}%"
    columns = (
        Column("Entrant"),
        Column("Verdict", "left", "by intervals that hold for all at once"),
        Column("Scored", "right", "in its games against others, a draw counting half, in per cent"),
        Column("Games", "right"),
        Column(f"Chance ({level})", "right", f"what it would score {chance_means(answer)}, in per cent"),
        Column(f"Rating ({level})", "right", "strength in **log-odds**, mean 0 over all"),
        Column("More", "right", "games of its own until its verdict is as likely as not, if it is as it looks now"),
    )
    rows = tuple(_row(entrant) for entrant in by_strength(answer))
    return Section("Ratings", "ratings", (Table(columns, rows, "Every entrant, the strongest first"),))


def _row(entrant: Rating) -> tuple[Cell, ...]:
    return (
        Cell(entrant.name),
        Cell(entrant.verdict),
        Cell(per_cent(entrant.score), entrant.score),
        Cell(show_fixed(entrant.games, 0 if float(entrant.games).is_integer() else 1), entrant.games),
        Cell(
            f"{per_cent(entrant.chance)} ({_interval(entrant)})",
            entrant.chance,
            entrant.chance_low,
            entrant.chance_high,
        ),
        Cell(
            f"{signed(entrant.rating)} ({signed(entrant.low)} to {signed(entrant.high)})",
            entrant.rating,
            entrant.low,
            entrant.high,
        ),
        Cell(more_games_text(entrant) or "–", _by_more(entrant)),
    )


def _by_more(entrant: Rating) -> float:
    """Return the sort key of the column of further games: reached verdicts first, unreachable ones last."""
    if entrant.verdict != "not yet known":
        return 0.0
    return 1e9 if entrant.more_games is None else float(entrant.more_games)


def _odd(answer: RatingAnswer) -> Section | None:
    blocks: list[Block] = []
    search_text = cycles_looked_at(answer)
    if search_text:
        blocks.append(Paragraph(literal(search_text)))
    if cycles := [cycle_text(cycle) for cycle in answer.cycles if cycle.named]:
        blocks.append(Bullets(tuple(map(literal, cycles))))
    if search_text := oddities_looked_at(answer):
        blocks.append(Paragraph(literal(search_text)))
    for oddity in answer.oddities:
        blocks += [Paragraph(literal(oddity_text(oddity))), *_changes(oddity)]
    return Section("Cycles and oddities", "odd", tuple(blocks)) if blocks else None


def _changes(oddity: Oddity) -> Iterator[Table]:
    """Yield a table of each entrant's rating and verdict with and without the games of an oddity, if any change."""
    if not oddity.changes:
        return
    columns = (
        Column("Entrant"),
        Column("Rating", "right"),
        Column("Without", "right"),
        Column("Verdict"),
        Column("Without them"),
    )
    rows = tuple(
        (
            Cell(change.name),
            Cell(signed(change.rating), change.rating),
            Cell(signed(change.rating_without), change.rating_without),
            Cell(change.verdict),
            Cell(change.verdict_without),
        )
        for change in sorted(oddity.changes, key=lambda change: (-change.rating, change.name))
    )
    yield Table(columns, rows, f"With and without the games of {literal(oddity.name)}")


def _worked_out(log: Log, answer: RatingAnswer) -> Section:
    read = (f"Read: {show_many(log.n_rows, 'row')}; columns {columns_text(log)}.", *log.assumptions, *log.notes)
    return Section(
        "How it was worked out",
        "method",
        (
            Paragraph("What was read:"),
            Bullets(tuple(map(literal, read))),
            Paragraph("What was done with it:"),
            Bullets(tuple(map(literal, method(answer)))),
            Facts((("SHA-256 of the file", log.sha256),)),
        ),
    )

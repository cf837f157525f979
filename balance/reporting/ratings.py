"""The page of a log of games: who is too strong, how sure that is, each against each, what is odd, how it was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import balance as toolkit
from balance.base.numbers import show_count, show_fixed, show_many
from balance.playtests.log.log import Log
from balance.playtests.model.answer import Oddity, Rated, Rating
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
from balance.reporting.document.document import (
    Block,
    Bullets,
    Callout,
    Cell,
    Column,
    Document,
    Facts,
    Figure,
    HeatMap,
    Paragraph,
    Section,
    Table,
    VerdictWord,
)
from balance.reporting.document.text import literal
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.page.writing import draw_report

__all__ = ["draw_ratings", "ratings_document"]

MOST_IN_FIGURE, MOST_IN_MATRIX, MOST_PAIRS = 60, 16, 30


def draw_ratings(log: Log, rated: Rated, form: str) -> bytes:
    """Return the page of a log, as `html` or `pdf`.

    Raises
    ------
    UsageError
        A format we cannot write.
    """
    ((_, content),) = draw_report(ratings_document(log, rated), [form])
    return content


def ratings_document(log: Log, rated: Rated) -> Document:
    r"""Return the page of a log of games.

    Examples
    --------
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
    sections = (_in_short(log, rated), _ratings(rated), _pairs(rated), _odd(rated), _worked_out(log, rated))
    games = show_many(round(log.games.n_games), "game")
    return Document(
        "Who is too strong?",
        f"{log.path}: {games} of {len(rated.ratings)}, band {band_in_words(rated.settings)}",
        tuple(section for section in sections if section is not None),
        (
            ("File", log.path),
            ("SHA-256", log.sha256[:16]),
            ("Games", games),
            ("Band", band_in_words(rated.settings)),
            ("Level", f"{100 * rated.settings.level:g}%"),
            ("Seed", str(rated.settings.seed)),
            ("Made with", f"balance {toolkit.__version__}"),
        ),
    )


def _in_short(log: Log, rated: Rated) -> Section:
    blocks: list[Block] = [
        Callout(
            "key",
            "What these games say",
            literal(" ".join(filter(None, (headline(rated), beyond_ratings_text(rated))))),
        ),
        Paragraph(literal(play_next(rated, log.games))),
        _figure(rated),
        Paragraph(literal(raw_text(rated))),
        Paragraph(literal(" ".join(filter(None, (first_mover_text(rated.first_mover), draws_text(rated)))))),
    ]
    if told := caution_texts(rated):
        blocks.append(Callout("caution", "Before you believe it", literal(" ".join(told))))
    return Section("In short", "in-short", tuple(blocks))


def _figure(rated: Rated) -> Figure:
    """Return what each scores against the field, with its interval, over the band."""
    shown = by_strength(rated)[:MOST_IN_FIGURE]
    low, high = (100 * end for end in rated.settings.band)
    picture = plot_intervals(
        [one.name for one in shown],
        [100 * one.chance for one in shown],
        [100 * one.chance_low for one in shown],
        [100 * one.chance_high for one in shown],
        "chance against the field, in per cent",
        reference=50.0,
        band=(low, high),
        verdicts=[_verdict_word(one) for one in shown],
    )
    ends = "; ".join(f"{one.name} {per_cent(one.chance)}% ({_interval(one)}), {one.verdict}" for one in shown)
    left_out = f" The first {MOST_IN_FIGURE}." if len(rated.ratings) > MOST_IN_FIGURE else ""
    level = f"{100 * rated.settings.level:g}%"
    caption = (
        f"Chance against the field, with {level} intervals; the band from {low:g}% to {high:g}% is shaded. Verdicts "
        f"hold for all at once, so an interval that only just leaves the band gives none.{left_out}"
    )
    return Figure(picture, f"Chance against the field: {ends}.", caption)


def _verdict_word(one: Rating) -> VerdictWord:
    return next((word for word in get_args(VerdictWord) if word == one.verdict), "not yet known")


def _interval(one: Rating) -> str:
    return f"{per_cent(one.chance_low)} to {per_cent(one.chance_high)}"


def _ratings(rated: Rated) -> Section:
    level = f"{100 * rated.settings.level:g}%"
    columns = (
        Column("Entrant"),
        Column("Verdict", "left", "by intervals that hold for all at once"),
        Column("Scored", "right", "in its games against others, a draw counting half, in per cent"),
        Column("Games", "right"),
        Column(f"Chance ({level})", "right", f"what it would score {chance_means(rated)}, in per cent"),
        Column(f"Rating ({level})", "right", "strength in **log-odds**, mean 0 over all"),
        Column("More", "right", "games of its own until its verdict is as likely as not, if it is as it looks now"),
    )
    rows = tuple(_row(one) for one in by_strength(rated))
    return Section("Ratings", "ratings", (Table(columns, rows, "Every entrant, the strongest first"),))


def _row(one: Rating) -> tuple[Cell, ...]:
    return (
        Cell(one.name),
        Cell(one.verdict),
        Cell(per_cent(one.score), one.score),
        Cell(show_fixed(one.games, 0 if float(one.games).is_integer() else 1), one.games),
        Cell(f"{per_cent(one.chance)} ({_interval(one)})", one.chance),
        Cell(f"{signed(one.rating)} ({signed(one.low)} to {signed(one.high)})", one.rating),
        Cell(more_games_text(one) or "–", _by_more(one)),
    )


def _by_more(one: Rating) -> float:
    """Return what to sort by: verdicts first, then by games, and last those that no playtests would settle."""
    if one.verdict != "not yet known":
        return 0.0
    return 1e9 if one.more_games is None else float(one.more_games)


def _pairs(rated: Rated) -> Section | None:
    if len(rated.ratings) < 3:
        return None
    names = [one.name for one in by_strength(rated)]
    blocks: list[Block] = [_matrix(rated, names)] if len(names) <= MOST_IN_MATRIX else []
    return Section("Each against each", "pairs", (*blocks, _pair_table(rated)))


def _matrix(rated: Rated, names: Sequence[str]) -> HeatMap:
    found = {(pair.one, pair.other): (pair.chance, pair.games) for pair in rated.pairs}
    found |= {(pair.other, pair.one): (1 - pair.chance, pair.games) for pair in rated.pairs}
    unmet = any(pair.games == 0 for pair in rated.pairs)

    def text(one: str, other: str) -> str:
        if one == other:
            return ""
        chance, games = found[one, other]
        shown = per_cent(chance)
        return shown if games else f"({shown})"

    note = "In brackets: they never met, and the ratings say it." if unmet else ""
    return HeatMap(
        row_labels=tuple(names),
        column_labels=tuple(names),
        cells=tuple(tuple(text(one, other) for other in names) for one in names),
        shades=tuple(
            tuple(None if one == other else max(-1.0, min(1.0, 2 * found[one, other][0] - 1)) for other in names)
            for one in names
        ),
        caption="Chance of the row against the column in per cent, either seat as likely",
        palette="diverging",
        row_title="scores",
        column_title="against",
        legend=("0", "50", "100"),
        note=note,
    )


def _pair_table(rated: Rated) -> Table:
    pairs = sorted(rated.pairs, key=lambda pair: (-abs(pair.chance - 0.5), pair.one, pair.other))[:MOST_PAIRS]
    rows = []
    for pair in pairs:
        one, other, seen = pair.one, pair.other, pair.observed
        low, chance, high = pair.low, pair.chance, pair.high
        if chance < 0.5:
            one, other, low, chance, high = other, one, 1 - high, 1 - chance, 1 - low
            seen = None if seen is None else 1 - seen
        rows.append(
            (
                Cell(one),
                Cell(other),
                Cell(per_cent(chance), chance),
                Cell(f"{per_cent(low)} to {per_cent(high)}", low),
                Cell("–" if seen is None else per_cent(seen), seen),
                Cell(show_fixed(pair.games, 0), pair.games),
            )
        )
    level = f"{100 * rated.settings.level:g}%"
    columns = (
        Column("Stronger"),
        Column("Against"),
        Column("Chance", "right", "as the ratings say, either seat as likely, in per cent"),
        Column(level, "right"),
        Column("Scored", "right", "in the games they played, in per cent"),
        Column("Games", "right"),
    )
    more = f", the first {MOST_PAIRS} of {show_count(len(rated.pairs))}" if len(rated.pairs) > MOST_PAIRS else ""
    return Table(columns, tuple(rows), f"Pairs, the least equal first{more}")


def _odd(rated: Rated) -> Section | None:
    blocks: list[Block] = []
    looked = cycles_looked_at(rated)
    if looked:
        blocks.append(Paragraph(literal(looked)))
    if told := [cycle_text(one) for one in rated.cycles if one.named]:
        blocks.append(Bullets(tuple(map(literal, told))))
    if looked := oddities_looked_at(rated):
        blocks.append(Paragraph(literal(looked)))
    for oddity in rated.oddities:
        blocks += [Paragraph(literal(oddity_text(oddity))), *_changes(oddity)]
    return Section("Cycles and oddities", "odd", tuple(blocks)) if blocks else None


def _changes(oddity: Oddity) -> Iterator[Table]:
    """Yield what becomes of each entrant without the games of an oddity."""
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
            Cell(one.name),
            Cell(signed(one.rating), one.rating),
            Cell(signed(one.rating_without), one.rating_without),
            Cell(one.verdict),
            Cell(one.verdict_without),
        )
        for one in sorted(oddity.changes, key=lambda one: (-one.rating, one.name))
    )
    yield Table(columns, rows, f"With and without the games of {literal(oddity.name)}")


def _worked_out(log: Log, rated: Rated) -> Section:
    read = (f"Read: {show_many(log.n_rows, 'row')}; columns {columns_text(log)}.", *log.assumed, *log.notes)
    return Section(
        "How it was worked out",
        "method",
        (
            Paragraph("What was read:"),
            Bullets(tuple(map(literal, read))),
            Paragraph("What was done with it:"),
            Bullets(tuple(map(literal, method(rated)))),
            Facts((("SHA-256 of the file", log.sha256),)),
        ),
    )

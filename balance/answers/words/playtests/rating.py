"""What `rate` says of a log of games: who is too strong, how sure that is, what is odd, and how it was worked out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Bullets, Title, plain
from balance.answers.blocks.tables import Cell, Column, HeatMap, Table, interval_cell, number_cell, table
from balance.answers.blocks.text import literal
from balance.answers.form import AnswerWords, Records, Screen, Terms
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
    more_games_text,
    oddities_looked_at,
    oddity_text,
    per_cent,
    play_next,
    raw_text,
    reading,
    signed,
)
from balance.answers.words.playtests.several import several_texts
from balance.base.numbers import show_count, show_fixed, show_many
from balance.playtests.model.answer import Cycle, Oddity, PairChance, Rating, RatingAnswer, Spread

if TYPE_CHECKING:
    import polars as pl

MOST_RATINGS, FIRST_RATINGS = 40, 12
"""Entrants listed, and on the first screen."""
MOST_IN_MATRIX, MOST_PAIRS = 10, 12
MOST_SENTENCES, FIRST_SENTENCES = 5, 3
SPARE = ("games", "more")


def sentence(answer: RatingAnswer, terms: Terms) -> str:
    """Return who is overpowered, underpowered and fair, and of how many that is not yet known."""
    return headline(answer)


def short(answer: RatingAnswer, terms: Terms) -> Screen:
    """Return the answer, the ratings, and of cycles, oddities, cautions and assumptions three each at most."""
    more = "--more: each against each, and how it was done; --page FILE.html draws it."
    return Screen([*_first(answer), *_what_to_know(answer), plain(more, "aside")])


def full(answer: RatingAnswer, terms: Terms) -> Iterator[Block]:
    """Yield the answer, strengths, each against each, cycles, oddities, cautions, and how it was worked out."""
    yield from _first(answer, more=True)
    if draws := draws_text(answer):
        yield plain(draws, gap=True)
    yield strengths(answer, MOST_RATINGS)
    if answer.pairs and len(answer.ratings) > MOST_IN_MATRIX:
        yield pair_table(answer, MOST_PAIRS)
    elif answer.pairs and len(answer.ratings) > 2:
        yield matrix(answer)
    cycles = [cycle_text(cycle) for cycle in answer.cycles if cycle.named]
    yield from _sentences(cycles_looked_at(answer), cycles, MOST_SENTENCES)
    yield from _sentences(oddities_looked_at(answer), [*map(oddity_text, answer.oddities)], MOST_SENTENCES)
    yield from _sentences("Before you believe it:", caution_texts(answer), MOST_RATINGS)
    yield from (plain(text, "aside") for text in (*reading(answer.log), *method(answer)))


def tables(answer: RatingAnswer) -> Mapping[str, Records | pl.DataFrame]:
    """Return the ratings, the strongest first, each against each, cycles, and how far effects spread."""
    return {
        "ratings": Records(Rating, by_strength(answer), "entrant"),
        "matrix": _chances(answer),
        "pairs": Records(PairChance, answer.pairs),
        "cycles": Records(Cycle, answer.cycles),
        "spread": Records(Spread, answer.spread),
    }


WORDS = AnswerWords(sentence, short, full, tables)


def _chances(answer: RatingAnswer) -> pl.DataFrame:
    """Return what each row is expected to score against each column, one half against itself."""
    import polars as pl

    names, pairs = [*by_strength(answer)], _both_ways(answer)
    columns = {other: [pairs[name, other][0] if (name, other) in pairs else 0.5 for name in names] for other in names}
    return pl.DataFrame({"entrant": names} | columns)


def _both_ways(answer: RatingAnswer) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the chance of one entrant against another, and how many games they played, in both orders."""
    chances = {(pair.one, pair.other): (pair.chance, pair.games) for pair in answer.pairs}
    return chances | {(other, one): (1 - chance, games) for (one, other), (chance, games) in chances.items()}


def _first(answer: RatingAnswer, more: bool = False) -> Iterator[Block]:
    """Yield the answer in sentences and the ratings."""
    games = show_many(round(answer.log.n_games), "game")
    details = f"{games} of {show_count(len(answer.ratings))}, fair from {band_in_words(answer.settings)}"
    yield Title(f"Ratings of {answer.log.file}", (details,))
    yield plain(headline(answer), "strong")
    if beyond := beyond_ratings_text(answer):
        yield plain(beyond)
    yield plain(play_next(answer), gap=True)
    yield ratings(answer, MOST_RATINGS if more else FIRST_RATINGS)
    yield plain(raw_text(answer))
    yield from map(plain, several_texts(answer))
    _, _, question = answer.log.assumptions[0].partition(". If ")
    yield plain(f"{first_mover_text(answer.first_mover)}{question and f' If {question}'}", gap=more)


def _what_to_know(answer: RatingAnswer) -> Iterator[Block]:
    """Yield what is odd, cautions, and what was assumed or left out, three of each at most."""
    findings = [cycle_text(cycle) for cycle in answer.cycles if cycle.named] + [*map(oddity_text, answer.oddities)]
    for sentences in (findings, caution_texts(answer), (*answer.log.assumptions[1:], *answer.log.notes)):
        yield from _bullets(sentences, FIRST_SENTENCES, "--more shows all")


def _sentences(head: str, sentences: Sequence[str], most: int) -> Iterator[Block]:
    if head:
        yield plain(head, gap=not sentences)
        yield from _bullets(sentences, most, "--json lists all", gap=True)


def _bullets(sentences: Sequence[str], most: int, hint: str, gap: bool = False) -> Iterator[Block]:
    more = len(sentences) - most
    if sentences:
        yield Bullets(tuple(map(literal, sentences[:most])), gap and more <= 0)
    if more > 0:
        yield plain(f"{more} more: {hint}", "aside", gap=gap)


# -- tables ------------------------------------------------------------------------------------------------------------


def _level(answer: RatingAnswer) -> str:
    return f"{100 * answer.settings.level:g}%"


def _number(head: str) -> Column:
    return Column(head, "right", is_spare=head in SPARE)


def _games(n: float) -> str:
    return show_fixed(n, 0 if float(n).is_integer() else 1)


def ratings(answer: RatingAnswer, most: int, caption: str = "") -> Table:
    """Return score, chance and verdict of at most so many entrants, the strongest first."""
    rows = [
        (
            name,
            number_cell(entrant.score, per_cent),
            number_cell(entrant.games, _games),
            number_cell(entrant.chance, per_cent),
            interval_cell(entrant.chance_low, entrant.chance_high, per_cent),
            entrant.verdict,
            _more_games(entrant),
        )
        for name, entrant in by_strength(answer).items()
    ]
    more = f"{show_count(len(rows) - most)} more: --json lists all. " if len(rows) > most else ""
    note = (
        f"{more}scored: per cent of its games, draws half; more: games until a verdict; chance: per cent "
        f"{answer.chance_means}"
    )
    columns: list[Column | str] = [
        "entrant",
        *map(_number, ("scored", "games", "chance", _level(answer))),
        "verdict",
        _number("more"),
    ]
    return table(columns, rows[:most], caption, literal(note))


def _more_games(entrant: Rating) -> Cell:
    """Return how many more games a verdict takes; reached verdicts sort first, those out of reach last."""
    more = 0 if entrant.verdict != "not yet known" else entrant.more_games
    return Cell(more_games_text(entrant), 1e9 if more is None else more)


def strengths(answer: RatingAnswer, most: int, caption: str = "") -> Table:
    """Return the ratings in log-odds of at most so many entrants, the strongest first."""
    rows = [
        (name, number_cell(entrant.rating, signed), interval_cell(entrant.rating_low, entrant.rating_high, signed))
        for name, entrant in by_strength(answer).items()
    ]
    return table(["entrant", _number("rating"), _number(_level(answer))], rows[:most], caption)


def matrix(answer: RatingAnswer) -> HeatMap:
    """Return what each entrant is expected to score against each."""
    names, pairs = [*by_strength(answer)], _both_ways(answer)

    def text(one: str, other: str) -> str:
        if one == other:
            return ""
        chance, games = pairs[one, other]
        return per_cent(chance) if games else f"({per_cent(chance)})"

    return HeatMap(
        row_labels=tuple(names),
        column_labels=tuple(names),
        cells=tuple(tuple(text(one, other) for other in names) for one in names),
        shades=tuple(tuple(None if one == other else 2 * pairs[one, other][0] - 1 for other in names) for one in names),
        caption="Chance of the row against the column in per cent, either seat as likely",
        palette="diverging",
        row_title="per cent",
        column_title="against",
        legend=("0", "50", "100"),
        note="In brackets: they never met." if any(pair.games == 0 for pair in answer.pairs) else "",
    )


def pair_table(answer: RatingAnswer, most: int) -> Table:
    """Return the least equal pairs, at most so many, the stronger side first."""
    pairs = sorted(answer.pairs, key=lambda pair: (-abs(pair.chance - 0.5), pair.one, pair.other))[:most]
    numbers = (_number(head) for head in ("chance", _level(answer), "scored", "games"))
    n = len(answer.pairs)
    caption = f"Pairs, the least equal first{f', {most} of {show_count(n)}' if n > most else ''}"
    return table(["stronger", "against", *numbers], [*map(_pair, pairs)], caption)


def _pair(pair: PairChance) -> Sequence[Cell | str]:
    one, other, low, chance, high, observed = pair.one, pair.other, pair.low, pair.chance, pair.high, pair.observed
    if chance < 0.5:
        one, other, low, chance, high = other, one, 1 - high, 1 - chance, 1 - low
        observed = None if observed is None else 1 - observed
    shares = number_cell(chance, per_cent), interval_cell(low, high, per_cent), number_cell(observed, per_cent)
    return one, other, *shares, number_cell(pair.games, _games)


def changes(oddity: Oddity) -> Table:
    """Return the rating and verdict of each entrant with and without the games of an oddity."""
    rows = [
        (
            change.name,
            number_cell(change.rating, signed),
            number_cell(change.rating_without, signed),
            change.verdict,
            change.verdict_without,
        )
        for change in sorted(oddity.changes, key=lambda change: (-change.rating, change.name))
    ]
    columns: list[Column | str] = ["entrant", _number("rating"), _number("without"), "verdict", "without them"]
    return table(columns, rows, f"With and without the games of {literal(oddity.name)}")

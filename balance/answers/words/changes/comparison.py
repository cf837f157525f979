"""What `compare` says: what a change does at equal points, then whom it affects one against one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Table, number_cell
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.changes.equal_points import army_lead, army_tables, duel_text
from balance.answers.words.changes.sentences import lead, turned_around
from balance.answers.words.changes.tables import Columns, changed_table, on_screen, right, standing_tables, table_of
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.study.compare.answer import ArmyScore, Comparison, MatchUpChange, PriceChange, Standing, TypicalChange

if TYPE_CHECKING:
    import polars as pl

MAX_ROWS = 24, 12, 6
"""Rows of values, of entrants that contain a changed one, and of others; of match-ups as many as of the last."""


def sentence(comparison: Comparison, terms: Terms) -> str:
    """Return what the change does to armies of equal points, or whom it affects in duels where none meet."""
    armies = comparison.equal_points
    return lead(comparison, terms, str) if armies is None else army_lead(comparison, armies, terms, str)


def short(comparison: Comparison, terms: Terms) -> Screen:
    """Return what the change does, with room for the files that were written."""
    more = plain(f"{terms.title}: {comparison.title}. --more shows everything.", "aside")
    files = [str(path) for path in comparison.files]
    return Screen([_top(comparison, terms)], list(_body(comparison, terms, False)), [*_foot(comparison), more], files)


def full(comparison: Comparison, terms: Terms) -> Iterator[Block]:
    """Yield what the change does to armies and in duels."""
    yield _top(comparison, terms)
    yield from _body(comparison, terms, True)
    yield from _foot(comparison)
    yield plain(f"{terms.title}: {comparison.title}.", "aside")


def tables(comparison: Comparison) -> Mapping[str, Records | pl.DataFrame]:
    """Return what the change does at equal points, if armies meet, then to mean scores and match-ups in duels."""
    armies, of_armies = comparison.equal_points, dict[str, Records]()
    if armies is not None:
        of_armies = {
            "equal_points": Records(ArmyScore, armies.scores),
            "typical_match_ups": Records(TypicalChange, armies.typical_match_ups),
            "prices": Records(PriceChange, armies.prices),
        }
    standing = Records(Standing, comparison.affected.standing)
    return {**of_armies, "standing": standing, "changes": comparison.match_ups}


WORDS = AnswerWords(sentence, short, full, tables)


def _top(comparison: Comparison, terms: Terms) -> Block:
    return plain(sentence(comparison, terms), "strong", gap=True)


def _body(comparison: Comparison, terms: Terms, more: bool) -> Iterator[Block]:
    armies, changed = comparison.equal_points, changed_table(comparison.affected, max_rows=MAX_ROWS[0])
    if armies is None:
        yield from map(on_screen, changed)
        yield from _duels(comparison, terms)
        return
    yield from map(on_screen, (*army_tables(comparison, armies, terms, str, MAX_ROWS[1], brief=True), *changed))
    if more and comparison.touches_duels:
        yield plain(duel_text(comparison), gap=True)
        yield from _duels(comparison, terms)


def _foot(comparison: Comparison) -> list[Block]:
    """Return that nothing changes in duels, where that is all to say of them."""
    return [plain(duel_text(comparison))] if comparison.equal_points and not comparison.touches_duels else []


def _duels(comparison: Comparison, terms: Terms) -> Iterator[Block]:
    """Yield where entrants stand in duels, who turns around, and which match-ups change most."""
    yield from map(on_screen, standing_tables(comparison, terms, str, MAX_ROWS[1:], brief=True))
    yield from map(plain, turned_around(comparison.affected, str))
    numbers = comparison.summary
    if numbers.n_touched:
        effects = ", ".join(f"{n:,} {word}" for word, n in numbers.effects_touched.items())
        yield plain(f"{show_many(numbers.n_touched, 'match-up')} can be touched: {effects}", gap=True)
    yield from _match_ups(comparison)
    if numbers.n_not_touched:
        rest = show_many(numbers.n_not_touched, "match-up stays as it was", "match-ups stay as they were")
        yield plain(f"{rest}: counted in mean scores, and nowhere else", "aside")


def _match_ups(comparison: Comparison) -> Iterator[Table]:
    """Yield the match-ups that change most."""
    changes = [row for row in comparison.changes if row.effect in {"changed", "small"}]
    columns: Columns[MatchUpChange] = [
        ("a", lambda row: row.a),
        ("b", lambda row: row.b),
        (right("before"), lambda row: number_cell(row.before, show_probability)),
        (right("after"), lambda row: number_cell(row.after, show_probability)),
        (right("change, % points"), lambda row: number_cell(row.difference, _in_points)),
    ]
    if changes:
        most_first = sorted(changes, key=lambda row: -abs(row.difference or 0.0))
        yield table_of(most_first[: MAX_ROWS[-1]], columns, "")


def _in_points(share: float) -> str:
    return show_probability_change(share, unit="")

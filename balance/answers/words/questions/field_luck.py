"""What `luck` says of a field: how much of a score depends on who plays, on going first, and on chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.analysis.luck.field import PARTS, FieldLuck
from balance.answers.blocks.bars import bar
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Cell, grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.chance.trials.estimate import Estimate

if TYPE_CHECKING:
    import polars as pl


def sentence(luck: FieldLuck, terms: Terms) -> str:
    """Return what decides most, and what chance does."""
    shares = _shares(luck)
    largest_part = max(shares, key=lambda part: shares[part].value)
    share = show_probability(shares[largest_part].value)
    first = f"What decides a {luck.kind} most is {PARTS[largest_part].partition(':')[0]}: {share}"
    if largest_part == "chance":
        return f"{first}."
    return f"{first}; chance decides {show_probability(shares['chance'].value)}."


def tables(luck: FieldLuck) -> Mapping[str, Records | pl.DataFrame]:
    """Return the shares, what each scores against each, a row per match-up, and the same as a square.

    The square has a row for each that scores, and a column for each that it meets.
    """
    import polars as pl

    rows = [(*pair, score) for pair, score in luck.scores.items()]
    scores = pl.DataFrame(rows, ["a", "b", "score"], orient="row")
    matrix = scores.pivot("b", index="a", values="score")
    return {"shares": Records(Estimate, _shares(luck), "part"), "scores": scores, "matrix": matrix}


def _shares(luck: FieldLuck) -> dict[str, Estimate]:
    """Return the shares of the parts that apply."""
    return {part: share for part, share in luck.shares.items() if share is not None}


def _basis(luck: FieldLuck, terms: Terms) -> str:
    method = f"simulated, {show_many(luck.n_trials, 'trial')}" if luck.n_trials else "exact"
    return terms.rests_on(f"{method}, {show_many(luck.n_cells, 'match-up')}")


def _played(luck: FieldLuck, terms: Terms, more: bool) -> Iterator[Block]:
    if luck.played:
        text = f"How it is played: {luck.played}"
        yield plain(text) if more else plain(text, "aside", is_cut=True)


def _parts(luck: FieldLuck, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the table of shares, and how many percentage points going first is worth."""
    yield plain(_match_ups(luck), gap=True)
    rows: list[list[Cell | str]] = [
        [PARTS[part], show_probability(share.value), bar(share.value)] for part, share in _shares(luck).items()
    ]
    yield grid(["what the score hangs on", "share", ""], rows, right=("share",))
    if luck.first_mover is not None:
        text = show_probability_change(luck.first_mover, unit="")
        yield plain(
            f"Going first is worth {text} percentage points of the score on average over two that differ.", gap=True
        )
    if not luck.ways:
        how = " --play lets both sides vary how they play." if luck.could_choose else ""
        yield plain(f"Everybody plays as {_choices(luck)}, so skill is not measurable here.{how}", "aside", gap=True)


def _match_ups(luck: FieldLuck) -> str:
    sides = " against ".join(show_many(len(ids), "entrant") for ids in luck.entrants)
    first_mover_text = "" if luck.first_mover is None else ", either going first"
    ways = "" if not luck.ways else f", each side in any of {', '.join(luck.ways[0])}"
    field = f"Any two of {sides}" if len(luck.entrants) == 1 else f"Any one of {sides}"
    return f"{field}{first_mover_text}{ways}."


def _choices(luck: FieldLuck) -> str:
    choices = [f"{name}={value}" for name, value in luck.choices.items()]
    return f"chosen ({', '.join(choices)})" if choices else "by default"


WORDS = AnswerWords.alike(sentence, _parts, _basis, tables, _played)

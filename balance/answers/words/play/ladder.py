"""What `play` says: the ladder of ways of playing, what each scores against each, and how that was had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.analysis.play.ladder import LadderSettings, Play, WayOfPlaying, WayPair
from balance.analysis.play.ways import MOST_STAND_OFFS
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_probability, show_probability_change

if TYPE_CHECKING:
    import polars as pl

HEADS_TEXT = "Behind: rating points behind the best that counts, 50 of which are a score of 57.1%."
HEADS = ("both play", "behind", "95%", "score", "first, % points", "stand-offs", "counts")
COUNTS = {"in": "yes", "open": "maybe", "out": "no"}


def sentence(play: Play, terms: Terms) -> str:
    """Return how far the ways of playing lie apart, and what going first is worth."""
    best, last = play.ladder[0], play.ladder[-1]
    return (
        f"From {_name(last.play)} to {_name(best.play)} there are {play.gap:.0f} rating points, "
        f"give or take {SURE * play.gap_error:.0f}; going first is worth {play.going_first:.0f}."
    )


def tables(play: Play) -> Mapping[str, Records | pl.DataFrame]:
    """Return the ladder, what the row scores against the column from either seat, and what each two score."""
    import polars as pl

    names = list(dict.fromkeys(pair.first for pair in play.matrix))
    scores = {(pair.first, pair.second): pair.both_seats for pair in play.matrix}
    matrix = {"play": names, **{rival: [scores[name, rival] for name in names] for rival in names}}
    return {
        "ladder": Records(WayOfPlaying, play.ladder),
        "matrix": pl.DataFrame(matrix),
        "seats": Records(WayPair, play.matrix),
    }


def _name(play: str) -> str:
    return play.replace("_", " ")


def _body(play: Play, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the ladder, the matrix, and what goes in circles."""
    columns = [at for at in range(len(HEADS)) if at != 5 or play.ladder[0].stand_offs is not None]
    rows = [_row(way) for way in play.ladder]
    yield grid([HEADS[at] for at in columns], [[row[at] for at in columns] for row in rows], HEADS[1:6])
    yield plain("What the row scores against the column, each going first as often:", "strong")
    yield _matrix(play)
    yield plain(_circles(play), gap=True)


def _row(way: WayOfPlaying) -> list[str]:
    return [
        _name(way.play),
        f"{way.behind:.0f}",
        f"{way.behind_low:.0f} to {way.behind_high:.0f}" if way.behind_high else "",
        show_probability(way.score),
        show_probability_change(way.first_mover_advantage, unit=""),
        "" if way.stand_offs is None else show_probability(way.stand_offs),
        COUNTS[way.place],
    ]


def _matrix(play: Play) -> Table:
    names = [way.play for way in play.ladder]
    scores = {(pair.first, pair.second): show_probability(pair.both_seats) for pair in play.matrix}
    rows = [[_name(row), *("" if row == column else scores[row, column] for column in names)] for row in names]
    return grid(["", *names], rows, names, in_parts=True)


def _circles(play: Play) -> str:
    text = (
        f"{show_probability(play.cyclic_share)} of the matrix goes in circles, which no ladder can show; luck alone "
        f"would show {show_probability(play.cyclic_share_of_luck)}."
    )
    if play.cycles:
        text += f" Each beats the next for certain: {'; '.join(', '.join(cycle) for cycle in play.cycles[:3])}."
    return text


def _foot(play: Play, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what was asked otherwise than by default, how it was had, and what the heads of the table mean."""
    setting, changes = play.settings, _changes(play.settings)
    if not more:
        if changes:
            yield plain(f"Changed: {changes}.")
        yield plain(f"In {setting.kind}s of {_entrants(setting)}. {HEADS_TEXT}", "aside")
        return
    who = "armies" if setting.pairs is None else "pairs"
    yield plain(
        f"How it was had: {setting.kind}, {_entrants(setting)}; {changes or 'all else as by default'}; "
        f"{show_count(setting.battles)} battles, every two ways with the same {who} from both seats on the same luck, "
        f"seed {setting.seed}.",
        "aside",
    )
    yield plain(
        f"{HEADS_TEXT} First: what going first adds where both play so. Counts: not certainly more than "
        f"{setting.near_points:g} points behind the best (95%, all ways at once), nor more than "
        f"{MOST_STAND_OFFS:.0%} stand-offs where both play so; maybe: counts, but is not certain to.",
        "aside",
    )


def _changes(settings: LadderSettings) -> str:
    texts = (*settings.changes, *map("=".join, settings.choices.items()))
    return comma_list(text.replace("=", " = ", 1) for text in texts)


def _entrants(settings: LadderSettings) -> str:
    """Return who meets."""
    if settings.pairs is not None:
        return comma_list(settings.pairs)
    budgets = comma_list(f"{budget.points:g} ({budget.units:g} units)" for budget in settings.budgets or ())
    return f"random legal armies, budgets {budgets}"


def _basis(play: Play, terms: Terms) -> str:
    return terms.rests_on(f"simulated, {show_count(play.settings.battles)} battles, seed {play.settings.seed}")


WORDS = AnswerWords.alike(sentence, _body, _basis, tables, _foot)

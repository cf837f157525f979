"""What `rate` says of a log of scores: what it can tell at all, and which entrants and units it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Bullets, Title, plain
from balance.answers.blocks.tables import Cell, Column, Table, interval_cell, number_cell, table
from balance.answers.blocks.text import literal
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.playtests.sentences import band_in_words, per_cent, reading, signed
from balance.base.errors import comma_list, first_of
from balance.base.numbers import show_count, show_fixed, show_interval, show_many, show_probability
from balance.playtests.people.answer import (
    Edge,
    LabelEffect,
    ScoreAnswer,
    ScoreRating,
    Source,
    UnitEffect,
    VictoryLevel,
)
from balance.playtests.people.foretell import Forecast

if TYPE_CHECKING:
    import polars as pl

MOST_ROWS, FIRST_ROWS, MOST_NAMED = 40, 12, 4
NAMED = ("stronger", "weaker")
LIMITS = (
    "Association within a patch: no cause, no price and not the next patch. Who plays well also chooses lists, strong "
    "lists are copied, costs and rules change, Swiss pairing matches equals, and those who stay are not those who left."
)
"""What no log of people's games tells."""
METHOD = (
    "Model: half the difference of the scores = players (random) + player x event (random) + entrants + pairs of "
    "entrants (random) + first mover + listed first + error; variances by restricted maximum likelihood.",
    "Errors are clustered by event and player. Names hold for max |t| over their whole table.",
    "Chances come from an ordered probit on the forecast score; forecasts of a month use all games before it.",
)


def sentence(answer: ScoreAnswer, terms: Terms) -> str:
    """Return what the log can tell, whom it names, and how many games it would take until it can name one."""
    shares = {source.kind: _share(source) for source in answer.sources}
    if "players" not in shares:
        return f"Entrants explain {shares['entrants']} of the scores, and nobody says who played: {_named(answer)}."
    return f"Players explain {shares['players']} of the scores, entrants {shares['entrants']}: {_named(answer)}."


def _share(source: Source) -> str:
    return f"{show_probability(source.share, 0 if source.share >= 0.1 else 1)} ({_interval(source)})"


def _interval(source: Source) -> str:
    return f"{show_interval(source.low, source.high, per_cent)}%"


def _named(answer: ScoreAnswer) -> str:
    """Return the entrants that differ surely, or how many games it takes until one can be named."""
    rated, worth = by_points(answer), "a point" if answer.unit == "points" else "5% of a win"
    named = {"stronger": [], "weaker": []}  # type: dict[str, list[str]]
    for name, rating in rated.items():
        if rating.named:
            named["stronger" if rating.points > 0 else "weaker"].append(f"{name} ({signed(rating.points)})")
    parts = [f"{comma_list(first_of(names, MOST_NAMED))} surely {word}" for word, names in named.items() if names]
    if fair := sum(rating.verdict == "fair" for rating in rated.values()):
        parts.append(f"{fair} of {len(rated)} surely fair")
    games = "" if answer.games_until is None else f"to name one worth {worth} takes about {answer.games_until:,} games"
    return "; ".join([*(parts or ["no entrant can be named"]), *([games] if games and not any(named.values()) else [])])


def lists_text(answer: ScoreAnswer) -> str:
    """Return what the lists tell and which units are named, or how many games that takes; empty without lists."""
    if (lists := answer.lists) is None:
        return ""
    named = [f"{_unit(unit)} ({signed(unit.unpooled or 0.0)})" for unit in lists.units if unit.verdict in NAMED]
    if named:
        return f"{lists.text} Named: {comma_list(first_of(named, MOST_NAMED))}, {answer.unit} per {measure(answer)}."
    unit = f"{answer.unit.removesuffix('s')} per {measure(answer)}"
    games = f"; to name one worth a {unit} takes about {lists.games_until:,} games" if lists.games_until else ""
    return f"{lists.text} No unit can be named{games}."


def by_text(answer: ScoreAnswer) -> str:
    """Return which entrants are named by the label that was asked for; empty where none was."""
    if not answer.by:
        return ""
    named = [f"{row.entrant}, {row.value} ({signed(row.effect or 0.0)})" for row in answer.by if row.verdict in NAMED]
    whom = comma_list(first_of(named, MOST_NAMED)) if named else "no entrant can be named"
    return f"By {answer.by[0].label}: {whom}."


def measure(answer: ScoreAnswer) -> str:
    """Return what effects of units are per."""
    lists = answer.lists
    return "" if lists is None else lists.measure if lists.measure != "100 points" else "100 points of cost"


def _unit(unit: UnitEffect) -> str:
    """Return the name of a unit with its army's and its patch."""
    name = unit.unit if unit.unit.startswith(unit.army) else f"{unit.army} {unit.unit}"
    return f"{name}, {unit.patch}" if unit.patch else name


def by_points(answer: ScoreAnswer) -> dict[str, ScoreRating]:
    """Return the entrants, the strongest first."""
    return dict(sorted(answer.ratings.items(), key=lambda item: (-item[1].points, item[0])))


def short(answer: ScoreAnswer, terms: Terms) -> Screen:
    """Return the answer, the entrants, what lists and labels tell, and three cautions."""
    more = "--more: sources, levels of victory, forecasts, and how it was done; --page FILE.html draws it."
    return Screen([*_first(answer, FIRST_ROWS), *_bullets(_cautions(answer), 3), plain(more, "aside")])


def full(answer: ScoreAnswer, terms: Terms) -> Iterator[Block]:
    """Yield the answer, all tables, cautions, and how it was worked out."""
    yield from _first(answer, MOST_ROWS)
    yield from (sources(answer), levels(answer))
    if answer.forecasts:
        yield forecasts(answer)
    yield from _bullets(_cautions(answer), MOST_ROWS)
    yield from (plain(text, "aside") for text in (*reading(answer.log), *METHOD))


def tables(answer: ScoreAnswer) -> Mapping[str, Records | pl.DataFrame]:
    """Return entrants, units, labels, sources of variance, edges, levels of victory and forecasts."""
    return {
        "ratings": Records(ScoreRating, by_points(answer), "entrant"),
        "units": Records(UnitEffect, answer.lists.units if answer.lists else ()),
        "by": Records(LabelEffect, answer.by),
        "sources": Records(Source, answer.sources),
        "edges": Records(Edge, answer.edges),
        "levels": Records(VictoryLevel, answer.levels),
        "forecasts": Records(Forecast, answer.forecasts),
    }


WORDS = AnswerWords(sentence, short, full, tables)


def _first(answer: ScoreAnswer, most: int) -> Iterator[Block]:
    games = show_many(round(answer.log.n_games), "game")
    details = f"{games} of {show_count(len(answer.ratings))}, fair from {band_in_words(answer.settings)}"
    yield Title(f"Scores of {answer.log.file}", (details,))
    yield plain(sentence(answer, Terms()), "strong")
    for text in filter(None, (lists_text(answer), by_text(answer))):
        yield plain(text, "strong")
    if answer.lists is not None:
        yield units(answer, most)
    if answer.by:
        yield by(answer, most)
    yield ratings(answer, most)
    yield plain(" ".join(map(edge_text, answer.edges)))


def _cautions(answer: ScoreAnswer) -> list[str]:
    """Return what to know first; how scenarios and costs were read does not touch scores."""
    notes = [note for note in answer.log.notes if not (note.startswith("A cost") or "as the scenario" in note)]
    return [*(f"{caution.text}." for caution in answer.cautions), *answer.log.assumptions[1:], *notes]


def _bullets(sentences: Sequence[str], most: int) -> Iterator[Block]:
    if sentences:
        yield Bullets(tuple(map(literal, sentences[:most])))
    if (more := len(sentences) - most) > 0:
        yield plain(f"{more} more: --more shows all", "aside")


def edge_text(edge: Edge) -> str:
    """Return what going first, or being listed first, is worth."""
    kind = "Going first" if edge.kind == "first mover" else "Being listed first"
    if edge.verdict == "not measurable here":
        return f"{kind} is not measurable here."
    return f"{kind} is worth {signed(edge.points)} ({show_interval(edge.low, edge.high, signed)})."


# -- tables ------------------------------------------------------------------------------------------------------------


def _number(head: str, is_spare: bool = False) -> Column:
    return Column(head, "right", is_spare=is_spare)


def _level(answer: ScoreAnswer) -> str:
    return f"{100 * answer.settings.level:g}%"


def _games(n: float) -> str:
    return show_fixed(n, 0)


def ratings(answer: ScoreAnswer, most: int, caption: str = "") -> Table:
    """Return effect, chance and verdict of at most so many entrants, the strongest first."""
    rows = [
        (
            name,
            number_cell(rating.games, _games),
            number_cell(rating.points, signed),
            interval_cell(rating.low, rating.high, signed),
            number_cell(rating.chance, per_cent),
            interval_cell(rating.chance_low, rating.chance_high, per_cent),
            rating.verdict,
        )
        for name, rating in by_points(answer).items()
    ]
    level = _level(answer)
    columns: list[Column | str] = [
        "entrant",
        _number("games", True),
        _number(answer.unit),
        _number(level, True),
        _number("chance"),
    ]
    note = f"{answer.unit}: added to a score, against the field as often as it occurs; chance: per cent, equal players"
    return table([*columns, _number(level), "verdict"], rows[:most], caption, literal(_more(rows, most) + note))


def _more(rows: Sequence[object], most: int) -> str:
    return f"{show_count(len(rows) - most)} more: --json lists all. " if len(rows) > most else ""


def units(answer: ScoreAnswer, most: int, caption: str = "") -> Table:
    """Return pooled and own effects of at most so many units, those named and the strongest first."""
    shown = strongest_units(answer)
    rows = [
        (
            _unit(unit),
            number_cell(unit.n_lists, _games),
            Cell(show_probability(unit.pick_rate, 0), unit.pick_rate),
            number_cell(unit.effect, signed),
            interval_cell(unit.low, unit.high, signed),
            unit.verdict,
        )
        for unit in shown
    ]
    numbers = (_number("lists", True), _number("picked"), _number(answer.unit), _number(_level(answer)))
    note = f"{answer.unit}: per {measure(answer)}, in place of the army's average list; pooled, intervals for the set"
    return table(["unit", *numbers, "verdict"], rows[:most], caption, literal(_more(rows, most) + note))


def strongest_units(answer: ScoreAnswer) -> list[UnitEffect]:
    """Return the units that are named, then the others, those furthest from 0 first."""
    units = answer.lists.units if answer.lists else ()
    return sorted(units, key=lambda unit: (unit.verdict not in NAMED, -abs(unit.effect)))


def by(answer: ScoreAnswer, most: int, caption: str = "") -> Table:
    """Return how entrants differ by a label, the most unusual first."""
    shown = sorted(answer.by, key=lambda row: (row.verdict not in NAMED, row.effect is None, -abs(row.shrunk or 0.0)))
    rows: list[Sequence[Cell | str]] = [
        (
            row.entrant,
            row.value,
            number_cell(row.games, _games),
            number_cell(row.shrunk, signed),
            "" if row.low is None or row.high is None else interval_cell(row.low, row.high, signed),
            row.verdict,
        )
        for row in shown
    ]
    label = answer.by[0].label
    numbers = (_number("games"), _number("shrunk"), _number(f"{_level(answer)} for all"))
    note = f"{answer.unit} more than elsewhere; the interval is of the estimate that is not shrunk"
    return table(["entrant", label, *numbers, "verdict"], rows[:most], caption, literal(_more(rows, most) + note))


def sources(answer: ScoreAnswer, caption: str = "Where the scores come from") -> Table:
    """Return the shares of the variance of the scores."""
    rows = [
        (
            source.kind,
            Cell(show_probability(source.share, 1), source.share),
            Cell(_interval(source), source.low),
        )
        for source in answer.sources
    ]
    return table(["source", _number("of the variance"), _number(_level(answer))], rows, caption)


def levels(answer: ScoreAnswer, caption: str = "Levels of victory, by points above half of all") -> Table:
    """Return the chance of each level of victory between equals, and for a stronger player."""
    rows: list[Sequence[Cell | str]] = [
        (level.level, *(Cell(show_probability(x, 0), x) for x in (level.share, level.chance, level.stronger)))
        for level in answer.levels
    ]
    note = "stronger: against a player weaker by one standard deviation of players"
    return table(["score", _number("in the log"), _number("equals"), _number("stronger")], rows, caption, literal(note))


def forecasts(answer: ScoreAnswer, caption: str = "Each month from all before it") -> Table:
    """Return how much of later scores was foretold, by whether the players were known."""
    rows = [
        (
            f"{forecast.month}, {forecast.players}" if forecast.players != "all" else forecast.month,
            number_cell(forecast.games, _games),
            Cell(per_cent(forecast.r2) if forecast.r2 >= 0 else "0", forecast.r2),
            number_cell(forecast.right_side, per_cent),
            number_cell(forecast.slope, signed),
            interval_cell(forecast.slope_low, forecast.slope_high, signed),
        )
        for forecast in answer.forecasts
    ]
    numbers = (_number("games"), _number("foretold %"), _number("right side %"), _number("slope"), _number("95%"))
    return table(["games of", *numbers], rows, caption)

"""What `rate` answers of a log that scores games by points: what it can tell, and what it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from balance.base.answers import Chance, Count, Doc, Form, Points, formula
from balance.playtests.model.answer import Caution, High, Low, RateSettings, Verdict
from balance.playtests.people.foretell import Forecast
from balance.playtests.source import LogSource

EdgeVerdict = Literal["measured", "not measurable here"]
UnitVerdict = Literal["stronger", "weaker", "not yet known", "not measurable here"]


def effect_verdict(effect: float | None, is_named: bool) -> UnitVerdict:
    """Return how an effect may be called; None is one that is not measurable."""
    if effect is None:
        return "not measurable here"
    return ("stronger" if effect > 0 else "weaker") if is_named else "not yet known"


@dataclass(frozen=True)
class ScoreRating:
    """One entrant between equal players."""

    verdict: Annotated[Verdict, Doc("At the band, by the interval of its chance that holds for all entrants at once.")]
    points: Annotated[
        Points, Doc("What it adds to the score of its side, against the entrants as often as they occur.")
    ]
    low: Low
    high: High
    chance: Annotated[Chance, Doc("To win against an average entrant, a draw counting half.")]
    chance_low: Annotated[Chance, Doc("The lower end of the interval of its chance.")]
    chance_high: Annotated[Chance, Doc("Its upper end.")]
    sure_low: Annotated[Chance, Doc("The lower end of the interval of its chance that holds for all at once.")]
    sure_high: Annotated[Chance, Doc("Its upper end.")]
    p_value: Annotated[Chance, Doc("Of no effect at all, adjusted for all entrants.")]
    named: Annotated[bool, Doc("Whether it differs from the others by more than the error of the whole table.")]
    games: Annotated[float, Doc("Of its own in the log.")]
    pick_rate: Annotated[Chance, Doc("The share of all sides that it is.")]
    score: Annotated[Chance, Doc("What it scored in them: won, a draw counting half.")]


@dataclass(frozen=True)
class Source:
    """A source of the score's variance."""

    kind: Annotated[str, Doc('"players", "players at an event", "entrants", "pairs of entrants" or "the rest".')]
    share: Annotated[Chance, Doc("Of the variance of the scores.")]
    low: Low
    high: High


@dataclass(frozen=True)
class Edge:
    """What it adds to a score to go first, or to be listed first in a row."""

    kind: Literal["first mover", "listed first"]
    points: Points
    low: Low
    high: High
    games: Annotated[float, Doc("How many tell it.")]
    verdict: EdgeVerdict


@dataclass(frozen=True)
class VictoryLevel:
    """A level of victory of one side, and how often it comes."""

    level: Annotated[str, Doc("By how many points the score lies above half of all, such as 4 to 7.")]
    share: Annotated[Chance, Doc("Of the games in the log, of whichever side.")]
    chance: Annotated[Chance, Doc("Between equal sides.")]
    stronger: Annotated[Chance, Doc("Of a player who is stronger by one standard deviation of the players.")]


@dataclass(frozen=True)
class UnitEffect:
    """A unit of an army in a patch, in place of the army's average list."""

    army: str
    unit: str
    patch: str
    verdict: Annotated[UnitVerdict, Doc("Named only by its own estimate, if lists tell anything at all.")]
    effect: Annotated[float, Doc("Pooled over all units, in points per measure.")]
    low: Annotated[float, Doc("The lower end of its interval, for the set of units.")]
    high: Annotated[float, Doc("The upper end of its interval, for the set of units.")]
    unpooled: Annotated[float | None, Doc("By itself; null where too few lists hold it.")]
    error: Annotated[float | None, Doc("The clustered standard error of that.")]
    within_players: Annotated[float | None, Doc("The sign of it with players fixed.")]
    n_lists: Count
    pick_rate: Annotated[Chance, Doc("The share of the army's lists that hold it.")]
    mean_cost: Annotated[float | None, Doc("In those lists; null where lists tell no cost.")]


@dataclass(frozen=True)
class ListsAnswer:
    """What the lists tell as a whole, beyond players, then of each unit."""

    tells: Annotated[bool, Doc("Whether both tests of the whole say so.")]
    text: Annotated[str, Doc("The same in a sentence.")]
    p_reml: Annotated[Chance, Doc("Of no effect of units at all, by the likelihood.")]
    p_permutation: Annotated[Chance, Doc("The same by permutation of each player's own lists between events.")]
    share: Annotated[Chance, Doc("Of the variance of the scores.")]
    most_share: Annotated[Chance, Doc("The upper end of its interval.")]
    gain: Annotated[float, Doc("What lists add to R2 in events left out of the fit.")]
    gain_low: Annotated[float, Doc("The lower end of its interval, by events.")]
    gain_high: Annotated[float, Doc("The upper end of its interval.")]
    games: Annotated[Count, Doc("With lists.")]
    games_until: Annotated[Count | None, Doc("Until a unit of 1 point per measure is named with a chance of 80 %.")]
    measure: Annotated[str, Doc('What effects are per: "100 points", "model or copy" or "copy".')]
    units: Annotated[tuple[UnitEffect, ...], Doc("The best first.")]


@dataclass(frozen=True)
class LabelEffect:
    """An entrant under one value of a label, such as a map, against itself elsewhere."""

    label: str
    value: str
    entrant: str
    verdict: UnitVerdict
    effect: Annotated[float | None, Doc("In points, unpooled; null where nothing can show it.")]
    low: Annotated[float | None, Doc("The lower end of the interval that holds for all of the table.")]
    high: Annotated[float | None, Doc("The upper end of the interval that holds for all of the table.")]
    p_value: Annotated[Chance, Doc("Of no effect, adjusted for all of the table.")]
    shrunk: Annotated[float | None, Doc("The effect less what chance makes of such a table.")]
    games: float


@dataclass(frozen=True)
class ScoreAnswer:
    """What a log of scores tells of entrants once players are taken out, and what it cannot tell."""

    schema: Form
    verb: Literal["rate"]
    log: LogSource
    settings: RateSettings
    ratings: Annotated[Mapping[str, ScoreRating], Doc("By entrant.")]
    sources: Annotated[tuple[Source, ...], Doc("Of the variance of the scores.")]
    edges: tuple[Edge, ...]
    levels: tuple[VictoryLevel, ...]
    forecasts: Annotated[tuple[Forecast, ...], Doc("How well each month is foretold from all before it.")]
    games_until: Annotated[
        Count | None, Doc("Games until an entrant worth a point, or 5 % of a win, is named with a chance of 80 %.")
    ]
    lists: Annotated[ListsAnswer | None, Doc("What the lists tell; null without lists.")]
    by: Annotated[tuple[LabelEffect, ...], Doc("Entrants by month, patch, deployment, map, or band of skill.")]
    cautions: tuple[Caution, ...]

    def __repr__(self) -> str:
        """Return how many entrants were rated, and in how many games."""
        return f"Scored({len(self.ratings)} entrants, {self.log.n_games:g} games)"

    @formula
    def unit(self) -> Annotated[str, Doc("Of what an effect is one: a point of the score, or a game won.")]:
        """Return "points", or "wins" of a log that only says who won."""
        return "points" if any("points" in role for role in self.log.columns) else "wins"

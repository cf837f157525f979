"""What `rate` was asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from balance.base.answers import ASKED_FOR, BEHIND, Chance, Count, Doc, Form, Seed, formula
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import LEVEL
from balance.playtests.source import LogSource

Verdict: TypeAlias = Literal["overpowered", "underpowered", "fair", "not yet known", "not measurable here"]
Draws: TypeAlias = Literal["davidson", "rao_kupper"]
OddityKind: TypeAlias = Literal["session", "player", "pair", "scenario"]
Low = Annotated[float, Doc("The lower end of its interval.")]
High = Annotated[float, Doc("The upper end of its interval.")]
Games = Annotated[float, Doc("How many games that rests on.")]
MoreGames = Annotated[
    int | None, Doc("How many more games, at the present mix, until the verdict is as likely as not; null without one.")
]
Reason = Annotated[str, Doc("Why no number of further games is given.")]


@dataclass(frozen=True)
class RateSettings:
    """How games are rated.

    `effects`: whether sessions, players and scenarios count as random effects where the log tells them; `oddities` and
    `cycles`: whether to look for them.
    """

    band: Annotated[tuple[Chance, Chance], Doc("Between these an entrant is fair.")] = EVEN_BAND
    level: Annotated[Chance, Doc("That an interval holds the truth; verdicts hold all at once with it.")] = LEVEL
    draws: Annotated[Draws, Doc("How draws come about: Davidson's (1970) or Rao and Kupper's (1967) way.")] = "davidson"
    prior: Annotated[
        float | None,
        Doc("Median, in log-odds, of the weak prior on how far strengths spread; null: maximum likelihood."),
    ] = 0.7
    effects: bool = field(default=True, metadata=BEHIND)
    oddities: bool = field(default=True, metadata=BEHIND)
    cycles: bool = field(default=True, metadata=BEHIND)
    seed: Seed = 0


@dataclass(frozen=True)
class Rating:
    """One entrant."""

    verdict: Annotated[Verdict, Doc("At the band, by intervals that hold for all entrants at once.")]
    chance: Annotated[Chance, Doc("What it scores against all others equally often, either seat as likely.")]
    chance_low: Annotated[Chance, Doc("The lower end of the interval of its chance.")]
    chance_high: Annotated[Chance, Doc("Its upper end.")]
    games: Annotated[float, Doc("Of its own in the log.")]
    score: Annotated[Chance, Doc("What it scored in them.")]
    sure_low: Annotated[Chance, Doc("The lower end of the interval of its chance that holds for all at once.")]
    sure_high: Annotated[Chance, Doc("Its upper end.")]
    more_games: MoreGames
    more_games_reason: Reason
    skill_edge: Annotated[
        float | None, Doc("By how much its own players were stronger, in log-odds; null where nobody says who played.")
    ]
    rating: Annotated[float, Doc("Strength in log-odds, mean 0 over the entrants.")]
    rating_low: Annotated[float, Doc("The lower end of the interval of its rating.")]
    rating_high: Annotated[float, Doc("Its upper end.")]


@dataclass(frozen=True)
class FirstMover:
    """What going first is worth; nothing, with a verdict of "not measurable here", where no game tells who did."""

    value: Annotated[float, Doc("In log-odds.")]
    low: Low
    high: High
    chance: Annotated[Chance, Doc("What who goes first scores against an equal.")]
    chance_low: Annotated[Chance, Doc("The lower end of the interval of that chance.")]
    chance_high: Annotated[Chance, Doc("Its upper end.")]
    advantage: Annotated[float, Doc("The same less what who goes second scores, in percentage points.")]
    advantage_low: Annotated[float, Doc("The lower end of the interval of the advantage.")]
    advantage_high: Annotated[float, Doc("Its upper end.")]
    verdict: Annotated[Verdict, Doc("Whether the chance surely lies in the band, above or below it.")]
    games: Annotated[float, Doc("How many tell who went first.")]
    more_games: MoreGames
    more_games_reason: Reason = ""


@dataclass(frozen=True)
class PairChance:
    """What `one` is expected to score against `other`, either seat as likely."""

    one: str
    other: str
    chance: Chance
    low: Low
    high: High
    games: Games
    observed: Annotated[Chance | None, Doc("Its mean score in the games they played; null where they never met.")]


@dataclass(frozen=True)
class Cycle:
    """Each of three beats the next; intervals hold for all cycles that were looked at."""

    names: tuple[str, str, str]
    size: Annotated[float, Doc("The mean log-odds round the cycle, 0 for any ladder.")]
    low: Low
    high: High
    named: Annotated[bool, Doc("Whether the interval excludes 0.")]
    games: Games


@dataclass(frozen=True)
class Change:
    """What becomes of one entrant without the games of an oddity."""

    name: str
    rating: float
    rating_without: float
    verdict: Verdict
    verdict_without: Verdict


@dataclass(frozen=True)
class Oddity:
    """A group of games that lies further from what all other games say than chance allows."""

    kind: Annotated[OddityKind, Doc("Of what these are the games.")]
    name: Annotated[str, Doc('Its name; of a pair "elf against orc".')]
    what: Annotated[Literal["entrant", "player", "seat"], Doc("Who was favoured.")]
    whom: Annotated[str, Doc('The name; of a seat "first" or "second".')]
    favoured: Annotated[bool, Doc("Whether it scored more than expected, not less.")]
    games: Games
    observed: Annotated[float, Doc("Its mean score in them.")]
    expected: Annotated[float, Doc("The mean score that all other games foretell.")]
    p_value: Annotated[Chance, Doc("Adjusted for all groups that were looked at.")]
    size: Annotated[float, Doc("By how many games won the score differs from what was expected.")]
    changes: Annotated[tuple[Change, ...], Doc("What becomes of each entrant without these games.")] = ()


@dataclass(frozen=True)
class Spread:
    """How far one kind of effect spreads."""

    kind: Annotated[str, Doc('"strengths", "session", "seat", "player" or "scenario".')]
    value: Annotated[float, Doc("The standard deviation, in log-odds.")]
    low: Low
    high: High


@dataclass(frozen=True)
class GoodnessOfFit:
    """How well a ladder fits the games pooled by match-up and seat."""

    deviance: Annotated[float | None, Doc("How far the games lie from it; null where nothing is left to compare.")]
    df: Annotated[Count, Doc("Degrees of freedom: results of match-ups less what was fitted to them.")]
    n: Annotated[float, Doc("Games.")]
    n_rows: Annotated[Count, Doc("Rows of the log.")]
    verdict: Annotated[Literal["measured", "not measurable here"], Doc("Whether there are degrees of freedom.")] = (
        "measured"
    )


@dataclass(frozen=True)
class Caution:
    """Something to know before the ratings are believed."""

    kind: Annotated[
        str,
        Doc(
            '"many effects", "few games", "unknown mover", "one seat", "no sessions", "short evenings", "shares", '
            '"no players", "drift" or "lists".'
        ),
    ]
    text: Annotated[str, Doc("In a sentence.")]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval."""

    value: float
    low: Low
    high: High


@dataclass(frozen=True)
class Several:
    """What games among three or more, or of teams, tell beside ratings."""

    sides: Annotated[Count, Doc("How many meet, in most games.")]
    first: Annotated[Mapping[str, Estimate], Doc("The chance of coming first among so many average ones, by entrant.")]
    sizes: Annotated[
        Mapping[str, Estimate], Doc('What so many more on a side add, in log-odds, if all are average: "1", "2".')
    ]
    places: Annotated[bool, Doc("Whether places below the first count, too.")]


@dataclass(frozen=True, repr=False)
class RatingAnswer:
    """Who of a log of games is too strong, how sure that is, and what to play next."""

    schema: Form
    verb: Literal["rate"]
    log: LogSource
    settings: RateSettings
    ratings: Annotated[Mapping[str, Rating], Doc("By entrant.")]
    first_mover: FirstMover
    draw_share: Annotated[Chance, Doc("Of games that were drawn.")]
    pairs: tuple[PairChance, ...]
    cycles: Annotated[tuple[Cycle, ...], Doc("The surest first.")]
    oddities: tuple[Oddity, ...]
    spread: tuple[Spread, ...]
    fit: GoodnessOfFit
    cautions: tuple[Caution, ...]
    several: Annotated[Several | None, Doc("Of games among three or more, or of teams.")] = field(
        default=None, metadata=ASKED_FOR
    )

    def __repr__(self) -> str:
        """Return how many entrants were rated, and in how many games."""
        return f"Rated({len(self.ratings)} entrants, {self.fit.n:g} games)"

    @property
    def knows_players(self) -> bool:
        """Whether the players' skill is told apart from the strength of what they played."""
        return any(rating.skill_edge is not None for rating in self.ratings.values())

    @formula
    def chance_means(self) -> Annotated[str, Doc("Under which conditions the chance of an entrant is meant.")]:
        """Return a phrase such as "between equal players, against all others equally often"."""
        equal = ["between equal players"] if self.knows_players else []
        if self.several is not None:
            return ", ".join([*equal, "one to one against an average one"])
        if len(self.ratings) > 2:
            return ", ".join([*equal, "against all others equally often"])
        return equal[0] if equal else "going first as often as second"

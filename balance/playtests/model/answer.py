"""What `rate` was asked and what it answers: plain data, read by the command, the page and `--json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import LEVEL

Verdict: TypeAlias = Literal["overpowered", "underpowered", "fair", "not yet known", "not measurable here"]
Draws: TypeAlias = Literal["davidson", "rao_kupper"]
OddityKind: TypeAlias = Literal["session", "player", "pair", "scenario"]


@dataclass(frozen=True)
class RateSettings:
    """How games are rated.

    * `band`: the chances against the field, from 0 to 1, between which an entrant is fair.
    * `level`: chance with which an interval holds the truth; verdicts hold all at once with it.
    * `draws`: how draws are modelled: Davidson's (1970) or Rao and Kupper's (1967) way.
    * `prior`: median, in logits, of the weak prior on how far strengths spread; None: plain maximum likelihood.
    * `effects`: whether sessions, players and scenarios count as random effects where the log tells them.
    * `oddities` and `cycles`: whether to look for them.
    * `seed`: said with the answer like everybody's; nothing of a rating is simulated.
    """

    band: tuple[float, float] = EVEN_BAND
    level: float = LEVEL
    draws: Draws = "davidson"
    prior: float | None = 0.7
    effects: bool = True
    oddities: bool = True
    cycles: bool = True
    seed: int = 0


@dataclass(frozen=True)
class Rating:
    """One entrant.

    * `rating`, `low`, `high`: strength in log-odds, mean 0 over the entrants, with its interval.
    * `games`: how many it played.
    * `score`: what it scored in them, from 0 to 1.
    * `chance`, `chance_low`, `chance_high`: what it scores against every other one equally often, either seat as
      likely, from 0 to 1, with its interval; where players are known, between equal ones.
    * `verdict`: at the band, by intervals that hold for all entrants at once (`sure_low` to `sure_high`, as chances).
    * `more_games`: how many more games of its own, at the present mix, until its verdict is as likely as not if it is
      as it looks now; None where it has one, or where `more_games_reason` says why no number is given.
    * `skill_edge`: by how much its own players were stronger than those they met, in log-odds, a mean over its games;
      None where nobody says who played.
    """

    name: str
    rating: float
    low: float
    high: float
    games: float
    score: float
    chance: float
    chance_low: float
    chance_high: float
    verdict: Verdict
    sure_low: float
    sure_high: float
    more_games: int | None
    more_games_reason: str = ""
    skill_edge: float | None = None


@dataclass(frozen=True)
class FirstMover:
    """What going first is worth.

    Attributes
    ----------
    value, low, high
        In log-odds; NaN never: 0 with a verdict of "not measurable here" where no game tells who went first.
    chance, chance_low, chance_high
        What who goes first scores against an equal, from 0 to 1.
    advantage, advantage_low, advantage_high
        The same less what who goes second scores, in percentage points.
    verdict
        "fair" where `chance` lies in the band for sure, "overpowered" above it, "underpowered" below it.
    games
        How many games tell who went first.
    """

    value: float
    low: float
    high: float
    chance: float
    chance_low: float
    chance_high: float
    advantage: float
    advantage_low: float
    advantage_high: float
    verdict: Verdict
    games: float
    more_games: int | None
    more_games_reason: str = ""


@dataclass(frozen=True)
class PairChance:
    """What `one` is expected to score against `other`, either seat as likely.

    `observed` is its mean score in the games they played, None where they never met.
    """

    one: str
    other: str
    chance: float
    low: float
    high: float
    games: float
    observed: float | None


@dataclass(frozen=True)
class Cycle:
    """Each of three beats the next: `size` is the mean log-odds round the cycle, 0 for any ladder.

    The interval holds for all cycles looked at, at once; `named` where it excludes 0.
    """

    names: tuple[str, str, str]
    size: float
    low: float
    high: float
    named: bool
    games: float


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
    """A group of games that lies further from what all other games say than chance allows.

    Attributes
    ----------
    kind, name
        What the group is: the games of one session, player, pair ("elf against orc") or scenario.
    what, whom
        Who was favoured: "entrant", "player" or "seat" (of who went first); and the name ("first" or "second").
    favoured
        Whether it scored more than expected; False where it scored less.
    games, observed, expected
        How many games, and mean scores of `whom` in them.
    p_value
        Adjusted for all groups that were looked at.
    size
        By how many points (games won) the score differs from what was expected.
    changes
        What becomes of each entrant's rating and verdict without these games.
    """

    kind: OddityKind
    name: str
    what: Literal["entrant", "player", "seat"]
    whom: str
    favoured: bool
    games: float
    observed: float
    expected: float
    p_value: float
    size: float
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Spread:
    """Standard deviation, in logits, of one kind of effect: "strengths", "session", "seat", "player", "scenario"."""

    kind: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class FitSaid:
    """How well a ladder fits the games pooled by match-up and seat.

    Attributes
    ----------
    deviance
        How far the games lie from it; None where nothing is left to compare.
    df
        Degrees of freedom: results of match-ups less what was fitted to them; never below 0.
    n, n_rows
        Games, and rows of the log.
    verdict
        "not measurable here" where there are no degrees of freedom.
    """

    deviance: float | None
    df: int
    n: float
    n_rows: int
    verdict: Literal["measured", "not measurable here"] = "measured"


@dataclass(frozen=True)
class Caution:
    """Something to know before the ratings are believed.

    Attributes
    ----------
    kind
        "many effects", "few games", "unknown mover", "one seat", "no sessions", "short evenings" or "shares".
    told
        One sentence.
    """

    kind: str
    told: str


@dataclass(frozen=True)
class RatingAnswer:
    """The whole answer; each part has its own class here."""

    ratings: tuple[Rating, ...]
    first_mover: FirstMover
    draw_share: float
    pairs: tuple[PairChance, ...]
    cycles: tuple[Cycle, ...]
    oddities: tuple[Oddity, ...]
    spread: tuple[Spread, ...]
    fit: FitSaid
    cautions: tuple[Caution, ...]
    settings: RateSettings

    def __repr__(self) -> str:
        """Return how many entrants were rated, and in how many games."""
        return f"Rated({len(self.ratings)} entrants, {self.fit.n:g} games)"

    @property
    def knows_players(self) -> bool:
        """Whether the players' skill is told apart from the strength of what they played."""
        return any(rating.skill_edge is not None for rating in self.ratings)

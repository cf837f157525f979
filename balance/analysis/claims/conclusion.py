"""A conclusion drawn from one number, and a question asked again with values of its catalogue moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from balance.analysis.scores.equivalence import TIE, distribution_mark
from balance.analysis.scores.measures import Answer, Measure, read_off, share_of_points
from balance.base.answers import BEHIND, Doc
from balance.base.errors import BalanceError
from balance.catalogue import patch_catalogue
from balance.chance.trials.collect import collect
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.stopping import FixedTrials
from balance.engine.query import Query
from balance.game.loaded import LoadedGame
from balance.game.question.question import SIMULATED_TRIALS, Question

Verdict = Literal["above", "below", "tied", "holds", "fails", "not yet known", ""]


@dataclass(frozen=True)
class Claim:
    """What is concluded from a number.

    Attributes
    ----------
    kind
        Whether the question is on which `side` of the limit the number lies, or whether it is `at_least` or `at_most`
        so much.
    limit
        The limit, in the unit of the number.

    Examples
    --------
    >>> one = Claim("side", 0.5)
    >>> one.of(Estimate.exact(0.6)), one.of(Estimate.exact(0.5)), one.of(Estimate.of_share(0.5, 100))
    ('above', 'tied', 'not yet known')
    """

    kind: Literal["side", "at_least", "at_most"]
    limit: float

    def of(self, value: Estimate) -> Verdict:
        """Return the verdict on a number; "not yet known" where the interval of a simulated one allows several."""
        low, high = value.low - self.limit, value.high - self.limit
        if self.kind == "side":
            if low > TIE or high < -TIE:
                return "above" if low > TIE else "below"
            return "tied" if value.is_exact else "not yet known"
        if self.kind == "at_most":
            low, high = -high, -low
        return "holds" if low >= -TIE else "fails" if high < -TIE else "not yet known"

    def ways(self, value: Estimate) -> tuple[int, ...]:
        """Return in which direction the number has to move for the conclusion to flip: rise (1), fall (-1), or either.

        >>> Claim("side", 0.5).ways(Estimate.exact(0.5)), Claim("at_most", 0.5).ways(Estimate.exact(0.5))
        ((-1, 1), (1,))
        """
        verdict = self.of(value)
        if verdict in ("holds", "fails"):
            return (1 if (verdict == "holds") == (self.kind == "at_most") else -1,)
        return {"above": (-1,), "below": (1,), "tied": (-1, 1)}.get(verdict, ())


def usual_claim(measure: Measure) -> Claim | None:
    """Return the default conclusion: on which side of one half a chance or a score lies; None for other measures.

    >>> usual_claim(Measure(score="a")), usual_claim(Measure(mean="x"))
    (Claim(kind='side', limit=0.5), None)
    """
    return Claim("side", 0.5) if measure.is_share else None


def in_words(claim: Claim | None, measure: Measure, verdict: Verdict, winners: Iterable[str]) -> str:
    """Return the conclusion in words; nothing where nothing is concluded. `winners` are all results that there are.

    >>> in_words(Claim("side", 0.5), Measure(score="a"), "below", ["a", "b", "draw"])
    'b is ahead'
    >>> in_words(Claim("at_most", 0.5), Measure(wins="a"), "fails", ["a", "b"])
    'more than 50.0%'
    """
    if claim is None or verdict == "not yet known":
        return verdict
    if claim.kind != "side":
        holds_text = "at least" if claim.kind == "at_least" else "at most"
        fails_text = "less than" if claim.kind == "at_least" else "more than"
        return f"{holds_text if verdict == 'holds' else fails_text} {measure.show(claim.limit)}"
    if verdict == "tied":
        return "tied" if measure.score else "as likely as not"
    if not measure.score:
        return f"{'more' if verdict == 'above' else 'less'} likely than not"
    rivals = [name for name in winners if name not in (measure.score, "draw")]
    return f"{measure.score if verdict == 'above' else ' or '.join(rivals)} is ahead"


@dataclass(frozen=True)
class Outcome:
    """The number that a question gives with some values moved, a fingerprint of its distribution, and the verdict."""

    value: Annotated[Estimate, Doc("What is read off, in its own unit.")]
    mark: float = field(metadata=BEHIND)
    verdict: Annotated[Verdict, Doc("What follows from it; empty where nothing is concluded.")]


@dataclass
class Bench:
    """Asks one question with values moved; `outcomes` caches by the values.

    `measure` and `claim`: what is read off, and what is concluded from it; no claim where nothing is. `trials` and
    `seed`: of a question that has no exact distribution: always the same dice.
    """

    game: LoadedGame
    query: Query
    measure: Measure
    claim: Claim | None
    trials: int = SIMULATED_TRIALS
    seed: int = 0
    outcomes: dict[frozenset[tuple[str, str]], Outcome | None] = field(default_factory=dict)

    @cached_property
    def base(self) -> Outcome:
        """Outcome with every value as it is."""
        return self._of(self.query.to(self.game))

    def after(self, values: Mapping[str, str]) -> Outcome | None:
        """Return the outcome with values, path -> text, moved; None where the catalogue or the rules refuse them."""
        key = frozenset(values.items())
        if key not in self.outcomes:
            try:
                moved_game = LoadedGame(self.game.definition, patch_catalogue(self.game.catalogue, values))
                self.outcomes[key] = self._of(self.query.to(moved_game))
            except BalanceError:
                self.outcomes[key] = None
        return self.outcomes[key]

    def flips(self, outcome: Outcome) -> bool:
        """Return whether the verdict differs from that with everything as it is, and both are known."""
        verdicts = (self.base.verdict, outcome.verdict)
        return verdicts[0] != verdicts[1] and not {"", "not yet known"} & set(verdicts)

    def _of(self, question: Question) -> Outcome:
        kind, answer = question.kind, self._answer(question)
        scale = share_of_points(self.measure, question.game, question.entrants[0])
        value = read_off(self.measure, answer, kind.winners, kind.winner, scale)
        return Outcome(value, distribution_mark(answer.distribution), self.claim.of(value) if self.claim else "")

    def _answer(self, question: Question) -> Answer:
        if not question.why_no_distribution:
            return Answer(question.distribution)
        task = question.task(key=f"robustness/{self.query.pairing_key(self.game.definition)}")
        tally = collect(task, FixedTrials(self.trials), seed=self.seed)
        return Answer(tally.counts, tally.n_trials)

"""Which side of a pair of entrants, such as the forces of an adventure, is favoured alike by every way that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, Literal

from balance.analysis.changes.handicaps.match_up_score import simulated_score
from balance.analysis.play.ladder import Ladder
from balance.analysis.play.matrix import PairSetting
from balance.analysis.play.pairs import pair_query
from balance.base.answers import Chance, Changes, Count, Digest, Doc, Form, GameName, RulesVersion, Seed
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import Estimate
from balance.engine.query import override
from balance.engine.runner import Runner
from balance.game.question.question import Question

HELD_TRIALS = 4096
"""Trials of each pair in each setting, at most."""
EVEN, UNSURE = "even", "unsure"


@dataclass(frozen=True)
class PairScore:
    """What the first side of a pair scores in one setting."""

    pair: str
    play: Annotated[str, Doc("How both sides play.")]
    changes: Changes
    score: Chance
    low: Annotated[Chance, Doc("The lower end of its 95 % interval.")]
    high: Annotated[Chance, Doc("Its upper end.")]
    verdict: Annotated[str, Doc('The side that is favoured; "even" within the band, "unsure" across an end of it.')]


@dataclass(frozen=True)
class PairSettings:
    """How pairs were asked."""

    kind: Annotated[str, Doc("The kind of question that was asked.")]
    band: Annotated[tuple[Chance, Chance], Doc("Scores from 0 to 1 that count as even.")]
    seed: Seed
    trials: Annotated[Count, Doc("Trials of each pair in each setting.")]


@dataclass(frozen=True, repr=False)
class PairStability:
    """Which pairs of sides are favoured alike by every good way of playing."""

    schema: Form
    game: GameName
    verb: Literal["stability"]
    verdicts: Annotated[Mapping[str, str], Doc("By pair: what every row says of it; empty where rows differ.")]
    rows: Annotated[tuple[PairScore, ...], Doc("Every pair in every setting.")]
    ladder: Annotated[Ladder | None, Doc("The ladder of ways of playing, if it was played for.")]
    settings: PairSettings
    rules_version: RulesVersion
    catalogue_sha256: Digest
    names: Annotated[Mapping[str, Mapping[str, str]], Doc("By pair: what people call its sides, the first one first.")]

    def __repr__(self) -> str:
        """Return how many pairs have one verdict everywhere in one line."""
        n_sure = sum(verdict != "" for verdict in self.verdicts.values())
        return f"<PairStability: {n_sure} of {len(self.verdicts)} pairs with one verdict everywhere>"


def pair_stability(
    runner: Runner,
    setting: PairSetting,
    ways: Sequence[str],
    ranges: Mapping[str, Sequence[str]],
    seed: int = 0,
    *,
    n_trials: int = HELD_TRIALS,
    band: tuple[float, float] = EVEN_BAND,
    ladder: Ladder | None = None,
) -> PairStability:
    """Return which side of each pair is favoured where both play one way, for each way and each setting.

    `ranges` is path -> values, every combination of which is a setting; `n_trials` are those of each, `band` holds the
    scores that are even, and `ladder` is that which says which ways to look at, if one was played.
    """
    game, sides = runner.game, runner.game.definition.kinds[setting.kind].sides
    rows = tuple(
        _pair_scores(runner, setting, ways, ranges, partial(simulated_score, trials=n_trials, seed=seed), band)
    )
    verdicts = {pair: {row.verdict for row in rows if row.pair == pair} for pair in setting.pairs}
    entrants = {pair: map(game.label, game.pair(setting.kind, pair, "")) for pair in setting.pairs}
    return PairStability(
        1,
        game.definition.name,
        "stability",
        {pair: next(iter(words)) if len(words) == 1 else "" for pair, words in verdicts.items()},
        rows,
        ladder,
        PairSettings(setting.kind, band, seed, n_trials),
        game.catalogue.rules_version,
        game.catalogue.sha256,
        {pair: dict(zip(sides, labels, strict=True)) for pair, labels in entrants.items()},
    )


def _pair_scores(
    runner: Runner,
    setting: PairSetting,
    ways: Sequence[str],
    ranges: Mapping[str, Sequence[str]],
    measure: Callable[[Question], Estimate | None],
    band: tuple[float, float],
) -> Iterator[PairScore]:
    """Yield what `measure` says of each pair, way of playing and setting."""
    game = runner.game
    combinations = product(*([f"{path}={value}" for value in values] for path, values in ranges.items()))
    places = list(product(setting.pairs, ways, combinations))
    queries = [
        pair_query(game, replace(setting, changes=override(setting.changes, changes)), pair, (way, way), None)
        for pair, way, changes in places
    ]
    sides = game.definition.kinds[setting.kind].sides
    for place, score in zip(places, runner(queries, measure, "settings", share=False), strict=True):
        if score is not None:
            yield PairScore(*place, score.value, score.low, score.high, _verdict(score, band, sides))


def _verdict(score: Estimate, band: tuple[float, float], sides: tuple[str, str]) -> str:
    if score.is_within(band):
        return EVEN
    return sides[0] if score.low > band[1] else sides[1] if score.high < band[0] else UNSURE

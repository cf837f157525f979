"""`balance handicap --cost` and `--bid points`: fair costs of two, and what going first is worth in points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.analysis.prices.verdicts import shown
from balance.analysis.scores.usual_prices import fair_within
from balance.base.errors import listed
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability, show_units
from balance.verbs.render.fairness.handicap_bids import score_said
from balance.verbs.render.screens import rests_on, screen_of
from balance.verbs.render.terminal import line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

__all__ = ["NAMES", "as_json", "bid_blocks", "bid_json", "cost_blocks", "cost_json"]

SCHEMA = 1
NAMES = ("points", "cost_points", "cost")
"""What a bid in points may be called."""
Band = tuple[float, float]


def _verdict(score: Estimate, band: Band) -> str:
    return f"{'even' if score.is_within(band) else 'not even'}, at a band of {show_interval(*band, show=_per_cent)}"


def _per_cent(share: float) -> str:
    return show_probability(share, 0)


def cost_blocks(loaded: LoadedGame, found: FairCost, band: Band, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what a fair cost comes to, from top to bottom."""
    one, other, unit = found.member, found.opponent, loaded.words.points
    cost, against = show_points(found.cost), show_units(show_points(found.against), unit)
    at = f"{against} each" if found.cost == found.against else f"{cost} and {against}"
    sentence = (
        f"{one} is fair against {other} at {_interval(found.fair)} {unit}, now {show_points(found.cost)}: "
        f"{_word(found)}, at a tolerance of {shown(found.tolerance)}. One is as good as {show_number(found.bodies)} of "
        "the other."
    )
    parts = [
        line(
            f"At {at}, armies of {one} score {score_said(found.score)} against equally dear ones of "
            f"{other}: {_verdict(found.score, band)}.",
            after=1,
        ),
        line(
            f"At {show_units(str(found.whole), unit)} it scores {score_said(found.fresh)} on fresh armies and dice: "
            f"{_verdict(found.fresh, band)}.",
            after=1,
        ),
        line(
            f"Or {other} at {_interval(found.other_fair)} {unit}, now {show_points(found.against)}: the other way to "
            "make the two even.",
            after=1,
        ),
    ]
    foot = [line(f"{_where(found.setting, unit)} Against a whole field: balance price {loaded.game.name} {one}", "dim")]
    return screen_of(sentence, parts, _how(loaded, found.score, seed), more, foot=foot)


def _word(found: FairCost) -> str:
    """Return what is said of the cost as it is, as rows of `balance price` have it."""
    fair = found.fair
    return fair_within(found.verdict, found.cost, fair.low, fair.high, found.tolerance)


def bid_blocks(loaded: LoadedGame, found: PointsBid, band: Band, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what a bid in points comes to, from top to bottom."""
    whose = (
        " against ".join(found.members) if found.is_pair else f"armies of {show_many(len(found.members), 'entrant')}"
    )
    worth = "going first is worth" if found.share.value >= 0 else "going first is a burden, worth"
    at = listed([f"{show_number(points)} of {budget:g}" for budget, points in found.points])
    share = f"{_share(found.share.value)} of a budget ({show_interval(found.share.low, found.share.high, _share)})"
    sentence = f"In {whose} {worth} {share}: {show_units(at, loaded.words.points)}."
    parts = [
        line(f"At equal points going first scores {score_said(found.score)}: {_verdict(found.score, band)}.", after=1),
        line(
            f"Who has paid that scores {score_said(found.fresh)} going first, on fresh armies and dice: "
            f"{_verdict(found.fresh, band)}.",
            after=1,
        ),
    ]
    foot = [line(_where(found.setting, loaded.words.points), "dim")]
    return screen_of(sentence, parts, _how(loaded, found.score, seed), more, foot=foot)


def _how(loaded: LoadedGame, score: Estimate, seed: int) -> str:
    return rests_on(loaded, f"simulated, {score.n_trials:,} battles, seed {seed}")


def show_points(points: float) -> str:
    """Return points, whole where they are.

    >>> show_points(38.0), show_points(38.25)
    ('38', '38.2')
    """
    return f"{points:g}" if points == round(points) else show_number(points)


def _interval(found: Estimate) -> str:
    return f"{show_number(found.value)} ({show_interval(found.low, found.high)})"


def _share(share: float) -> str:
    return f"{show_fixed(100 * share, 1)}%"


def _where(setting: ArmySetting, unit: str) -> str:
    budgets = listed([f"{points:g}" for points, _ in setting.budgets])
    changed = [*setting.changes, *("=".join(choice) for choice in setting.choices)]
    also = f" Changed: {', '.join(changed)}." if changed else ""
    return f"In {setting.kind}s at budgets of {budgets} {unit}, either side going first equally often.{also}"


def cost_json(found: FairCost) -> dict[str, Any]:
    """Return a fair cost as plain values."""
    from balance.verbs.render.answers.json import estimate_json

    return {
        "now": found.cost,
        "against": found.against,
        "fair": estimate_json(found.fair),
        "other_fair": estimate_json(found.other_fair),
        "verdict": found.verdict,
        "tolerance": found.tolerance,
        "bodies": found.bodies,
        "score": estimate_json(found.score),
        "whole": found.whole,
        "fresh": estimate_json(found.fresh),
    }


def bid_json(found: PointsBid) -> dict[str, Any]:
    """Return a bid in points as plain values."""
    from balance.verbs.render.answers.json import estimate_json

    return {
        "field": "points",
        "share": estimate_json(found.share),
        "points": [{"budget": budget, "worth": points} for budget, points in found.points],
        "score": estimate_json(found.score),
        "fresh": estimate_json(found.fresh),
    }


def as_json(
    loaded: LoadedGame, setting: ArmySetting, members: tuple[str, ...], band: Band, seed: int, **found: Any
) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "handicap",
        "kind": setting.kind,
        "entrants": list(members),
        "changes": list(setting.changes),
        "budgets": [list(one) for one in setting.budgets],
        "band": list(band),
        **found,
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }

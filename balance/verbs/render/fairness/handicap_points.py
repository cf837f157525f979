"""`balance handicap --cost` and `--bid points`: fair costs of two, and what going first is worth in points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import fair_within
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line
from balance.base.errors import comma_list
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability, show_units
from balance.verbs.render.fairness.handicap_bids import score_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
    from balance.answers.documents import handicaps
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1
NAMES = ("points", "cost_points", "cost")
"""What a bid in points may be called."""
Band = tuple[float, float]


def _verdict(score: Estimate, band: Band) -> str:
    return f"{'even' if score.is_within(band) else 'not even'}, at a band of {show_interval(*band, show=_per_cent)}"


def _per_cent(share: float) -> str:
    return show_probability(share, 0)


def cost_blocks(game: LoadedGame, fair_cost: FairCost, band: Band, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what a fair cost comes to, from top to bottom; a match-up is even at a score within the band."""
    entrant, opponent, unit = fair_cost.member, fair_cost.opponent, game.words.points
    cost, against = show_points(fair_cost.cost), show_units(show_points(fair_cost.against), unit)
    at = f"{against} each" if fair_cost.cost == fair_cost.against else f"{cost} and {against}"
    parts = [
        line(
            f"At {at}, armies of {entrant} score {score_text(fair_cost.score)} against equally dear ones of "
            f"{opponent}: {_verdict(fair_cost.score, band)}.",
            after=1,
        ),
        line(
            f"At {show_units(str(fair_cost.whole), unit)} it scores {score_text(fair_cost.fresh)} on fresh armies and "
            f"dice: {_verdict(fair_cost.fresh, band)}.",
            after=1,
        ),
        line(
            f"Or {opponent} at {_interval(fair_cost.other_fair)} {unit}, now {show_points(fair_cost.against)}: the "
            "other way to make the two even.",
            after=1,
        ),
    ]
    foot = [
        line(
            f"{_setting_text(fair_cost.setting, unit)} Against a whole field: balance price {game.typed()} {entrant}",
            "dim",
        )
    ]
    return screen_of(cost_sentence(game, fair_cost), parts, _method(game, fair_cost.score, seed), more, foot=foot)


def cost_sentence(game: LoadedGame, fair_cost: FairCost) -> str:
    """Return what one should cost against another, what it costs now, and what is said of that."""
    return (
        f"{fair_cost.member} is fair against {fair_cost.opponent} at {_interval(fair_cost.fair)} {game.words.points}, "
        f"now {show_points(fair_cost.cost)}: {_word(fair_cost)}, at a tolerance of {show_cost(fair_cost.tolerance)}. "
        f"One is as good as {show_number(fair_cost.bodies)} of the other."
    )


def _word(fair_cost: FairCost) -> str:
    """Return the verdict on the present cost in the words of `balance price`."""
    fair = fair_cost.fair
    return fair_within(fair_cost.verdict, fair_cost.cost, fair.low, fair.high, fair_cost.tolerance)


def bid_blocks(game: LoadedGame, points_bid: PointsBid, band: Band, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what a bid in points comes to, from top to bottom; it is even at a score within the band."""
    parts = [
        line(
            f"At equal points going first scores {score_text(points_bid.score)}: {_verdict(points_bid.score, band)}.",
            after=1,
        ),
        line(
            f"Who has paid that scores {score_text(points_bid.fresh)} going first, on fresh armies and dice: "
            f"{_verdict(points_bid.fresh, band)}.",
            after=1,
        ),
    ]
    foot = [line(_setting_text(points_bid.setting, game.words.points), "dim")]
    return screen_of(bid_sentence(game, points_bid), parts, _method(game, points_bid.score, seed), more, foot=foot)


def bid_sentence(game: LoadedGame, points_bid: PointsBid) -> str:
    """Return what going first is worth, as a share of a budget and in points of each."""
    field_text = (
        " against ".join(points_bid.members)
        if points_bid.is_pair
        else f"armies of {show_many(len(points_bid.members), 'entrant')}"
    )
    worth = "going first is worth" if points_bid.share.value >= 0 else "going first is a burden, worth"
    at = comma_list([f"{show_number(points)} of {budget:g}" for budget, points in points_bid.points])
    interval = show_interval(points_bid.share.low, points_bid.share.high, _share)
    share = f"{_share(points_bid.share.value)} of a budget ({interval})"
    return f"In {field_text} {worth} {share}: {show_units(at, game.words.points)}."


def _method(game: LoadedGame, score: Estimate, seed: int) -> str:
    return rests_on(game, f"simulated, {score.n_trials:,} battles, seed {seed}")


def show_points(points: float) -> str:
    """Return points as text, without decimals where they are whole.

    >>> show_points(38.0), show_points(38.25)
    ('38', '38.2')
    """
    return f"{points:g}" if points == round(points) else show_number(points)


def _interval(estimate: Estimate) -> str:
    return f"{show_number(estimate.value)} ({show_interval(estimate.low, estimate.high)})"


def _share(share: float) -> str:
    return f"{show_fixed(100 * share, 1)}%"


def _setting_text(setting: ArmySetting, unit: str) -> str:
    budgets = comma_list([f"{points:g}" for points, _ in setting.budgets])
    changes = [*setting.changes, *("=".join(choice) for choice in setting.choices)]
    also = f" Changed: {', '.join(changes)}." if changes else ""
    return f"In {setting.kind}s at budgets of {budgets} {unit}, either side going first equally often.{also}"


def _cost_json(fair_cost: FairCost) -> handicaps.FairCostOfTwo:
    from balance.verbs.render.answers.json import estimate_json

    return {
        "now": fair_cost.cost,
        "against": fair_cost.against,
        "fair": estimate_json(fair_cost.fair),
        "other_fair": estimate_json(fair_cost.other_fair),
        "verdict": fair_cost.verdict,
        "tolerance": fair_cost.tolerance,
        "bodies": fair_cost.bodies,
        "score": estimate_json(fair_cost.score),
        "whole": fair_cost.whole,
        "fresh": estimate_json(fair_cost.fresh),
    }


def _bid_json(points_bid: PointsBid) -> handicaps.PointsBid:
    from balance.verbs.render.answers.json import estimate_json

    return {
        "field": "points",
        "share": estimate_json(points_bid.share),
        "points": [{"budget": budget, "worth": points} for budget, points in points_bid.points],
        "score": estimate_json(points_bid.score),
        "fresh": estimate_json(points_bid.fresh),
    }


def as_json(
    game: LoadedGame,
    setting: ArmySetting,
    members: tuple[str, ...],
    band: Band,
    seed: int,
    result: FairCost | PointsBid,
) -> handicaps.CostHandicap | handicaps.PointsHandicap:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.analysis.changes.handicaps.points_even import FairCost

    head: handicaps.PointsHead = {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "handicap",
        "kind": setting.kind,
        "entrants": list(members),
        "changes": list(setting.changes),
        "budgets": [list(budget) for budget in setting.budgets],
        "band": list(band),
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }
    if isinstance(result, FairCost):
        cost: handicaps.CostHandicap = {**head, "cost": _cost_json(result)}
        return cost
    bid: handicaps.PointsHandicap = {**head, "bid": _bid_json(result)}
    return bid

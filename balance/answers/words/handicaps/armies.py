"""What `handicap --cost` and `--bid points` say: fair costs of two, and what going first is worth in points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.analysis.changes.handicaps.points_even import PAIR, EvenCost, FairCost, PointsAtBudget, PointsBid
from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import fair_within
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.handicaps.common import even_text, score_text
from balance.base.errors import comma_list
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_units
from balance.chance.trials.estimate import Estimate


def cost_sentence(fair_cost: FairCost, terms: Terms) -> str:
    """Return what one should cost against another, what it costs now, and what is said of that."""
    row, fair, tolerance = fair_cost.costs[0], fair_cost.fair, fair_cost.tolerance
    verdict = fair_within(fair_cost.verdict, row.cost, fair.low, fair.high, tolerance)
    return (
        f"{row.entrant} is fair against {row.against} at {_interval(fair)} {terms.points}, "
        f"now {show_points(row.cost)}: {verdict}, at a tolerance of {show_cost(tolerance)}. "
        f"One is as good as {show_number(fair_cost.bodies)} of the other."
    )


def _cost_body(fair_cost: FairCost, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield how even the two are at their costs, at the whole one, and what the other should cost instead."""
    (row, other), band, fresh = fair_cost.costs, fair_cost.band, fair_cost.fresh
    against = f"{show_units(show_points(other.cost), terms.points)}"
    at = f"{against} each" if row.cost == other.cost else f"{show_points(row.cost)} and {against}"
    yield plain(
        f"At {at}, armies of {row.entrant} score {score_text(fair_cost.score)} against equally dear ones of "
        f"{other.entrant}: {even_text(fair_cost.score, band)}.",
        gap=True,
    )
    yield plain(
        f"At {show_units(str(fair_cost.whole), terms.points)} it scores {score_text(fresh)} on fresh armies and dice: "
        f"{even_text(fresh, band)}.",
        gap=True,
    )
    instead = f"{other.entrant} at {_interval(other.fair)} {terms.points}, now {show_points(other.cost)}"
    yield plain(f"Or {instead}: the other way to make the two even.", gap=True)


def _cost_foot(fair_cost: FairCost, terms: Terms, more: bool) -> Iterator[Block]:
    against_all = f"Against a whole field: balance price {terms.command} {fair_cost.costs[0].entrant}"
    yield plain(f"{_setting_text(fair_cost, terms)} {against_all}", "aside")


def cost_tables(fair_cost: FairCost) -> Mapping[str, Records]:
    """Return for either of two its cost, and the cost at which they are even while the other's stays."""
    return {"costs": Records(EvenCost, fair_cost.costs)}


def bid_sentence(bid: PointsBid, terms: Terms) -> str:
    """Return what going first is worth, as a share of a budget and in points of each."""
    entrants = bid.entrants
    armies = f"armies of {show_many(len(entrants), 'entrant')}"
    who = " against ".join(entrants) if len(entrants) == PAIR else armies
    worth = "going first is worth" if bid.share.value >= 0 else "going first is a burden, worth"
    at = comma_list([f"{show_number(row.worth)} of {row.budget:g}" for row in bid.points])
    share = f"{_share(bid.share.value)} of a budget ({show_interval(bid.share.low, bid.share.high, _share)})"
    return f"In {who} {worth} {share}: {show_units(at, terms.points)}."


def _bid_body(bid: PointsBid, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what going first scores, and what it scores when it has been paid for."""
    yield plain(
        f"At equal points going first scores {score_text(bid.score)}: {even_text(bid.score, bid.band)}.", gap=True
    )
    paid = f"{score_text(bid.fresh)} going first, on fresh armies and dice: {even_text(bid.fresh, bid.band)}"
    yield plain(f"Who has paid that scores {paid}.", gap=True)


def _bid_foot(bid: PointsBid, terms: Terms, more: bool) -> Iterator[Block]:
    yield plain(_setting_text(bid, terms), "aside")


def bid_tables(bid: PointsBid) -> Mapping[str, Records]:
    """Return what going first is worth at each budget, with its interval."""
    return {"points": Records(PointsAtBudget, bid.points)}


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


def _setting_text(answer: FairCost | PointsBid, terms: Terms) -> str:
    budgets = comma_list([f"{budget.points:g}" for budget in answer.budgets])
    changes = [*answer.changes, *map("=".join, answer.choices.items())]
    also = f" Changed: {', '.join(changes)}." if changes else ""
    return f"In {answer.kind}s at budgets of {budgets} {terms.points}, either side going first equally often.{also}"


def _basis(answer: FairCost | PointsBid, terms: Terms) -> str:
    return terms.rests_on(f"simulated, {answer.score.n_trials:,} battles, seed {answer.seed}")


COST_WORDS = AnswerWords.alike(cost_sentence, _cost_body, _basis, cost_tables, _cost_foot)
BID_WORDS = AnswerWords.alike(bid_sentence, _bid_body, _basis, bid_tables, _bid_foot)

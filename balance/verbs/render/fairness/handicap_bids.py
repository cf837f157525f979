"""`balance handicap --bid FIELD`: how much of a number pays for going first, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.answers.media.screens import changes_line, rests_on, screen_of
from balance.answers.media.terminal import line, table
from balance.base.numbers import show_fixed, show_interval, show_many, show_probability, show_step

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.handicaps.bids import Bid, Offer
    from balance.answers.documents import handicaps
    from balance.chance.trials.estimate import Estimate
    from balance.engine.query import Query
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1
SEATS = "a is whoever goes first, b whoever goes second; .27 of a step is one step more in 27 of 100 games."


def score_text(score: Estimate) -> str:
    """Return a score in per cent, with its 95 % interval if it is simulated.

    >>> from balance.chance.trials.estimate import Estimate
    >>> score_text(Estimate.exact(0.5)), score_text(Estimate.of_share(0.5, 1000))
    ('50.0%', '50.0% (46.9% to 53.1%)')
    """
    interval = "" if score.is_exact else f" ({show_interval(score.low, score.high, show_probability)})"
    return f"{show_probability(score.value)}{interval}"


def blocks(game: LoadedGame, bid: Bid, is_pair: bool, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    method = "exact" if bid.score.is_exact else f"simulated, {bid.score.n_trials:,} trials, seed {seed}"
    foot = changes_line(bid.queries[0], of_field=True)
    return screen_of(sentence(bid, is_pair), _parts(bid), rests_on(game, method), more, foot=foot)


def sentence(bid: Bid, is_pair: bool) -> str:
    """Return what going first scores, of one match-up or over a field, and what it is worth."""
    query = bid.queries[0]
    over = (
        f"Over both seats of {query.side_a} against {query.side_b}"
        if is_pair
        else f"Over {show_many(len(bid.queries), 'match-up')}"
    )
    return f"{over} going first scores {score_text(bid.score)}. {_price_text(bid, _number(bid))}"


def _number(bid: Bid) -> str:
    return f"{bid.payer}.{bid.field}"


def _parts(bid: Bid) -> Iterator[RenderableType]:
    """Yield the score of going first at each bid, and how many match-ups have no such number."""
    number = _number(bid)
    if len(bid.offers) > 1:
        rows = [(_change(offer, number, bid.whole), score_text(offer.score), _even(offer, bid)) for offer in bid.offers]
        yield table(["bid", "going first scores", "even"], rows, right=("going first scores",))
    if bid.n_without:
        yield line(f"{show_many(bid.n_without, 'match-up')} left out: no single {bid.field} to pay with.", "dim", 1)
    yield line(SEATS, "dim")


def _price_text(bid: Bid, number: str) -> str:
    """Return the bid at which going first scores one half, or that none does, in a sentence."""
    if not bid.has_effect:
        return f"Not measurable here: no change of {number} changes anything."
    if bid.price is None:
        last, score = _change(bid.nearest, number, bid.whole), score_text(bid.nearest.score)
        return f"No bid that can be paid comes to one half; {last} comes nearest, going first then scores {score}."
    if bid.bid == 0:
        return "Going first and going second are worth the same as they are: nothing is to be bid."
    fresh = "" if bid.fresh is None else f" (on fresh dice {_interval(bid.fresh, bid.whole)})"
    price = f"{number} {_signed(bid.price.value, bid.whole)}"
    if (bid.bid or 0) > 0:
        return f"The bid at which going first and second are worth the same: {price}{fresh}."
    return f"Going first is a burden; to be as good as going second it needs {price}{fresh}."


def _signed(steps: float, whole: bool, decimals: int = 2) -> str:
    text = show_fixed(steps if whole else 10 * steps, decimals if whole else 1) + ("" if whole else "%")
    return text if steps < 0 else f"+{text}"


def _interval(price: Estimate, whole: bool) -> str:
    return show_interval(price.low, price.high, lambda steps: _signed(steps, whole))


def _change(offer: Offer, number: str, whole: bool) -> str:
    if not offer.steps:
        return "nothing changed"
    return f"{number} {show_step(offer.steps) if whole else f'{show_step(10 * offer.steps)}%'}"


def _even(offer: Offer, bid: Bid) -> str:
    return "yes" if offer.score.is_within(bid.band) else "no"


def as_json(game: LoadedGame, bid: Bid, query: Query, seed: int) -> handicaps.Bid:
    """Return the one object that --json prints; of a field, nobody takes part in the query."""
    from balance.verbs.render.answers.json import estimate_json, known_json

    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.side_a, query.side_b]
        if query.side_a
        else list(dict.fromkeys(match_up.side_a for match_up in bid.queries)),
        "changes": list(query.changes),
        "band": list(bid.band),
        "score": estimate_json(bid.score),
        "bid": {
            "side": bid.payer,
            "field": bid.field,
            "step": 1 if bid.whole else "a tenth",
            "worth": bid.bid,
            "change": known_json(bid.price),
            "fresh": known_json(bid.fresh),
            "measurable": bid.has_effect,
            "offers": [
                {"change": offer.steps, "score": estimate_json(offer.score), "even": _even(offer, bid) == "yes"}
                for offer in bid.offers
            ],
            "left_out": bid.n_without,
        },
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }

"""`balance handicap --bid FIELD`: what going first is worth in a number, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.base.numbers import show_fixed, show_interval, show_many, show_probability, show_step
from balance.verbs.render.screens import changes_said, rests_on, screen_of
from balance.verbs.render.terminal import line, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.handicaps.bids import Bid, Offer
    from balance.chance.trials.estimate import Estimate
    from balance.engine.query import Query
    from balance.game.loaded import LoadedGame

__all__ = ["as_json", "blocks", "score_said"]

SCHEMA = 1
SEATS = "a is whoever goes first, b whoever goes second; .27 of a step is one step more in 27 of 100 games."


def score_said(found: Estimate) -> str:
    """Return a score with its interval, where it has one.

    >>> from balance.chance.trials.estimate import Estimate
    >>> score_said(Estimate.exact(0.5)), score_said(Estimate.of_share(0.5, 1000))
    ('50.0%', '50.0% (46.9% to 53.1%)')
    """
    interval = "" if found.is_exact else f" ({show_interval(found.low, found.high, show_probability)})"
    return f"{show_probability(found.value)}{interval}"


def blocks(loaded: LoadedGame, found: Bid, is_pair: bool, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    query, number = found.queries[0], f"{found.payer}.{found.field}"
    how = "exact" if found.score.is_exact else f"simulated, {found.score.n_trials:,} trials, seed {seed}"
    over = (
        f"Over both seats of {query.side_a} against {query.side_b}"
        if is_pair
        else f"Over {show_many(len(found.queries), 'match-up')}"
    )
    sentence = f"{over} going first scores {score_said(found.score)}. {_price_said(found, number)}"
    foot = changes_said(query, of_field=True)
    return screen_of(sentence, _parts(found, number), rests_on(loaded, how), more, foot=foot)


def _parts(found: Bid, number: str) -> Iterator[RenderableType]:
    """Yield the offers, and what they are made of."""
    if len(found.offers) > 1:
        rows = [(_change(one, number, found.whole), score_said(one.score), _even(one, found)) for one in found.offers]
        yield table(["bid", "going first scores", "even"], rows, right=("going first scores",))
    if found.n_without:
        yield line(f"{show_many(found.n_without, 'match-up')} left out: no single {found.field} to pay with.", "dim", 1)
    yield line(SEATS, "dim")


def _price_said(found: Bid, number: str) -> str:
    """Return the price in a sentence."""
    if not found.has_effect:
        return f"Not measurable here: no change of {number} changes anything."
    if found.price is None:
        last, score = _change(found.nearest, number, found.whole), score_said(found.nearest.score)
        return f"No bid that can be paid comes to one half; {last} comes nearest, going first then scores {score}."
    if found.bid == 0:
        return "Going first and going second are worth the same as they are: nothing is to be bid."
    fresh = "" if found.fresh is None else f" (on fresh dice {_interval(found.fresh, found.whole)})"
    price = f"{number} {_signed(found.price.value, found.whole)}"
    if (found.bid or 0) > 0:
        return f"The bid at which going first and second are worth the same: {price}{fresh}."
    return f"Going first is a burden; to be as good as going second it needs {price}{fresh}."


def _signed(steps: float, whole: bool, decimals: int = 2) -> str:
    text = show_fixed(steps if whole else 10 * steps, decimals if whole else 1) + ("" if whole else "%")
    return text if steps < 0 else f"+{text}"


def _interval(price: Estimate, whole: bool) -> str:
    return show_interval(price.low, price.high, lambda steps: _signed(steps, whole))


def _change(one: Offer, number: str, whole: bool) -> str:
    if not one.steps:
        return "nothing changed"
    return f"{number} {show_step(one.steps) if whole else f'{show_step(10 * one.steps)}%'}"


def _even(one: Offer, found: Bid) -> str:
    return "yes" if one.score.is_within(found.band) else "no"


def as_json(loaded: LoadedGame, found: Bid, query: Query, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import estimate_json, known_json

    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.side_a, query.side_b]
        if query.side_a
        else list(dict.fromkeys(one.side_a for one in found.queries)),
        "changes": list(query.changes),
        "band": list(found.band),
        "score": estimate_json(found.score),
        "bid": {
            "side": found.payer,
            "field": found.field,
            "step": 1 if found.whole else "a tenth",
            "worth": found.bid,
            "change": known_json(found.price),
            "fresh": known_json(found.fresh),
            "measurable": found.has_effect,
            "offers": [
                {"change": one.steps, "score": estimate_json(one.score), "even": _even(one, found) == "yes"}
                for one in found.offers
            ],
            "left_out": found.n_without,
        },
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }

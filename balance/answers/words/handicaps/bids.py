"""What `handicap --bid` says: how much of a number pays for going first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.analysis.changes.handicaps.bids import Bid, Offer
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.handicaps.common import basis, changes_line, score_text
from balance.base.numbers import show_fixed, show_interval, show_many, show_step

SEATS = "a is whoever goes first, b whoever goes second; .27 of a step is one step more in 27 of 100 games."


def sentence(bid: Bid, terms: Terms) -> str:
    """Return what going first scores, of one match-up or over a field, and what it is worth."""
    pair = f"both seats of {' against '.join(bid.entrants)}"
    over = pair if bid.match_ups is None else show_many(bid.match_ups, "match-up")
    return f"Over {over} going first scores {score_text(bid.score)}. {_price_text(bid)}"


def tables(bid: Bid) -> Mapping[str, Records]:
    """Return the score of going first at each bid, in steps of the number that pays it."""
    return {"bids": Records(Offer, bid.offers)}


def _body(bid: Bid, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the score of going first at each bid, and how many match-ups have no such number."""
    if len(bid.offers) > 1:
        rows = [(_change(offer, bid), score_text(offer.score), "yes" if offer.even else "no") for offer in bid.offers]
        yield grid(["bid", "going first scores", "even"], rows, right=("going first scores",))
    if bid.left_out:
        left_out = show_many(bid.left_out, "match-up")
        yield plain(f"{left_out} left out: no single {bid.field} to pay with.", "aside", gap=True)
    yield plain(SEATS, "aside")


def _price_text(bid: Bid) -> str:
    """Return the bid at which going first scores one half, or that none does, in a sentence."""
    number = f"{bid.payer}.{bid.field}"
    if not bid.measurable:
        return f"Not measurable here: no change of {number} changes anything."
    if bid.price is None:
        last, score = _change(bid.nearest, bid), score_text(bid.nearest.score)
        return f"No bid that can be paid comes to one half; {last} comes nearest, going first then scores {score}."
    if not bid.worth:
        return "Going first and going second are worth the same as they are: nothing is to be bid."
    fresh = ""
    if bid.fresh is not None:
        fresh = f" (on fresh dice {show_interval(bid.fresh.low, bid.fresh.high, lambda steps: _signed(steps, bid))})"
    price = f"{number} {_signed(bid.price.value, bid)}"
    if bid.worth > 0:
        return f"The bid at which going first and second are worth the same: {price}{fresh}."
    return f"Going first is a burden; to be as good as going second it needs {price}{fresh}."


def _signed(steps: float, bid: Bid) -> str:
    text = show_fixed(steps) if bid.whole else f"{show_fixed(10 * steps, 1)}%"
    return text if steps < 0 else f"+{text}"


def _change(offer: Offer, bid: Bid) -> str:
    if not offer.steps:
        return "nothing changed"
    steps = show_step(offer.steps) if bid.whole else f"{show_step(10 * offer.steps)}%"
    return f"{bid.payer}.{bid.field} {steps}"


def _basis(bid: Bid, terms: Terms) -> str:
    return basis(bid, bid.score, f"{bid.score.n_trials:,} trials", terms)


WORDS = AnswerWords.alike(sentence, _body, _basis, tables, changes_line)

"""What `fit` says: whether players agree with the simulation, what foretells their games, and which cards play else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid, interval_cell, number_cell
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.playtests.sentences import signed
from balance.base.errors import comma_list
from balance.base.numbers import show_fixed, show_interval, show_many, show_probability
from balance.playtests.people.agreement import Agreement, CardResidual, Forecast, Interval, PairFit
from balance.playtests.people.predictions import NOISE

FIRST_CARDS, MOST_CARDS = 6, 40
SENTENCES = {
    "agree": "Your players agree with the simulation",
    "less extreme": "Your players' results are less extreme than the simulation",
    "more extreme": "Your players' results are more extreme than the simulation",
    "foretells nothing": "The simulation does not foretell these games",
    "runs against": "Your players' results run against the simulation",
    "cannot tell": "This log cannot tell whether your players agree with the simulation",
}
"""What the interval of the slope says -> how a sentence of it begins."""
METHOD = (
    "The slope is that of a logistic regression of the result, draws apart, on the simulated log-odds, with players as "
    "random effects; errors are the model's, or those by event or by player where these are more. "
    "Gaps are those beside the slope."
)


def sentence(fit: Agreement, terms: Terms) -> str:
    """Return whether players agree, with the slope and its interval, and how many games would tell."""
    more = f": about {show_many(fit.games_needed, 'game')} would" if fit.verdict == "cannot tell" else ""
    return f"{SENTENCES[fit.verdict]} ({_slope(fit.slope)}){more}."


def tables(fit: Agreement) -> Mapping[str, Records]:
    """Return what foretells the games, the entrants against the simulation, and every pair."""
    cards = Records(CardResidual, fit.cards, "entrant")
    return {"fit": Records(Forecast, fit.forecasts, "forecast"), "cards": cards, "pairs": Records(PairFit, fit.pairs)}


def _slope(slope: Interval) -> str:
    return f"slope {show_fixed(slope[0])}, {show_interval(slope[1], slope[2], show_fixed)}"


def _body(fit: Agreement, terms: Terms, more: bool) -> Iterator[Block]:
    scores = [(name, show_fixed(it.brier, 3), show_fixed(it.log_loss, 3)) for name, it in fit.forecasts.items()]
    yield grid(["foretold by", "Brier", "log loss"], scores, right=("Brier", "log loss"))
    yield plain(_cards_text(fit, terms))
    rows = [
        (
            name,
            number_cell(card.effect, signed),
            interval_cell(card.low, card.high, signed),
            number_cell(card.games, lambda n: f"{n:g}"),
            number_cell(card.games_needed, lambda n: f"{n:,.0f}"),
        )
        for name, card in fit.cards.items()
    ]
    numbers = ("log-odds", f"{100 * fit.level:g}% at once", "games", "needed")
    yield grid([terms.entrant, *numbers], rows[: MOST_CARDS if more else FIRST_CARDS], right=numbers)
    yield from (plain(text, "aside") for text in (_method(fit) if more else ()))


def _cards_text(fit: Agreement, terms: Terms) -> str:
    """Return who plays otherwise than simulated and the slope of the rest, or that nobody could be told."""
    again = {True: ", by a fresh simulation too", False: ", but not by a fresh simulation", None: ""}
    named = [
        f"{name} ({signed(card.effect)} log-odds{again[card.is_confirmed]})"
        for name, card in fit.cards.items()
        if card.is_named
    ]
    if not named or fit.slope_beside is None:
        return f"No {terms.entrant} could be told from its simulation; needed: games that would tell such a gap."
    rest = f"beside it: {_slope(fit.slope_beside)}"
    return f"Otherwise than simulated: {comma_list(named)}; {rest}. Needed: games that would tell such a gap."


def _method(fit: Agreement) -> Iterator[str]:
    yield METHOD
    if fit.first_mover is not None:
        value, low, high = fit.first_mover
        yield f"Going first was worth {signed(value)} log-odds beyond it ({show_interval(low, high, signed)})."
    if fit.trials:
        left = "; the slope is corrected for it" if fit.noise > NOISE else ""
        trials = show_many(fit.trials, "trial")
        yield f"Each meeting was simulated with {trials}: {show_probability(fit.noise)} of the log-odds is noise{left}."
    if fit.bounded_games:
        yield f"Chances below 0.1% or above 99.9%, of {show_many(round(fit.bounded_games), 'game')}, count as that."
    yield from (*fit.log.notes, "This is an association in these games, not a cause.")


def _basis(fit: Agreement, terms: Terms) -> str:
    return terms.rests_on(f"{fit.kind} {'simulated' if fit.trials else 'exact'}, {show_many(round(fit.games), 'game')}")


WORDS = AnswerWords.alike(sentence, _body, _basis, tables)

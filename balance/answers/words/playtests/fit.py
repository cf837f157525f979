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
from balance.playtests.people.agreement import Agreement, CardResidual, Forecast, PairFit

FIRST_CARDS, MOST_CARDS = 6, 40
"""Entrants on the first screen, and at most."""
SENTENCES = {
    "agree": "Your players agree with the simulation",
    "less extreme": "Your players' results are less extreme than the simulation",
    "more extreme": "Your players' results are more extreme than the simulation",
    "foretells nothing": "The simulation does not foretell these games",
    "runs against": "Your players' results run against the simulation",
    "cannot tell": "This log cannot tell whether your players agree with the simulation",
}
"""What the interval of the slope says -> how a sentence of it begins."""


def sentence(fit: Agreement, terms: Terms) -> str:
    """Return whether players agree, with the slope and its interval, and how many games would tell."""
    slope = f"slope {show_fixed(fit.slope)}, {show_interval(fit.low, fit.high, show_fixed)}"
    more = f": about {show_many(fit.games_needed, 'game')} would" if fit.verdict == "cannot tell" else ""
    return f"{SENTENCES[fit.verdict]} ({slope}){more}."


def tables(fit: Agreement) -> Mapping[str, Records]:
    """Return what foretells the games, the entrants against the simulation, and every pair."""
    return {
        "fit": Records(Forecast, fit.forecasts, "forecast"),
        "cards": Records(CardResidual, fit.cards, "entrant"),
        "pairs": Records(PairFit, fit.pairs),
    }


def _body(fit: Agreement, terms: Terms, more: bool) -> Iterator[Block]:
    scores = ("Brier", "log loss")
    rows = [(name, show_fixed(it.brier, 3), show_fixed(it.log_loss, 3)) for name, it in fit.forecasts.items()]
    yield grid(["foretold by", *scores], rows, right=scores)
    yield plain(_cards_text(fit, terms))
    numbers = ("log-odds", f"{100 * fit.level:g}% at once", "games", "needed")
    yield grid(
        [terms.entrant, *numbers],
        [
            (
                name,
                number_cell(card.effect, signed),
                interval_cell(card.low, card.high, signed),
                number_cell(card.games, lambda n: f"{n:g}"),
                number_cell(card.games_needed, lambda n: f"{n:,.0f}"),
            )
            for name, card in [*fit.cards.items()][: MOST_CARDS if more else FIRST_CARDS]
        ],
        right=numbers,
    )
    if fit.first_mover is not None:
        value, low, high = fit.first_mover
        yield plain(f"Going first was worth {signed(value)} log-odds beyond it ({show_interval(low, high, signed)}).")
    yield from (plain(text, "aside") for text in (_method(fit) if more else ()))


def _cards_text(fit: Agreement, terms: Terms) -> str:
    """Return who plays otherwise than simulated and the slope of the rest, or that nobody could be told."""
    named = [_named_text(name, card) for name, card in fit.cards.items() if card.is_named]
    if not named or fit.slope_beside is None:
        return f"No {terms.entrant} could be told from its simulation; needed: games that would tell such a gap."
    slope, low, high = fit.slope_beside
    rest = f"the slope beside is {show_fixed(slope)}, {show_interval(low, high, show_fixed)}"
    return f"Otherwise than simulated: {comma_list(named)}; {rest}. Needed: games that would tell such a gap."


def _named_text(name: str, card: CardResidual) -> str:
    again = {True: ", by a fresh simulation too", False: ", but not by a fresh simulation", None: ""}
    return f"{name} ({signed(card.effect)} log-odds{again[card.is_confirmed]})"


def _method(fit: Agreement) -> Iterator[str]:
    players = f"players spread by {show_fixed(fit.player_sd)} log-odds" if fit.player_sd else "no players are named"
    yield (
        f"The slope is that of a logistic regression of the result on the simulated log-odds ({players}); errors are "
        "the largest of the model's, by event and by player. Drawn games count for the scores alone. Ratings alone "
        "foretell each game from other events. Each gap is that beside the slope."
    )
    if fit.trials:
        left = "; the slope is corrected for it" if fit.is_corrected else ""
        trials = show_many(fit.trials, "trial")
        yield f"Each meeting was simulated with {trials}: {show_probability(fit.noise)} of the log-odds is noise{left}."
    if fit.bounded_games:
        games = show_many(round(fit.bounded_games), "game")
        yield f"In {games} a chance below 0.1% or above 99.9% was taken for that."
    if fit.left_out:
        yield f"There is too much to tell apart: {fit.left_out}."
    yield "This is an association in these games, not a cause."


def _basis(fit: Agreement, terms: Terms) -> str:
    return terms.rests_on(f"{fit.kind} {'simulated' if fit.trials else 'exact'}, {show_many(round(fit.games), 'game')}")


WORDS = AnswerWords.alike(sentence, _body, _basis, tables)

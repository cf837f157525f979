"""Goofspiel solved: values and bids that others have published, and a twin that solves one program per deal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chance.solvers.arrays import solve_layers
from tests.chance.solvers.goofspiel import Cards, Deal, Goofspiel, Worth, full, points, twin, victory
from tests.chance.solvers.responding import certify

FIVE_ONE = [((1, 2, 3, 4), (2, 3, 4, 5), prize) for prize in (4, 3, 2, 1)]
"""Five cards; the row player has won the 5 with bids of 5 against 1; what is turned up next."""


def test_five_cards_after_the_first_prize_as_published() -> None:
    """Don's "Five-Card Partial Results" (icynic.com/~don/psych5.html), exact fractions; a win counts 1, a loss -1."""
    starts = [Deal(mine, theirs, (1, 2, 3, 4), prize, 5) for mine, theirs, prize in FIVE_ONE]
    solution = solve_layers(Goofspiel(starts, victory).build())
    published = [0, -253 / 44948, 653 / 101043, -75237 / 1017724]
    assert solution.values[:4] == pytest.approx(published, abs=1e-12)
    assert solution.exploitability < 1e-12


def test_bids_for_the_3_after_the_5_as_published() -> None:
    """The same source: how the loser of the 5 and its winner bid for the 3."""
    deal = Deal((1, 2, 3, 4), (2, 3, 4, 5), (1, 2, 3, 4), 3, 5)
    solution = solve_layers(Goofspiel([deal], victory).build())
    assert solution.row_policies[0][0] == pytest.approx([44695 / 89896, 0, 0, 45201 / 89896], abs=1e-9)
    assert solution.column_policies[0][0] == pytest.approx([0, 0, 40565 / 44948, 4383 / 44948], abs=1e-9)


@pytest.mark.slow
def test_first_bid_for_the_5_as_published() -> None:
    """`cpp-solver/results.txt` of matttang27/GOPSsolver, to the six digits printed there."""
    solution = solve_layers(Goofspiel(full(5, (5,)), victory).build())
    published = [0.144423, 0.0153536, 0, 0, 0.840223]
    assert solution.row_policies[0][0] == pytest.approx(published, abs=1e-6)
    assert solution.values[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("worth", [points, victory])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_fair_game_is_worth_nothing_and_its_policies_are_unbeatable(n: int, worth: Worth) -> None:
    solution = solve_layers(Goofspiel(full(n), worth).build())
    assert solution.values[:n] == pytest.approx(np.zeros(n), abs=1e-12)
    assert solution.converged
    assert solution.exploitability < 1e-12


@pytest.mark.parametrize("worth", [points, victory])
@pytest.mark.parametrize(
    ("mine", "theirs", "prizes"), [((1, 2, 4), (1, 3, 4), (2, 3, 4)), ((2, 3, 5), (1, 2, 5), (1, 3, 5))]
)
def test_unequal_hands_against_one_program_per_deal(mine: Cards, theirs: Cards, prizes: Cards, worth: Worth) -> None:
    starts = [Deal(mine, theirs, prizes, prize, 1) for prize in prizes]
    game = Goofspiel(starts, worth)
    solution = solve_layers(game.build())
    value = twin(worth)
    assert solution.values == pytest.approx([value(deal) for deal in game.index], abs=1e-9)


def test_always_bidding_the_prize_is_exploited() -> None:
    """Negative control: with four cards it is no equilibrium, and the certificate says by how much it is beaten."""
    maker = Goofspiel(full(4), points)
    game = maker.build()
    solution = solve_layers(game)
    naive = [np.zeros_like(policy) for policy in solution.row_policies]
    firsts = np.cumsum([0, *game.layer_sizes])
    for deal, index in maker.index.items():
        layer = int(np.searchsorted(firsts, index, side="right")) - 1
        card = min(deal.mine, key=lambda mine: (abs(mine - deal.prize), mine))
        naive[layer][index - firsts[layer], deal.mine.index(card)] = 1.0
    certificate = certify(game, naive, solution.column_policies)
    # Bidding the prize itself loses 3, 2 and 1 to bids of one more, and wins only the 4: -2 at every start.
    assert certificate.lower[:4] == pytest.approx(np.full(4, -2.0), abs=1e-12)
    assert certificate.exploitability == pytest.approx(2.0, abs=1e-9)

"""Three tests to begin with: it keeps its promises, an example of the rulebook, exact answers against dice."""

from __future__ import annotations

from balance import load
from balance.core import play_fixed
from balance.games import check_game

from balance.protocol.template.game import GAME, duel


def test_the_game_keeps_its_promises() -> None:
    assert check_game(GAME) == ()


def test_an_example_of_the_rulebook() -> None:
    """A knight throws 6, 4 and 1 at a scout with 2 health: two dice hit, and the scout falls at once."""
    setup = load(GAME).duel("knight", "scout", first="a").setup
    assert play_fixed(duel(setup, "literal")[0], {"a": [6, 4, 1]}) == {"winner": 1, "strikes": 1}


def test_the_exact_answer_is_what_dice_give() -> None:
    asked = load(GAME).duel("soldier", "knight")
    rolled = asked.simulate(trials=20_000, seed=1)
    assert rolled.agreement.p_value > 0.001

"""Three tests to begin with: it keeps its promises, an example of the rulebook, exact answers against dice."""

from __future__ import annotations

from balance import load
from balance.core import play_fixed
from balance.games import check_game

from balance.protocol.template.game import GAME, fight


def test_the_game_keeps_its_promises() -> None:
    assert check_game(GAME) == ()


def test_an_example_of_the_rulebook() -> None:
    """A knight throws 6, 4 and 4 at a scout with 3 health: all three dice hit, and the scout falls at once."""
    (process,) = fight(load(GAME).duel("knight", "scout", first="a").setup, "literal")
    assert play_fixed(process, {"a dice": [6, 4, 4]}) == {"winner": 1, "strikes": 1, "a_health": 6, "b_health": 0}


def test_the_exact_answer_is_what_dice_give() -> None:
    asked = load(GAME).ask("battle", "screen", "vanguard", policy_a="bold", policy_b="finisher")
    assert asked.simulate(trials=20_000, seed=1).agreement.p_value > 0.001

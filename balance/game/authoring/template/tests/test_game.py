"""Three tests to begin with: it keeps its promises, an example of the rulebook, exact answers against dice."""

from __future__ import annotations

import unittest

from balance import load
from balance.game import play_fixed
from balance.games import check_game

from balance.game.authoring.template.game import GAME, fight


class TestGame(unittest.TestCase):
    """What the rules must do; each method is a test, and a new one goes below the others."""

    def test_the_game_keeps_its_promises(self) -> None:
        """Everything that the toolkit relies on is so; what is not, is told."""
        self.assertEqual(check_game(GAME), ())

    def test_an_example_of_the_rulebook(self) -> None:
        """A knight throws 6, 4 and 4 at a scout with 3 health: all three dice hit, and the scout falls at once."""
        (process,) = fight(load(GAME).duel("knight", "scout", first="a").setup, "literal")
        ended = {"winner": 1, "strikes": 1, "a_health": 6, "b_health": 0}
        self.assertEqual(play_fixed(process, {"a dice": [6, 4, 4]}), ended)

    def test_the_exact_answer_is_what_dice_give(self) -> None:
        """Simulated battles are as often won as the exact answer says, but for luck."""
        asked = load(GAME).ask("battle", "screen", "vanguard", policy_a="bold", policy_b="finisher")
        self.assertGreater(asked.simulate(trials=20_000, seed=1).agreement.p_value, 0.001)

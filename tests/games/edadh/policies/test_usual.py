"""How sides play where nothing is said: with care, in every kind of question, and better than at random.

A result at random tells little of the armies: whoever plays well does not lose as those do who play anything.
"""

from __future__ import annotations

import pytest

from balance.game.loaded import load
from balance.games.edadh import GAME
from balance.games.edadh.policies.players import PLAYERS, USUAL, player
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.solving.training import moves_of
from balance.study.frames.report_settings import load_settings
from balance.study.frames.report_tables import TablePlan

EDADH = load("edadh")
MATCH_UPS = [
    ("angueth_learning", "huaos_dzaa_learning"),
    ("huaos_dzaa_learning", "huaos_dzaa_learning"),
    ("angueth_terrain", "huaos_dzaa_terrain"),
    ("angueth_warband", "huaos_dzaa_warband"),
    ("archers:2/shieldsmen", "spears:3/swords"),
]
DUELS = 4_000
ERRORS = 4.0
"""Standard errors that count as a difference: equal players are told apart in one check of 16,000, each way counted."""


@pytest.mark.parametrize("name", GAME.kinds)
@pytest.mark.parametrize("side", "ab")
def test_nobody_plays_at_random_unless_told_to(name: str, side: str) -> None:
    question = EDADH.ask(name, *MATCH_UPS[0])
    usual = next(iter(GAME.kinds[name].policies[f"policy_{side}"].options))
    assert (usual, question.setup.inputs["choices"][f"policy_{side}"]) == (USUAL, USUAL) == ("cautious", "cautious")
    assert question.setup.duel.policies["ab".index(side)] == player(EDADH.catalogue, "cautious")
    assert not isinstance(question.setup.duel.policies["ab".index(side)], Uniform)


def lead(entrants: tuple[str, str], side: str, name: str) -> float:
    """Return what a player scores more than one at random in the same seat, against random, in standard errors."""
    scores = []
    for seed, own in enumerate((name, "random")):
        choices = {"policy_a": "random", "policy_b": "random", f"policy_{side}": own}
        won = EDADH.ask("duel", *entrants, **choices).simulate(DUELS, seed=seed, lane="compiled").p_win()
        scores.append((won[side] + won["draw"] / 2, won[side] + won["draw"] / 4))
    spread = sum(square - score**2 for score, square in scores)
    return float((scores[0][0] - scores[1][0]) / (spread / DUELS) ** 0.5)


@pytest.mark.parametrize("entrants", MATCH_UPS, ids="-".join)
@pytest.mark.parametrize("side", "ab")
def test_the_usual_player_beats_a_random_one_from_either_seat(entrants: tuple[str, str], side: str) -> None:
    assert lead(entrants, side, USUAL) > ERRORS
    assert abs(lead(entrants, side, "random")) < ERRORS, "whom this cannot tell from itself"


def test_what_positions_are_worth_does_not_depend_on_who_plays() -> None:
    plays = [EDADH.ask("duel", "spears", "shieldsmen", policy_a=a, policy_b=b).setup.duel
             for a, b in (("cautious", "cautious"), ("low", "adaptive"), ("random", "high"))]  # fmt: skip
    assert [moves_of(duel).duel.policies for duel in plays] == [(Uniform(), Uniform())] * 3
    assert Uniform() == player(EDADH.catalogue, "random")
    assert all(not any(moves_of(duel).duel.has_counted_cards) for duel in plays)


def test_the_table_of_players_keeps_its_order() -> None:
    assert list(PLAYERS)[:2] == ["random", "random-noretire"]
    assert list(EDADH.ask("duel", "spears", "shieldsmen").setup.players) == list(PLAYERS)


def test_every_table_of_the_report_says_how_both_sides_play() -> None:
    """So that what is published does not hang on who plays where nothing is said."""
    plan = TablePlan.of(EDADH, load_settings(EDADH))
    asked = [query for part in plan.tables for cell in part.cells for query in cell.asks]
    assert len(asked) > 400
    assert {name for query in asked for name in ("policy_a", "policy_b") if name not in dict(query.choices)} == set()

"""The answer is one object, for notebooks as for the command line."""

from __future__ import annotations

import json

import pytest

import balance as toolkit
from balance.errors import UsageError
from balance.protocol.question import SIMULATED_TRIALS
from tests.cli.conftest import Command, balance, plain_surroundings  # noqa: F401 - fixtures

PAIR = ("nexus+assault_rifle", "trooper+shotgun")


def test_it_says_what_the_command_prints(balance: Command) -> None:  # noqa: F811
    told = json.loads(balance("duel", "warforged", *PAIR, "--first", "a", "--trials", "5000", "--json").out)
    found = toolkit.load("warforged").duel(*PAIR, first="a").answer(trials=5000)
    assert found.exact is not None and found.simulated is not None and found.agreement is not None
    assert found.question.p_win(found.exact) == pytest.approx(told["exact"]["p_win"])
    assert {name: list(ends) for name, ends in found.simulated.p_win_interval().items()} == (
        told["simulated"]["interval"]["p_win"]
    )
    assert found.agreement.p_value == told["agreement"]["p_value"]
    advantage = {side: mover.advantage for side, mover in found.first_movers.items()}
    assert advantage == {side: facts["advantage"] for side, facts in told["first_mover"].items()}
    assert (found.partial, found.notes, found.habits, found.kill, found.exchange) == (False, (), (), None, None)


def test_an_attack_is_answered_with_the_actions_to_kill() -> None:
    found = toolkit.load("warforged").attack("nexus+shotgun", "trooper", {"defender.armour": 1}).answer()
    assert found.kill is not None and found.kill.changes == ("defender.armour=1",)
    assert found.notes == ("defender.armour=1 is so already",)
    assert (found.simulated, found.agreement) == (None, None)


def test_losses_on_both_sides_are_an_exchange() -> None:
    found = toolkit.load("battlelore").ask("combat", "blue_mounted", "dwarf_blue_foot").answer()
    assert found.exchange is not None and found.exact is not None
    assert found.exchange.means == pytest.approx([found.exact.mean(column) for column in found.exchange.columns])


def test_where_there_is_no_exact_distribution_a_simulation_has_to_do() -> None:
    question = toolkit.load("edadh").ask("duel", "spears", "shieldsmen")
    found = question.answer(seed=3)
    assert found.exact is None and found.simulated is not None and found.distribution is found.simulated.distribution
    assert (found.simulated.n_trials, found.simulated.seed) == (SIMULATED_TRIALS, 3)
    assert {habits.seed for habits in found.habits} == {3}
    assert question.answer(trials=64, seed=3).distribution == question.simulate(64, seed=3).distribution


def test_a_budget_that_makes_no_sense_is_refused_before_anything_is_worked_out() -> None:
    shot = toolkit.load("warforged").attack("nexus+shotgun", "trooper")
    for wrong in ({"trials": 10, "half_width": 0.1}, {"trials": 0}, {"half_width": 0.1}, {"seed": -1}):
        with pytest.raises(UsageError):
            shot.answer(**wrong)
    assert "_distribution" not in vars(shot)


def test_it_shows_itself_in_text_and_in_a_notebook() -> None:
    found = toolkit.load("warforged").duel(*PAIR, first="a").answer(trials=1000)
    assert "a wins: 92.82% exactly, " in str(found) and "in 1,000 trials" in str(found)
    page = found._repr_html_()
    assert "<td>a wins</td><td>92.82%</td>" in page and "simulated, 1,000 trials" in page
    assert "simulated" not in toolkit.load("warforged").duel(*PAIR).answer()._repr_html_()

"""The answer is one object, for notebooks as for the command line."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest

import balance as toolkit
from balance.base.errors import DistributionError, UsageError
from balance.base.numbers import show_fixed, show_interval, show_probability
from balance.chance.pmf import Pmf
from balance.game.question.answer import Exchange, answer, exchange_of
from balance.game.question.choices import Budget
from balance.game.question.findings import FirstMover
from balance.game.question.question import SIMULATED_TRIALS, Question, Sample
from balance.game.question.sentence import probabilities
from tests.cli.conftest import Command, balance, plain_surroundings  # noqa: F401 - fixtures
from tests.toy.game import GAME as TOY

PAIR = ("nexus+assault_rifle", "trooper+shotgun")


def test_it_says_what_the_command_prints(balance: Command) -> None:  # noqa: F811
    told = json.loads(balance("duel", "warforged", *PAIR, "--first", "a", "--trials", "5000", "--json").out)
    found = answer(toolkit.load("warforged").duel(*PAIR, first="a"), Budget(trials=5000))
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
    found = answer(toolkit.load("warforged").attack("nexus+shotgun", "trooper", {"defender.armour": 1}))
    assert found.kill is not None and found.kill.changes == ("defender.armour=1",)
    assert found.notes == ("defender.armour=1 is so already",)
    assert (found.simulated, found.agreement) == (None, None)


def test_losses_on_both_sides_are_an_exchange() -> None:
    found = answer(toolkit.load("battlelore").ask("combat", "blue_mounted", "dwarf_blue_foot"))
    assert found.exchange is not None and found.exact is not None
    assert found.exchange.means == pytest.approx([found.exact.mean(column) for column in found.exchange.columns])


def test_where_there_is_no_exact_distribution_a_simulation_has_to_do() -> None:
    question = toolkit.load("edadh").ask("duel", "spears", "shieldsmen")
    found = answer(question, Budget(seed=3))
    assert found.exact is None and found.simulated is not None and found.distribution is found.simulated.distribution
    assert (found.simulated.n_trials, found.simulated.seed) == (SIMULATED_TRIALS, 3)
    assert {habits.seed for habits in found.habits} == {3}
    assert answer(question, Budget(trials=64, seed=3)).distribution == question.simulate(64, seed=3).distribution


def test_a_budget_that_makes_no_sense_is_refused_before_anything_is_worked_out() -> None:
    shot = toolkit.load("warforged").attack("nexus+shotgun", "trooper")
    for wrong in ({"trials": 10, "half_width": 0.1}, {"trials": 0}, {"half_width": 0.1}, {"seed": -1}):
        with pytest.raises(UsageError):
            answer(shot, Budget(**wrong))
    assert "_distribution" not in vars(shot)


def test_it_shows_itself_in_text_and_in_a_notebook() -> None:
    found = answer(toolkit.load("warforged").duel(*PAIR, first="a"), Budget(trials=1000))
    assert "a wins: 92.82% exactly, " in str(found) and "in 1,000 trials" in str(found)
    page = found._repr_html_()
    assert "<td>a wins</td><td>92.82%</td>" in page and "simulated, 1,000 trials" in page
    assert "simulated" not in answer(toolkit.load("warforged").duel(*PAIR))._repr_html_()


def test_as_a_page_and_as_text_it_tells_the_same() -> None:
    duel = toolkit.load(TOY).duel("knight", "rat", {"b.health": 9}, first="b")
    result = answer(duel, Budget(trials=2000))
    for found in (answer(duel), result, replace(result, exact=None)):
        page = found._repr_html_()
        rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
        heads = ["", *(["exact"] if found.exact is not None else [])]
        heads += ["simulated, 2,000 trials"] if found.simulated is not None else []
        assert rows[0] == heads
        title, *lines = str(found).splitlines()
        assert title == "Skirmish: duel, knight against rat"
        assert f"<caption>{title}</caption>" in page
        assert [what for what, *_ in rows[1:]] == ["a wins", "b wins", "draw", "mean strikes"]
        for (what, *cells), line in zip(rows[1:], lines, strict=True):
            marks = [" exactly"] if found.exact is not None else []
            marks += [" in 2,000 trials"] if found.simulated is not None else []
            assert line == f"{what}: {', '.join(cell + mark for cell, mark in zip(cells, marks, strict=True))}"


def test_each_number_that_is_told_is_that_of_the_distribution_or_of_the_trials() -> None:
    found = answer(toolkit.load(TOY).duel("knight", "rat", {"b.health": 9}, first="b"), Budget(trials=2000))
    assert found.exact is not None and found.simulated is not None
    chances, ends = found.question.p_win(), found.simulated.p_win_interval()
    expected = [
        f"{who}: {show_probability(chances[name], 2)} exactly, "
        f"{show_interval(*ends[name], show=show_probability)} in 2,000 trials"
        for name, who in (("a", "a wins"), ("b", "b wins"), ("draw", "draw"))
    ]
    mean, swing = show_interval(*found.simulated.mean_interval("strikes"), show_fixed), found.simulated.swing("strikes")
    assert swing is not None and found.swing["strikes"] is not None
    exact = f"{show_fixed(found.exact.mean('strikes'), 4)} (swing {found.swing['strikes']:.3f})"
    simulated = f"{mean} (swing {show_interval(swing.low, swing.high, show_fixed)})"
    expected += [f"mean strikes: {exact} exactly, {simulated} in 2,000 trials"]
    assert str(found).splitlines()[1:] == expected


def test_what_going_first_is_worth_is_the_difference_between_first_and_second() -> None:
    toys = toolkit.load(TOY)
    duel = toys.duel("knight", "rat", {"b.health": 9})
    chances = {side: toys.duel("knight", "rat", {"b.health": 9}, first=side).p_win() for side in "ab"}
    movers = answer(duel).first_movers
    assert movers == {
        "a": FirstMover(chances["a"]["a"], chances["b"]["a"]),
        "b": FirstMover(chances["b"]["b"], chances["a"]["b"]),
    }
    assert movers["a"].advantage == chances["a"]["a"] - chances["b"]["a"] > 0
    assert answer(toys.attack("knight", "rat")).first_movers == {}


def test_an_exchange_is_the_joint_distribution_of_two_columns() -> None:
    kind = toolkit.load("battlelore").definition.kinds["combat"]
    assert kind.exchange is not None
    one, other = kind.exchange
    found = exchange_of(kind, Pmf.of({(2, 0): 1, (0, 1): 3, (2, 1): 4}, (one, other)))
    assert found == Exchange((one, other), {(0, 1): 0.375, (2, 0): 0.125, (2, 1): 0.5})
    assert found is not None
    assert found.marginals == ({0: 0.375, 2: 0.625}, {0: 0.125, 1: 0.875})
    assert found.means == (1.25, 0.875)
    assert exchange_of(toolkit.load(TOY).definition.kinds["duel"], Pmf.of({1: 1}, "winner")) is None


def test_the_values_of_a_column_rise_and_their_chances_sum_to_one() -> None:
    found = probabilities(Pmf.of({(3, 0): 1, (1, 0): 2, (3, 1): 1}, ("x", "y")), "x")
    assert list(found.items()) == [(1, 0.5), (3, 0.5)]
    assert math.fsum(probabilities(Pmf.of({1: 0.3, 2: 0.3}, "x"), "x").values()) == 1


def test_what_was_changed_to_no_effect_is_noted_also_of_who_goes_first() -> None:
    toys = toolkit.load(TOY)
    same = toys.duel("knight", "rat", {"a.health": toys.catalogue.tables["fighters"]["knight"].model_dump()["health"]})
    assert len(answer(same).notes) == 1
    assert answer(same).notes[0].endswith("is so already")
    assert answer(toys.duel("knight", "rat")).notes == ()
    name = toys.duel("knight", "rat", {"a.name": "Sir"}, first="a")
    assert answer(name).notes == ("a.name=Sir changes no outcome here",)


def test_a_distribution_that_is_too_large_is_noted_with_the_reason() -> None:
    duel = toolkit.load(TOY).duel("knight", "rat")
    vars(duel)["_distribution"] = DistributionError("more than enough states")
    found = answer(duel, Budget(trials=100))
    assert found.notes == ("simulated, since the exact distribution is too large: more than enough states",)
    assert (found.exact, found.kill, found.first_movers, found.agreement) == (None, None, {}, None)
    assert answer(duel).simulated is not None


def test_a_simulation_may_be_had_in_another_way_and_be_less_than_was_asked_for() -> None:
    duel, asked = toolkit.load(TOY).duel("knight", "rat"), list[Budget]()

    def sampler(question: Question, budget: Budget) -> tuple[Sample, bool]:
        asked.append(budget)
        return question.simulate(10), True

    budget = Budget(1000, None, 7, "compiled", 2)
    found = answer(duel, budget, sampler)
    assert asked == [budget]
    assert (found.partial, found.seed, found.simulated and found.simulated.n_trials) == (True, 7, 10)
    whole = answer(duel, budget)
    assert whole.simulated is not None
    assert (whole.partial, whole.simulated.lane, whole.simulated.seed) == (False, "compiled", 7)
    assert whole.simulated.distribution == duel.simulate(1000, seed=7, lane="compiled").distribution

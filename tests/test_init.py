"""The public names: what they are, and that `import balance` loads none of them."""

from __future__ import annotations

import importlib
import subprocess
import sys
from dataclasses import replace

import pytest

import balance

PUBLIC = {
    "Answer": "balance.game.question.answer",
    "BalanceError": "balance.base.errors",
    "LoadedGame": "balance.game.loaded",
    "Pmf": "balance.chance.pmf.pmf",
    "Question": "balance.game.question.question",
    "Sample": "balance.game.question.question",
    "die": "balance.chance.pmf.pmf",
    "load": "balance.game.loaded",
    "mixture": "balance.chance.pmf.pmf",
    "never_worth_taking": "balance.analysis.dominance.undominated",
    "pool": "balance.chance.pmf.pools",
    "rating_table": "balance.analysis.scores.field",
    "score_table": "balance.analysis.scores.scores",
}


def test_every_public_name_is_what_its_module_holds() -> None:
    assert set(PUBLIC) <= set(balance.__all__)
    assert balance.__all__ == sorted(balance._HOME) == dir(balance)
    for name, home in PUBLIC.items():
        assert getattr(balance, name) is getattr(importlib.import_module(home), name), name


@pytest.mark.parametrize("name", sorted(set(balance.__all__) - set(PUBLIC)))
def test_every_verb_can_be_called_by_its_name(name: str) -> None:
    verb = getattr(balance, name)
    assert callable(verb)
    assert verb.__name__.rpartition(".")[2] == name


def test_another_name_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError) as caught:
        balance.lode  # noqa: B018
    assert str(caught.value) == "module 'balance' has no attribute 'lode'"


def test_importing_balance_loads_nothing_of_it() -> None:
    program = "import sys, balance; print(*sorted(name for name in sys.modules if name.split('.')[0] == 'balance'))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["balance"]


def test_what_a_notebook_shows_is_short() -> None:
    game = balance.load("warforged")
    question = game.ask("duel", "nexus+shotgun", "trooper+shotgun")
    answer = balance.duel(game, "nexus+shotgun", "trooper+shotgun", trials=100).value
    armies = ",".join(f"{name}+shotgun:2" for name in ("nexus", "trooper", "vanguard")) * 3, "trooper"
    assert repr(replace(question, entrants=armies)).startswith("<question warforged duel: nexus+shotgun:2,trooper")
    assert max(len(repr(shown)) for shown in (game, question, answer, answer.simulated, answer.exact)) < 200


def test_a_game_at_a_prompt_is_a_line() -> None:
    game = repr(balance.load("warforged"))
    assert game.startswith("<game warforged: 89 entrants, catalogue ")
    assert len(game) < 60

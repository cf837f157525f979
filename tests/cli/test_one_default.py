"""The command, Python, a study and a report ask the same question where the same is said, and where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import balance as toolkit
from balance.base.errors import RulesError
from balance.engine.query import Query
from balance.game.authoring.template.game import GAME as TEMPLATE
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from balance.game.registry import GAMES
from balance.study.settings.tables import Variation
from balance.verbs.call.words import FIRST
from tests.cli.conftest import Command

Asked = Callable[..., Question]
"""asked("ask", "warforged", ...) -> the question that the command asks; nothing is worked out."""


@pytest.fixture
def asked(balance: Command, monkeypatch: pytest.MonkeyPatch) -> Asked:
    found: list[Question] = []

    def keep(question: Question, *_: Any) -> Question:
        found.append(question)
        return question

    monkeypatch.setattr("balance.game.question.answer.answer", keep)
    monkeypatch.setattr("balance.cli.commands.say_result", lambda *_: None)
    monkeypatch.setattr(
        "balance.verbs.questions._result", lambda _: SimpleNamespace(kept="", broken_limits=(), faults=())
    )
    monkeypatch.setattr(Question, "why_no_distribution", "")
    monkeypatch.setattr(
        "balance.game.registry.GAMES", GAMES | {"skirmishers": "balance.game.authoring.template.game:GAME"}
    )

    def ask(*words: str) -> Question:
        done = balance(*words)
        assert (done.status, done.err) == (0, "")
        return found.pop()

    return ask


def sides_of(loaded: LoadedGame, kind: str) -> tuple[str, str]:
    """Return two sides that may meet."""
    if pairs := loaded.pairs_of(kind):
        return loaded.both(kind, pairs[0], "")
    return loaded.entrants_of(kind)[0], loaded.others_of(kind)[0]


def everything(loaded: LoadedGame) -> Iterator[tuple[str, tuple[str, str], dict[str, str]]]:
    """Yield (kind, sides, what is said) for every kind of question: nothing, each who may go first, each choice."""
    for name, kind in loaded.definition.kinds.items():
        sides = sides_of(loaded, name)
        yield name, sides, {}
        yield from ((name, sides, {"first": first}) for first in kind.turn_orders)
        for choice, policy in kind.policies.items():
            yield from ((name, sides, {choice: option}) for option in policy.quick or policy.options)


@pytest.mark.parametrize("name", [*GAMES, TEMPLATE.name])
def test_the_same_words_ask_the_same_question_through_every_door(name: str, asked: Asked) -> None:
    loaded = toolkit.load(TEMPLATE if name == TEMPLATE.name else name)
    for kind, sides, said in everything(loaded):
        try:
            here = loaded.ask(kind, *sides, **said)
        except RulesError:  # what holds for one side may need the same of the other
            continue
        options = [
            word
            for choice, option in said.items()
            for word in (("--first", option) if choice == "first" else ("--choose", f"{choice}={option}"))
        ]
        choices = {choice: option for choice, option in said.items() if choice != "first"}
        query = Query(kind, *sides, (), said.get("first"), tuple(choices.items()))
        declared = Variation(one=sides[0], other=sides[1], first=said.get("first"), choices=choices)
        there = [asked("ask", name, kind, *sides, *options), query.to(loaded), declared.ask(kind, ()).to(loaded)]
        there += [asked(kind, name, *sides, *options)] if not said else []
        there += [getattr(loaded, kind)(*sides)] if not said and kind in ("attack", "kill", "duel") else []
        for other in there:
            assert (other.first, other.choices) == (here.first, here.choices), (kind, said)
            assert (other.task_id, other.inputs) == (here.task_id, here.inputs)


@pytest.mark.parametrize("name", [*GAMES, TEMPLATE.name])
def test_where_either_may_go_first_either_does_unless_it_is_said(name: str) -> None:
    loaded = toolkit.load(TEMPLATE if name == TEMPLATE.name else name)
    for kind in loaded.definition.kinds.values():
        question = loaded.ask(kind.name, *sides_of(loaded, kind.name))
        usual = next(iter(kind.turn_orders), "")  # an adventure says who begins
        assert question.first == kind.usual_first == (usual if usual == "adventure" else FIRST if usual else "")

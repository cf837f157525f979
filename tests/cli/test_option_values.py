"""A value that an option cannot take: what was found, what is allowed, in our words and not in those of a library."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from typer.main import get_command

from balance.cli.process.usage import UNBOUNDED, usage_message
from balance.cli.verbs import app
from balance.verbs.changes.pages import MOST_REACH
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command

ATTACK = ("attack", "warforged", "nexus+assault_rifle", "trooper")
LARGE = "9" * 5000


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*ATTACK, "--seed", "x"), "--seed: 'x' is not a whole number; allowed: a whole number from 0 to 2**128 - 1"),
        ((*ATTACK, "--seed", "1.5"), "--seed: '1.5' is not a whole number; allowed: a whole number from 0 to"),
        ((*ATTACK, "--seed", LARGE), "is not a whole number; allowed: a whole number from 0 to 2**128 - 1"),
        ((*ATTACK, "--half-width", "w"), "--half-width: 'w' is not a number; allowed: a number above 0 and below 0.5"),
        (("battle", "warforged", "a", "b", "--jobs", "0"), "--jobs: '0' is out of range; allowed: a whole number from"),
        (("price", "warforged", "-j", "x"), "--jobs: 'x' is not a whole number; allowed: a whole number from 1 to 256"),
        (
            ("price", "warforged", "--battles", "x"),
            "'x' is not a whole number; allowed: a whole number from 100 to 1,0",
        ),
        (("price", "warforged", "--battles", "9"), "--battles: '9' is out of range; allowed: a whole number from 100"),
        (("play", "warforged", "lineup", "--near", "nan"), "--near: 'nan' is out of range; allowed: a number of at"),
        (
            ("play", "warforged", "lineup", "--near", "x"),
            "--near: 'x' is not a number; allowed: a number of at least 0",
        ),
    ],
)
def test_what_was_found_and_what_is_allowed(balance: Command, words: tuple[str, ...], told: str) -> None:
    done = balance(*words)
    assert (done.status, done.out) == (2, "")
    assert told in done.err and len(done.err) < 300


def test_a_value_of_the_environment_names_its_variable(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALANCE_SEED", "x")
    assert "--seed or BALANCE_SEED: 'x' is not a whole number" in balance(*ATTACK).err


def values_refused(command: Any) -> list[str]:
    """Return what is said of a value that nobody means, for each option of a command that refuses it."""
    context, messages = typer.Context(command), list[str]()
    for option in command.params:
        if option.param_type_name == "option" and not option.is_flag:
            try:
                option.process_value(context, ("¿",) if option.multiple else "¿")
            except Exception as error:
                messages.append(usage_message(error))
    return messages


@pytest.mark.parametrize("verb", VERBS)
def test_no_option_answers_in_the_words_of_a_library(verb: str) -> None:
    group: Any = get_command(app)
    for message in values_refused(group.resolve_command(typer.Context(group), [verb])[1]):
        assert "Input should" not in message and "¿" in message


def test_ranges_that_a_verb_knows_are_those_it_holds_to() -> None:
    assert UNBOUNDED["reach"].endswith(f" {MOST_REACH}")

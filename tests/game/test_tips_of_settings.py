"""What a message about `--set` recommends is accepted: every field that can be set, of every kind of question.

Each field is set to nothing and to what nobody could mean; what the message allows is set next, and so on.
Within `MOST_STEPS` messages that ends in an answer, or in a rule that says why there is none with these cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.base.errors import BalanceError, Fault
from balance.catalogue.overrides import field_paths
from balance.catalogue.tables.columns import Column
from balance.game.question.question import Question, ask
from balance.game.registry import installed_games
from tests.game.test_controls import SKIRMISHERS, asked, every_kind

GARBAGE, MOST_STEPS = "¿?", 4
RULES = (
    "for adventures with Lore",  # and this one has none
    "only on units with the ability",  # a heavy weapon
    "choose one with a lower handling cost",  # and the loadout is what it is
    "tell the rounds if the goal is survive",  # two fields that must fit
    "take a map that has them",  # the objective of a battle
    "is only for a webbed unit",
    "say attacker.freed=true",  # a webbed unit, which is then freed
    "factions may mix",
    "has no ranged attack",
)
"""What a rule says of a value that is allowed as such and does not fit these cards."""


def fields(game: str) -> Iterator[tuple[Question, str, str, Column]]:
    """Yield every field of a game that can be set, once: a question about it, whose it is, its path and its column."""
    visited = set[tuple[type, str]]()
    for kind in (kind for owner, kind in every_kind() if owner == game):
        question = asked(game, kind)
        records = [("situation", question.kind.situation), ("rules", type(question.game.catalogue.rules))]
        records += [*zip(question.kind.sides, question.kind.stances, strict=True)]
        for side, role in zip(question.kind.sides, question.kind.takes, strict=True):
            records += [
                (f"{side}.{word}".rstrip("."), record) for word, record in role.fields.items() if word.islower()
            ]
        for root, record in records:
            for path, (name, column) in field_paths(record).items():
                if path == name and (record, path) not in visited:
                    visited.add((record, path))
                    yield question, root, path, column


def faults(question: Question, path: str, value: str) -> tuple[Fault, ...]:
    """Return what is wrong with a value of a field; nothing if it is accepted."""
    try:
        ask(question.game, question.kind.name, question.entrants, {path: value})
    except BalanceError as error:
        return tuple(error.faults)
    return ()


def recommended(fault: Fault) -> list[str]:
    """Return values that a message allows or recommends: the ends of a range, options, examples."""
    values = list[str]()
    allowed = fault.allowed.removeprefix("a list, each ").partition(": ")[0]
    if examples := re.search(r"such as (.+)$", f"{allowed}; {fault.tip}"):
        first = re.split(r" or |, | for |; ", examples[1])[0]
        values.append(first.partition("=")[2] or first)
    elif ends := re.search(r"(?:from |^)(-?[\d.]+) to (-?[\d.]+)", allowed):
        values += ends.groups()
    elif least := re.search(r"(?:at least|at most) (-?\d+)", allowed):
        values.append(least[1])
    elif allowed == "true or false":
        values += ["true", "false"]
    elif allowed and not allowed.startswith("a text"):
        values += allowed.removeprefix("any of ").split(", ")
    if nothing := re.search(r"say (\w+) for none", fault.tip):
        values.append(nothing[1])
    if meant := re.search(r"did you mean (\S+)\?", fault.tip):
        values.append(meant[1])
    return values


def dead_ends(question: Question, path: str, value: str, steps: int = 0) -> Iterator[str]:
    """Yield each message that does not lead on to a value that is accepted."""
    for fault in faults(question, path, value):
        text = str(fault)
        if any(rule in text for rule in RULES):
            continue
        values = recommended(fault)
        if steps == MOST_STEPS or (steps and not values):
            yield f"{question.kind.name} {path}={value}: {text}"
            return
        for better in values:
            yield from dead_ends(question, path, better, steps + 1)


GAMES = [*installed_games(), SKIRMISHERS]


@pytest.mark.parametrize("game", GAMES, ids=lambda name: Path(name).stem)
def test_an_empty_value_is_refused_with_what_to_say_instead(game: str) -> None:
    for question, root, path, column in fields(game):
        for fault in faults(question, f"{root}.{path}", ""):
            if "leave it as it is" in fault.message and column.kind == "flag":
                assert "true or false" in fault.tip
            for value in re.findall(r"say (\w+) for none", fault.tip):
                assert not [
                    other for other in faults(question, f"{root}.{path}", value)
                    if not any(rule in str(other) for rule in RULES)
                ], (path, value)  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda name: Path(name).stem)
def test_what_a_message_recommends_leads_to_an_answer(game: str) -> None:
    assert [
        text for question, root, path, _ in fields(game) for text in dead_ends(question, f"{root}.{path}", GARBAGE)
    ] == []


def test_surges_are_taken_away_by_the_word_of_the_tip() -> None:
    question = asked("runewars", "attack")
    (fault,) = faults(question, "attacker.surge_abilities", "")
    assert fault.tip == "say none for none of it, or leave it out"

"""An answer for people: what was asked, the exact distribution, what follows from it, and the simulation beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.answers.media.screens import RANDOM
from balance.answers.media.terminal import line
from balance.base.numbers import (
    NO_BREAK,
    show_points,
)
from balance.base.paths import short_path
from balance.base.text import one_line
from balance.catalogue import show_value
from balance.game.game import Lane
from balance.game.question.question import Question
from balance.game.question.sentence import name_and_cost

MOST_UNSEEN = 240
"""Characters of what cannot be seen that are printed in full."""
HOW_ROLLED: Mapping[Lane, str] = {
    "literal": "every die rolled (literal)",
    "compiled": "finished results looked up (compiled)",
}
WITHIN = range(1, 9)
LOW, MIDDLE, LATE = 0.05, 0.5, 0.99
AGREES, DISAGREES = 0.01, 1e-6
"""From which p-value on a simulation is said to agree, and below which to disagree."""


# -- what was asked ---------------------------------------------------------------------------------------------------


def question_table(question: Question, choices: Sequence[Text] | None = None) -> RenderableType:
    """Return the sides with costs, who goes first, changes, policies, rule options and the catalogue, a line each.

    `choices` stand in place of the policies that the question was asked with.
    """
    catalogue = question.game.catalogue
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(overflow="fold")
    for side, entrant in zip(question.kind.sides, question.entrants, strict=True):
        name, cost = name_and_cost(question, side, entrant)
        costs = f", {show_points(cost, question.game.words.points).replace(NO_BREAK, ' ')}" if cost else ""
        grid.add_row(f"  {side}", f"{one_line(name)}{costs}")
    if question.first:
        grid.add_row("  first", question.first)
    for number, change in enumerate(question.changes):
        grid.add_row("" if number else "  changed", one_line(change.replace("=", " = ", 1)))
    for number, choice in enumerate(_choice_lines(question) if choices is None else choices):
        grid.add_row("" if number else "  choices", choice)
    grid.add_row("  rules", "\n".join(_other_readings(question)) or "every rule as by default")
    grid.add_row("  catalogue", f"{one_line(short_path(catalogue.path))} ({catalogue.sha256[:12]})")
    return Padding(grid, (0, 0, 1, 0))


def short_question_table(question: Question, known_text: str = "") -> RenderableType:
    """Return what was asked otherwise than by default, the costs of the sides, and names not in `known_text`."""
    kind, points = question.kind, question.game.words.points
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    costs = []
    for side, entrant in zip(kind.sides, question.entrants, strict=True):
        name, cost = name_and_cost(question, side, entrant)
        costs += [f"{side} {show_points(cost, points)}".replace(NO_BREAK, " ")] if cost else []
        if one_line(name) not in known_text:
            grid.add_row(f"  {side}", one_line(name))
    if costs:
        grid.add_row("  costs", ", ".join(costs))
    usual = RANDOM if RANDOM in kind.turn_orders else "".join(kind.turn_orders[:1])
    if question.first not in ("", usual):
        grid.add_row("  first", f"{question.first} (default {usual})")
    changes = [one_line(change.replace("=", " = ", 1)) for change in question.changes]
    choices, other_readings = _other_choices(question), _other_readings(question)
    for head, texts in (("changed", changes), ("choices", choices), ("rules", other_readings)):
        if texts:
            grid.add_row(f"  {head}", "; ".join(texts))
    return Padding(grid, (0, 0, 0, 0))


def _other_choices(question: Question) -> list[str]:
    """Return "name=value (default ...)" for each choice that is not the default."""
    options = question.kind.choices
    return [
        f"{name}={value} (default {options[name][0]})" for name, value in question.choices if value != options[name][0]
    ]


def _choice_lines(question: Question) -> list[Text]:
    """Return a line for each choice that is not the default, and one for all others."""
    options = question.kind.choices
    usual = [f"{name}={value}" for name, value in question.choices if value == options[name][0]]
    by_default = [Text(f"by default {', '.join(usual)}", "dim")] if usual else []
    return [*map(Text, _other_choices(question)), *by_default]


def how_played(question: Question) -> Iterator[RenderableType]:
    """Yield how it is played, and what the answer leaves out: over 240 characters only what stands before colons."""
    kind = question.kind
    if kind.played:
        yield line(f"How it is played: {kind.played}", "dim")
    limits = " ".join(kind.cannot_see)
    if len(limits) > MOST_UNSEEN:
        heads = [text.partition(":")[0].rstrip(".") for text in kind.cannot_see]
        limits = f"{'; '.join(head[:1].lower() + head[1:] for head in heads)} (--json says more)."
    if limits:
        yield line(f"What it cannot see: {limits}", "dim")


def _other_readings(question: Question) -> list[str]:
    """Return each rule option that is not read as by default, with its default and the id of the ambiguity."""
    rules = question.inputs.get("rules", {})
    rule_options = question.game.catalogue.rule_options
    return [
        f"{name} = {show_value(rules[name])} (default {option.allowed[0]}, {option.ambiguity})"
        for name, option in rule_options.items()
        if name in rules and show_value(rules[name]) != option.allowed[0]
    ]

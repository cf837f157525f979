"""What was asked, and how it is played: the head and the foot of every answer to a question about two sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from balance.answers.blocks.lines import Facts, Paragraph, plain
from balance.base.numbers import NO_BREAK, show_points
from balance.base.paths import short_path
from balance.base.text import one_line
from balance.catalogue import show_value
from balance.game.question.question import Question
from balance.game.question.sentence import name_and_cost

MOST_UNSEEN = 240
"""Characters of what cannot be seen that are told in full."""


def everything_asked(question: Question, choices: Sequence[str] | None = None) -> Facts:
    """Return the sides with costs, who goes first, changes, policies, rule options and the catalogue, a line each.

    `choices` stand in place of the policies that the question was asked with.
    """
    catalogue = question.game.catalogue
    rows = [
        (side, f"{name}{f', {_points(question, cost)}' if cost else ''}")
        for side, (name, cost) in sides_of(question).items()
    ]
    rows += [("first", question.first)] if question.first else []
    rows += _listed("changed", _changes(question))
    rows += _listed("choices", _choices(question) if choices is None else choices)
    rows += _listed("rules", _other_readings(question) or ["every rule as by default"])
    rows.append(("catalogue", f"{short_path(catalogue.path)} ({catalogue.sha256[:12]})"))
    return Facts(tuple(rows), gap=True)


def what_was_asked(question: Question, known_text: str = "") -> Facts:
    """Return what was asked otherwise than by default, the costs of the sides, and names not in `known_text`."""
    kind, sides = question.kind, sides_of(question)
    rows = [(side, name) for side, (name, _) in sides.items() if name not in known_text]
    costs = [f"{side} {_points(question, cost)}" for side, (_, cost) in sides.items() if cost]
    first = f"{question.first} (default {kind.usual_first})" if question.first not in ("", kind.usual_first) else ""
    texts = {
        "costs": ", ".join(costs),
        "first": first,
        "changed": "; ".join(_changes(question)),
        "choices": "; ".join(_other_choices(question)),
        "rules": "; ".join(_other_readings(question)),
    }
    return Facts((*rows, *((head, text) for head, text in texts.items() if text)))


def sides_of(question: Question) -> dict[str, tuple[str, int]]:
    """Return the name and the cost in points of each side, by side."""
    sides = zip(question.kind.sides, question.entrants, strict=True)
    named = {side: name_and_cost(question, side, entrant) for side, entrant in sides}
    return {side: (one_line(name), cost) for side, (name, cost) in named.items()}


def _points(question: Question, cost: int) -> str:
    return show_points(cost, question.game.words.points).replace(NO_BREAK, " ")


def _listed(head: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    return [("" if number else head, text) for number, text in enumerate(texts)]


def _changes(question: Question) -> list[str]:
    return [change.replace("=", " = ", 1) for change in question.changes]


def _other_choices(question: Question) -> list[str]:
    """Return "name=value (default ...)" for each choice that is not the default."""
    options = question.kind.choices
    return [
        f"{name}={value} (default {options[name][0]})" for name, value in question.choices if value != options[name][0]
    ]


def _choices(question: Question) -> list[str]:
    """Return a line for each choice that is not the default, and one for all others."""
    options = question.kind.choices
    usual = [f"{name}={value}" for name, value in question.choices if value == options[name][0]]
    return [*_other_choices(question), *([f"by default {', '.join(usual)}"] if usual else [])]


def _other_readings(question: Question) -> list[str]:
    """Return each rule option that is not read as by default, with its default and the id of the ambiguity."""
    rules = question.inputs.get("rules", {})
    rule_options = question.game.catalogue.rule_options
    return [
        f"{name} = {show_value(rules[name])} (default {option.allowed[0]}, {option.ambiguity})"
        for name, option in rule_options.items()
        if name in rules and show_value(rules[name]) != option.allowed[0]
    ]


def how_played(question: Question) -> Iterator[Paragraph]:
    """Yield how it is played, and what the answer leaves out: over 240 characters only what stands before colons."""
    kind, limits = question.kind, " ".join(question.kind.cannot_see)
    if kind.played:
        yield plain(f"How it is played: {kind.played}", "aside")
    if len(limits) > MOST_UNSEEN:
        limits = f"{_heads(kind.cannot_see)} (--json says more)."
    if limits:
        yield plain(f"What it cannot see: {limits}", "aside")


def how_played_shortly(question: Question) -> Iterator[Paragraph]:
    """Yield a line on how it is played, and one on what the answer leaves out."""
    kind = question.kind
    if kind.played:
        yield plain(f"How it is played: {kind.played}", "aside", is_cut=True)
    if kind.cannot_see:
        yield plain(f"What it cannot see: {_heads(kind.cannot_see)}.", "aside", is_cut=True)


def _heads(texts: Sequence[str]) -> str:
    """Return what stands before the colon of each text."""
    heads = [text.partition(":")[0].rstrip(".") for text in texts]
    return "; ".join(head[:1].lower() + head[1:] for head in heads)

"""The list of all controls of a question, from what its game declares and how it prepares the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from balance.catalogue import Record, leaf_columns
from balance.chance.trials.evening import INVISIBLE
from balance.game.question.controls.cards import Card, cards_of_side, fields_of_side, value_at
from balance.game.question.controls.control import Control, Group
from balance.game.question.controls.fields import control_of
from balance.game.question.controls.probing import as_the_cards_say, is_same, makes_a_difference
from balance.game.question.question import Question


def controls_of(question: Question) -> tuple[Control, ...]:
    """Return all controls of a question, in the order in which people look for them.

    First the entrants, then who goes first; for each side its cards, then its stance; the situation, the policies, the
    rule options. Every control has the present value. One that does not matter now may do so when another is set, so
    the list must be made again after a change. The question is prepared a few hundred times, which takes a tenth of a
    second, and never played.
    """
    controls = (_complete(question, control) for control in _every_control(question))
    return tuple(control for control in controls if control.value is not None or control.is_optional)


def _complete(question: Question, control: Control) -> Control:
    """Return a control with the value of the cards where it is left to them, and with whether it matters."""
    if control.group in ("entrants", "first"):
        return control
    if control.value is None or (control.is_optional and not is_same(question, control, control.value)):
        control = as_the_cards_say(question, replace(control, value=None))
    is_visible = control.group != "side" or not any(word in control.path for word in INVISIBLE)
    return replace(control, matters=is_visible and makes_a_difference(question, control))


def _every_control(question: Question) -> Iterator[Control]:
    kind, inputs = question.kind, question.inputs
    yield from _entrants(question)
    if kind.turn_orders:
        yield Control("first", "first", "menu", question.first, options=kind.turn_orders)
    for side, stance in zip(kind.sides, kind.stances, strict=True):
        yield from cards_of_side(question, side)
        yield from fields_of_side(question, side, stance)
    yield from _fields(question, "situation", "situation", kind.situation, inputs["situation"])
    yield from _choices(question)
    yield from _rules(question)


def _entrants(question: Question) -> Iterator[Control]:
    """Yield a menu of the listed entrants for each side, with the present one if it is not listed."""
    game, kind = question.game, question.kind
    for side, role, entrant in zip(kind.sides, kind.takes, question.entrants, strict=True):
        ids = game.ids(role)
        options = ids if entrant in ids else (entrant, *ids)
        meanings = tuple(game.label(option) for option in options)
        yield Control("entrants", side, "menu", entrant, options=options, meanings=meanings, description=role.name)


def _fields(question: Question, group: Group, root: str, record: type[Record], values: Card) -> Iterator[Control]:
    for name, column in leaf_columns(record).items():
        yield control_of(group, f"{root}.{name}", column, value_at(values, name), question.game.catalogue)


def _choices(question: Question) -> Iterator[Control]:
    """Yield a menu for each decision; of whole ways of playing, only quick ones and the present one."""
    choices = dict(question.choices)
    for name, policy in question.kind.policies.items():
        options = tuple(dict.fromkeys([*(policy.quick or policy.options), choices[name]]))
        meanings = tuple(policy.options[option] for option in options)
        yield Control(
            "choices", name, "menu", choices[name], options=options, meanings=meanings, description=policy.meaning
        )


def _rules(question: Question) -> Iterator[Control]:
    """Yield the controls of rule options, with the meanings from the rules file."""
    catalogue, values = question.game.catalogue, question.inputs["rules"]
    for control in _fields(question, "rules", "rules", type(catalogue.rules), values):
        option = catalogue.rule_options.get(control.path.partition(".")[2])
        if option is None:
            yield control
            continue
        readings = dict(option.readings)
        meanings = tuple(readings.get(name, "") for name in control.options or ("false", "true"))
        yield replace(control, meanings=meanings, description=option.meaning)

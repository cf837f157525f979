"""Exact laws of programs: named results in sequence, each of which may depend on those before."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from balance.chance.dice.exact.joint import JointLaw, joint_law
from balance.chance.dice.exact.weights import Law, Work
from balance.chance.dice.tree import Program, Statement


def program_law(program: Program, work: Work) -> Law:
    """Return the law of a program's last result; raise TooLarge if that takes more than the limit of `work`.

    >>> from balance.chance.dice.text.parsing import parse
    >>> program_law(parse("n = d2; n + n").node, Work())
    {2: 1, 4: 1}
    """
    names, joint = tuple[str, ...](), JointLaw({(): 1})
    statements = program.statements
    for number, statement in enumerate(statements):
        later_names = {name for other in statements[number + 1 :] for name in other.uses}
        needed_names = later_names if number < len(statements) - 1 else set(statement.columns)
        names, joint = _next_results(statement, names, joint, needed_names, work)
    return {value: weight for (value,), weight in sorted(joint.items())}


def _next_results(
    statement: Statement, names: tuple[str, ...], joint: JointLaw, needed_names: set[str], work: Work
) -> tuple[tuple[str, ...], JointLaw]:
    """Return the names that later statements need, and their joint law after one more statement."""
    places = [names.index(name) for name in statement.uses]
    laws = {
        used: joint_law(statement.nodes(used), work, statement.columns)
        for used in {_at(values, places) for values in joint}
    }
    totals = {used: sum(law.values()) for used, law in laws.items()}
    common = lcm(*totals.values())
    all_names = (*names, *statement.columns)
    places_needed = [place for place, name in enumerate(all_names) if name in needed_names]
    work.spend(sum(len(laws[_at(values, places)]) for values in joint), common.bit_length())
    weights: JointLaw = {}
    for values, weight in joint.items():
        used = _at(values, places)
        times = weight * (common // totals[used])
        for results, ways in laws[used].items():
            key = _at((*values, *results), places_needed)
            weights[key] = weights.get(key, 0) + times * ways
    return tuple(all_names[place] for place in places_needed), weights


def _at(values: tuple[int, ...], places: Sequence[int]) -> tuple[int, ...]:
    return tuple(values[place] for place in places)

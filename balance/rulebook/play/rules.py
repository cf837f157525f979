"""A game file's rules made ready: what its steps may name, and each section as a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.base.errors import CatalogueError, Fault
from balance.chance.dice.text.tokens import Vocabulary
from balance.rulebook.play.script import Condition, Script, compile_script
from balance.rulebook.text import Line, Rulebook

AT_START = "_at_start"
"""Ends the name of what a value of a unit was at first."""
SIDES = ("me", "foe")


@dataclass(frozen=True, eq=False)
class Rules:
    """All scripts of a game, and what they need to know of a unit.

    Attributes
    ----------
    book
        The file.
    attack, turn, after, round
        The sections.
    out, score, initiative, strike_back
        Single expressions, each a script of one step of that name; None where there is none.
    may, takes
        (choice, option) -> when it is allowed; (choice, policy, option) -> when a policy takes it.
    values
        Values of a unit that change, in the order of the file.
    """

    book: Rulebook
    attack: Script
    turn: Script
    after: Script
    round: Script
    singles: Mapping[str, Script]
    may: Mapping[tuple[str, str], Script]
    takes: Mapping[tuple[str, str, str], Script]
    values: tuple[str, ...]

    @cached_property
    def scripts(self) -> tuple[Script, ...]:
        """Every script."""
        sections = (self.attack, self.turn, self.after, self.round)
        return (*sections, *self.singles.values(), *self.may.values(), *self.takes.values())

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that some script needs."""
        return frozenset(name for script in self.scripts for name in script.needs)


def flag_of(choice: str, option: str) -> str:
    """Return the name that is 1 where an option is chosen.

    >>> flag_of("effort", "all_out")
    'effort.all_out'
    """
    return f"{choice}.{option}"


def ready_rules(book: Rulebook) -> Rules:
    """Return the rules of a game file made ready.

    Raises
    ------
    CatalogueError
        With one fault for each expression that makes no sense, by line.
    """
    faults = list[Fault]()
    vocabulary = _vocabulary(book)
    choices, keywords = list(_of_choices(book)), list(_of_keywords(book))
    of_owner = [keyword for keyword in keywords if not keyword.flag.startswith("foe.")]
    sections = {"attack": book.attack, "turn": book.turn, "after": book.after, "round": book.round}
    conditions_of = {
        "attack": [*keywords, *choices],
        "turn": [*of_owner, *choices],
        "after": [*of_owner, *choices],
        "round": of_owner,
    }
    wanted, scripts = {"turn": ("acts", "passes")}, dict[str, Script]()
    for name, lines in sections.items():
        others = [line.name for other, other_lines in sections.items() if other != name for line in other_lines]
        scripts[name] = compile_script(
            name, lines, vocabulary, faults, conditions_of[name], wanted.get(name, ()), others
        )
    singles = {name: _single(line, vocabulary, faults) for name, line in _singles(book).items() if line is not None}
    may = {
        (choice.name, option): _single(line, vocabulary, faults)
        for choice in book.choices.values()
        for option, line in choice.may.items()
    }
    takes = {
        (choice.name, policy, option): _single(line, vocabulary, faults)
        for choice in book.choices.values()
        for policy, options in choice.policies.items()
        for option, line in options.items()
    }
    if faults:
        raise CatalogueError(faults)
    values = list(dict.fromkeys([book.health, *book.tokens] if book.health in book.numeric_fields else book.tokens))
    for script in scripts.values():
        values += [name.partition(".")[2] for name in script.changes]
    return Rules(book, **scripts, singles=singles, may=may, takes=takes, values=tuple(dict.fromkeys(values)))


def _singles(book: Rulebook) -> dict[str, Line | None]:
    turns, ends = book.turns, book.ends
    return {
        "out": ends.out,
        "score": ends.score,
        "initiative": turns.initiative,
        "strike_back": turns.strike_back,
    }


def _single(line: Line, vocabulary: Vocabulary, faults: list[Fault]) -> Script:
    """Return an expression as a script of one step."""
    return compile_script(line.name, [line], vocabulary, faults, wanted=(line.name,))


def _vocabulary(book: Rulebook) -> Vocabulary:
    """Return what every step may name."""
    values = [*book.numeric_fields, *book.tokens]
    unit_names = [*values, *(value + AT_START for value in values), *_keywords(book), "attacker", "units"]
    names = [f"{side}.{name}" for side in SIDES for name in unit_names]
    names += [*book.numbers, *book.options, "round"]
    names += [flag_of(choice.name, option) for choice in book.choices.values() for option in choice.options]
    dice = {name: line.text for name, line in book.dice.items()}
    return Vocabulary(frozenset(names), book.tables, dice)


def _keywords(book: Rulebook) -> list[str]:
    """Return the names of all keywords, and of those that reach friends."""
    names = dict.fromkeys([*book.card_keywords, *book.keywords])
    return [*names, *(near(name) for name, keyword in book.keywords.items() if keyword.friends)]


def near(keyword: str) -> str:
    """Return the name that is 1 while another unit of the army lives that has a keyword."""
    return f"{keyword}_near"


def _of_keywords(book: Rulebook) -> Iterator[Condition]:
    for name, keyword in book.keywords.items():
        yield Condition(f"me.{name}", keyword.attacking)
        yield Condition(f"foe.{name}", keyword.attacked)
        yield Condition(f"me.{near(name)}", keyword.friends)


def _of_choices(book: Rulebook) -> Iterator[Condition]:
    for choice in book.choices.values():
        for option, lines in choice.options.items():
            yield Condition(flag_of(choice.name, option), lines, "turn")

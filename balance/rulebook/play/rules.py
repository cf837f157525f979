"""A game file's rules made ready: what its steps may name, and each section as a script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.base.errors import CatalogueError, Fault
from balance.chance.dice.text.tokens import Vocabulary
from balance.rulebook.play.script import Condition, Script, compile_script
from balance.rulebook.text import Choice, Line, Rulebook
from balance.rulebook.text.book import all_lines
from balance.rulebook.text.reading import Draft, in_order

AT_START = "_at_start"
"""Ends the name of what a value of a unit was at first."""
SIDES = ("me", "foe")
MOST_ATTACKS, MOST_ROUNDS = 10_000, 1000
"""After so many a fight in which nobody falls is over."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class Rules:
    """All scripts of a game, and what they need to know of a unit.

    `attack`, `turn`, `after`, `round`: the sections. `singles`: `out`, `score`, `initiative` and `strike_back`, each a
    script of one step of that name, as far as they exist. `may` and `takes`: (choice, option) -> when it is allowed;
    (choice, policy, option) -> when a policy takes it. `values`: values of a unit that change, in the order of the
    file.
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
        """All scripts: sections, single expressions, and conditions of choices and policies."""
        sections = (self.attack, self.turn, self.after, self.round)
        return (*sections, *self.singles.values(), *self.may.values(), *self.takes.values())

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that some script takes from outside, such as `foe.wounds` or `crit`."""
        return frozenset(name for script in self.scripts for name in script.needs)

    @cached_property
    def effect(self) -> str:
        """The value that an attack is for: the foe's health, else its first value, else the last step."""
        by_health = f"foe.{self.book.health}"
        if by_health in self.losses:
            return by_health
        return self.losses[0] if self.losses else self.attack.deeds[-1].line.name

    @cached_property
    def losses(self) -> tuple[str, ...]:
        """The values of the foe that an attack changes; without any nobody can be killed."""
        return tuple(name for name in self.attack.changes if name.startswith("foe."))

    @cached_property
    def changes_reported(self) -> Mapping[str, tuple[str, int]]:
        """Column of an attack -> (value whose change it reports, sign): -1 where a loss counts as positive."""
        health = self.book.health
        changes = {"damage": (self.effect, -1 if self.effect == f"foe.{health}" else 1)}
        for name in self.attack.changes:
            owner, _, value = name.partition(".")
            if value == health and owner == "me":
                changes["loss"] = (name, -1)
            elif name != self.effect:
                changes[f"{owner}_{value}"] = (name, 1)
        return changes


def policy_name(book: Rulebook, choice: Choice) -> str:
    """Return what precedes `_a` and `_b` in the names of the policies for a choice."""
    return "policy" if len(book.choices) == 1 else choice.name


def flag_of(choice: str, option: str) -> str:
    """Return the name that expressions use for an option: 1 where it is chosen, else 0.

    >>> flag_of("effort", "all_out")
    'effort.all_out'
    """
    return f"{choice}.{option}"


def ready_rules(book: Rulebook) -> Rules:
    """Return the rules of a game file compiled; `CatalogueError` with one fault per unsound line."""
    faults = list[Fault]()
    rules = _compiled(book, faults)
    if faults:
        raise CatalogueError(in_order(faults))
    return rules


def faults_of_rules(draft: Draft) -> list[Fault]:
    """Return the faults in the expressions of a file whose form has faults already, as far as they can be judged.

    Names that are defined count as known even if unsound, and lines that use a table that cannot be read are skipped.
    """
    faults = list[Fault]()
    compiled(draft, faults)
    return faults


def compiled(draft: Draft, faults: list[Fault]) -> Rules:
    """Return the rules of a file as far as they can be read, and add the faults of its expressions to `faults`."""
    new_faults = list[Fault]()
    rules = _compiled(draft.rulebook, new_faults, draft.names if draft.faults else frozenset())
    texts = {line.key: {*_WORD.findall(line.text.casefold())} for line in all_lines(draft.rulebook)}
    faults += [fault for fault in new_faults if not draft.unread & texts.get(fault.field, set())]
    return rules


def _compiled(book: Rulebook, faults: list[Fault], more_names: frozenset[str] = frozenset()) -> Rules:
    """Return the rules and add faults to `faults`; `more_names` count as known although they are unsound."""
    vocabulary = vocabulary_of(book, more_names)
    sections = {"attack": book.attack, "turn": book.turn, "after": book.after, "round": book.round}
    conditions_of, wanted = _conditions_of(book), {"turn": ("acts", "passes")}
    set_where = {
        condition: frozenset(
            line.name for name, lines in sections.items() if condition in conditions_of[name] for line in lines
        )
        for condition in conditions_of["attack"]
    }
    scripts = dict[str, Script]()
    for name, lines in sections.items():
        scripts[name] = compile_script(
            name, lines, vocabulary, faults, conditions_of[name], wanted.get(name, ()), set_where
        )
    faults += _without_effect(book, conditions_of)
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
    values = list(dict.fromkeys([book.health, *book.tokens] if book.health in book.numeric_fields else book.tokens))
    for script in scripts.values():
        values += [name.partition(".")[2] for name in script.changes]
    return Rules(book, **scripts, singles=singles, may=may, takes=takes, values=tuple(dict.fromkeys(values)))


def _conditions_of(book: Rulebook) -> dict[str, list[Condition]]:
    """Return the conditions of keywords and choices by section; those on the foe hold in `attack` alone."""
    choices, keywords = list(_of_choices(book)), list(_of_keywords(book))
    of_owner = [keyword for keyword in keywords if not keyword.flag.startswith("foe.")]
    acting = [*of_owner, *choices]
    return {"attack": [*keywords, *choices], "turn": acting, "after": acting, "round": of_owner}


def _without_effect(book: Rulebook, conditions_of: Mapping[str, list[Condition]]) -> Iterator[Fault]:
    """Yield a fault for each line of a keyword or choice that changes a step in a section where it never holds."""
    section_of = {line.name: section for section in conditions_of for line in getattr(book, section)}
    for condition in conditions_of["attack"]:
        for line in condition.lines:
            sections = [section for section in conditions_of if line.name in _names_of(book, section)]
            holds_there = any(condition in conditions_of[section] for section in sections)
            if sections and not holds_there and not line.assigns:
                holds = "while it is attacked" if condition.flag.startswith("foe.") else "while it acts"
                yield line.fault(f"is a step of [{sections[0]}], and holds {holds} alone: it would change nothing")
            elif line.name == "acts" and "acts" not in section_of:
                yield line.fault("changes nothing: no step says so", line.name, tip='add acts = "1" to [turn]')


def _names_of(book: Rulebook, section: str) -> set[str]:
    return {line.name for line in getattr(book, section)}


def _singles(book: Rulebook) -> dict[str, Line | None]:
    turns, ends = book.turns, book.ends
    return {
        "out": ends.out,
        "score": ends.score,
        "initiative": turns.initiative,
        "strike_back": turns.strike_back,
    }


def _single(line: Line, vocabulary: Vocabulary, faults: list[Fault]) -> Script:
    """Return an expression as a script of one step, named after its line."""
    return compile_script(line.name, [line], vocabulary, faults, wanted=(line.name,))


def vocabulary_of(book: Rulebook, more_names: frozenset[str] = frozenset()) -> Vocabulary:
    """Return the names that every step may use: values of both units, numbers, options, flags, tables and dice."""
    values = [*book.numeric_fields, *book.tokens]
    unit_names = [*values, *(value + AT_START for value in values), *_keywords(book), "attacker", "units"]
    names = [f"{side}.{name}" for side in SIDES for name in unit_names]
    names += [*book.numbers, *book.options, "round"]
    names += [flag_of(choice.name, option) for choice in book.choices.values() for option in choice.options]
    dice = {name: line.text for name, line in book.dice.items()}
    return Vocabulary(more_names | frozenset(names), book.tables, dice)


def _keywords(book: Rulebook) -> list[str]:
    """Return the names of all keywords, then `NAME_near` for those that affect friends."""
    names = dict.fromkeys([*book.card_keywords, *book.keywords])
    return [*names, *(near(name) for name, keyword in book.keywords.items() if keyword.friends)]


def near(keyword: str) -> str:
    """Return the name that is 1 while another unit of the army with this keyword is not out."""
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

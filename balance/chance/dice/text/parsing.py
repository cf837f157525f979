"""Parse texts: single expressions, families that stand for several, and programs of named results."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod
from typing import Annotated

from balance.base.answers import BEHIND, Doc, Opaque
from balance.base.errors import Fault, UsageError, gathering
from balance.base.limits import MOST_DICE_CHARACTERS, MOST_DICE_ROWS
from balance.chance.dice.text.faces import read_family
from balance.chance.dice.text.habits import SPELLINGS
from balance.chance.dice.text.parser import Expression, Parser
from balance.chance.dice.text.steps import StepReader, statements_of
from balance.chance.dice.text.tokens import NO_WORD, Reader, Token, is_of_words, number_of, read_tokens
from balance.chance.dice.tree import Program

MOST_TOLD = 20
"""Faults told of one expression."""
MOST_WORDS = 3
"""Words told that are none."""


@dataclass(frozen=True)
class Family:
    """All expressions of a text with families such as `{1..8}`, one per row; the last family varies fastest."""

    text: Annotated[str, Doc("As it was typed.")]
    families: Annotated[tuple[tuple[int, ...], ...], Doc("The values that each of its families in braces stands for.")]
    rows: Annotated[tuple[Expression, ...], Opaque()] = field(metadata=BEHIND)


def parse(text: str) -> Expression:
    """Return the one expression of a text.

    Raise UsageError with one fault for each thing wrong, or if the text stands for a family.

    >>> parse("3d6 keap 2")
    Traceback (most recent call last):
    balance.base.errors.UsageError: 3d6 ^keap 2, character 5: 'keap' is not a word of expressions; did you mean keep?
    """
    family = parse_family(text)
    if family.families:
        raise UsageError(f"{text.strip()} stands for {len(family.rows)} expressions", "ask for it as a table")
    return family.rows[0]


def parse_families(texts: Iterable[str]) -> list[Family]:
    """Parse several texts by `parse_family`; raise UsageError with all faults of all texts."""
    families, faults = list[Family](), list[Fault]()
    for text in texts:
        with gathering(faults):
            families.append(parse_family(text))
    if faults:
        raise UsageError(faults)
    return families


def check_rows(families: Iterable[Family]) -> None:
    """Raise UsageError if families, each small enough, stand for too many expressions together."""
    if (n_rows := sum(len(family.rows) for family in families)) > MOST_DICE_ROWS:
        raise UsageError(f"these expressions make {n_rows:,} rows", f"at most {MOST_DICE_ROWS}")


def parse_family(text: str) -> Family:
    """Return every expression of a text, one row without a family such as `{1..8}`.

    Raise UsageError with one fault for each thing wrong.

    >>> [str(row) for row in parse_family("{1..2}d6 count 5-6").rows]
    ['1d6 count 5-6', '2d6 count 5-6']
    """
    if len(text) > MOST_DICE_CHARACTERS:
        message = f"an expression has {len(text):,} characters"
        raise UsageError(message, f"at most {MOST_DICE_CHARACTERS:,}: split it, or ask for its parts")
    *statements, answer = statements_of(text)
    statements += [answer] if answer.strip() else []
    if len(statements) > 1 or _names_result(text):
        return Family(text, (), (_program(text, statements),))
    reader = Reader(text)
    tokens = read_tokens(reader)
    places = [place for place, token in enumerate(tokens) if _is_family(tokens, place)]
    families = tuple(tuple(read_family(reader, tokens[place])) for place in places)
    if (n_rows := prod(map(len, families))) > MOST_DICE_ROWS:
        last = tokens[places[-1]]
        reader.fault(last.start, last.end, f"makes {n_rows:,} rows", f"at most {MOST_DICE_ROWS}")
        families = tuple(values[:1] for values in families)
    rows = []
    for values in itertools.product(*families):
        row = list(tokens)
        for place, value in zip(places, values, strict=True):
            row[place] = number_of(tokens[place], value)
        rows.append(Parser(reader, row).expression(values))
    if reader.fault_at:
        raise UsageError(_few_words(reader.faults)[:MOST_TOLD])
    return Family(text, families, tuple(row for row in rows if row is not None))


_RESULT = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")


def _names_result(text: str) -> bool:
    """Whether a text begins with a name and =, as `hits =` does; `d6 =` compares."""
    match = _RESULT.match(text)
    return match is not None and not is_of_words(match[1].casefold())


def _program(text: str, statements: list[str]) -> Expression:
    """Parse a program of named results, the last of which is the answer and needs no name."""
    steps, answer, notes = StepReader(), statements[-1], list[str]()
    for statement in statements[:-1]:
        match = _RESULT.match(statement)
        if match is None:
            tip = "x = 2d6; x + if(x = 12, d6, 0)"
            raise UsageError(Fault("is no result with a name", found=statement.strip(), tip=tip))
        name = match[1].casefold()
        if is_of_words(name):
            raise UsageError(Fault("is a word of expressions and no name", found=name, tip=f"such as my_{name}"))
        notes += steps.add(name, statement[match.end() :].strip())
    if _names_result(answer) and (match := _RESULT.match(answer)):
        tip = f"write what is asked last: {answer.strip()}; {match[1]}"
        raise UsageError(Fault("gives a result a name, and then asks for nothing", found=text.strip(), tip=tip))
    notes += steps.add("", answer.strip())
    program = Program(text.strip(), steps.steps([""]))
    return Expression(program, ("total",), notes=tuple(dict.fromkeys(notes)), n_symbols=steps.n_symbols)


def _few_words(faults: list[Fault]) -> list[Fault]:
    """Replace most faults about unknown words by one, where a whole sentence was written."""
    strange = [fault for fault in faults if fault.message == NO_WORD]
    if len(strange) <= MOST_WORDS:
        return faults
    explained_faults = [fault for fault in strange if fault.tip in SPELLINGS.values()] or strange[:MOST_WORDS]
    fault = Fault(
        "these words are a sentence, and no expression", tip="write dice such as 10d6 count 3+ then d6 count 5+"
    )
    return [*explained_faults, fault]


def _is_family(tokens: list[Token], place: int) -> bool:
    before = tokens[place - 1] if place else None
    of_die = before is not None and before.kind == "word" and before.text in ("d", "from")
    return tokens[place].kind == "braces" and tokens[place].text[0] == "{" and not of_die

"""The language of game files read anew for the tests: expressions as nested tuples, by a small grammar of its own.

A part is (kind, ...): ("number", 3), ("name", "me.skill"), ("look", table, [parts]), ("sum", "+", a, b),
("compare", ">=", a, b), ("and", a, b), ("not", a), ("if", c, a, b), ("gives", value, [(faces, part)]),
("best", "max", [parts]), ("pool", number, die, [modifiers]), ("mix", [pools]), ("again", part, [modifiers]),
("after", wounds, hits, damage, size), ("let", [(name, part)], part).
"""

from __future__ import annotations

import re
from typing import Any

Part = tuple[Any, ...]
TOKEN = re.compile(r"\s*(\d+|[a-z_][\w]*(?:\.[a-z_]\w*)?|\{[^}]*\}|>=|<=|!=|!!|\.\.|//|[-+*/()\[\],:;=<>!%])")
MODIFIERS = ("keep", "drop", "count", "reroll", "!", "each", "largest", "pairs")
COMPARISONS = (">=", "<=", "!=", ">", "<", "=")


def tokens_of(text: str) -> list[str]:
    """Return the tokens of an expression.

    >>> tokens_of("me.attacks d6 count to_wound[2]+")
    ['me.attacks', 'd', '6', 'count', 'to_wound', '[', '2', ']', '+']
    """
    tokens, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if match is None:
            raise SyntaxError(f"{text!r} at {at}")
        at = match.end()
        die = re.fullmatch(r"d(\d+)", match[1])
        tokens += ["d", die[1]] if die else [match[1]]
    return tokens


class Parser:
    """Reads one expression; `dice` are the names of dice, `names` those of numbers and earlier steps."""

    def __init__(self, text: str, names: set[str], dice: set[str]) -> None:
        self.tokens, self.at, self.names, self.dice = tokens_of(text), 0, set(names), dice

    @property
    def token(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *texts: str) -> str:
        """Walk past one of these tokens if it comes next."""
        if self.token and (not texts or self.token in texts):
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def need(self, text: str) -> None:
        if not self.take(text):
            raise SyntaxError(f"{self.tokens} at {self.at}: {self.token!r} instead of {text!r}")

    def program(self) -> Part:
        """Return the whole expression: results with names, separated by semicolons, and the last part."""
        results = []
        while self.at + 1 < len(self.tokens) and self.tokens[self.at + 1] == "=" and ";" in self.tokens[self.at :]:
            name = self.take()
            self.need("=")
            results.append((name, self.either()))
            self.names.add(name)
            self.need(";")
        part = self.either()
        if self.token:
            raise SyntaxError(f"{self.tokens} at {self.at}: {self.token!r}")
        return ("let", results, part) if results else part

    def either(self) -> Part:
        part = self.both()
        while self.take("or"):
            part = ("or", part, self.both())
        return part

    def both(self) -> Part:
        part = self.negation()
        while self.take("and"):
            part = ("and", part, self.negation())
        return part

    def negation(self) -> Part:
        return ("not", self.negation()) if self.take("not") else self.comparison()

    def comparison(self) -> Part:
        part = self.sum()
        if sign := self.take(*COMPARISONS):
            return ("compare", sign, part, self.sum())
        if self.take("gives"):
            return ("gives", part, self.branches())
        if self.take("after"):
            hits = self.sum()
            self.words("hits", "of")
            damage = self.sum()
            self.words("on", "figures", "of")
            return ("after", part, hits, damage, self.sum())
        return part

    def words(self, *words: str) -> None:
        for word in words:
            self.need(word)

    def branches(self) -> list[tuple[Any, Part]]:
        self.need("(")
        branches: list[tuple[Any, Part]] = []
        while not branches or self.take(";"):
            faces = "else" if self.take("else") else self.faces()
            self.need(":")
            branches.append((faces, self.either()))
        self.need(")")
        return branches

    def sum(self) -> Part:
        part = ("sum", "-", ("number", 0), self.product()) if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            part = ("sum", sign, part, self.product())
        return part

    def product(self) -> Part:
        part = self.part()
        while sign := self.take("*", "//", "/"):
            other = self.part()
            if sign == "/":
                self.need("rounded")
                sign = f"/ {self.take('up', 'down', 'off')}"
            part = ("sum", sign, part, other)
        return part

    def part(self) -> Part:
        if self.token in ("d", *self.dice):
            return self.pool(("number", 1))
        if self.take("if"):
            self.need("(")
            condition = self.either()
            self.need(",")
            yes = self.either()
            self.need(",")
            no = self.either()
            self.need(")")
            return ("if", condition, yes, no)
        if word := self.take("max", "min", "abs"):
            self.need("(")
            return ("best", word, self.listed(")"))
        number = self.atom()
        if self.token == "from":
            return self.pool(number)
        if self.token in ("d", *self.dice):
            return self.pool(number)
        return ("again", number, self.modifiers()) if self.token in MODIFIERS else number

    def listed(self, end: str) -> list[Part]:
        parts = [self.either()]
        while self.take(","):
            parts.append(self.either())
        self.need(end)
        return parts

    def atom(self) -> Part:
        if self.take("("):
            parts = self.listed(")")
            return parts[0] if len(parts) == 1 else ("mix", parts)
        if self.token.isdigit():
            return ("number", int(self.take()))
        name = self.take()
        if self.take("["):
            return ("look", name, self.listed("]"))
        if name not in self.names:
            raise SyntaxError(f"{self.tokens} at {self.at}: {name!r} is no name")
        return ("name", name)

    def pool(self, number: Part) -> Part:
        if self.take("from"):
            return ("hand", number, self.take(), self.modifiers())
        if self.token in self.dice:
            die: Part = ("faces", self.take())
        else:
            self.need("d")
            die = ("faces", self.take()) if self.token.startswith("{") else ("sides", self.sides())
        return ("pool", number, die, self.modifiers())

    def sides(self) -> Part:
        return ("number", 100) if self.take("%") else self.atom()

    def modifiers(self) -> list[Part]:
        modifiers = []
        while self.token in MODIFIERS:
            modifiers.append(getattr(self, f"read_{self.token.replace('!', 'explosion')}")())
        return modifiers

    def read_keep(self) -> Part:
        word = self.take()
        which = self.take("highest", "lowest") or ("highest" if word == "keep" else "lowest")
        return (word, which, self.atom())

    read_drop = read_keep

    def read_explosion(self) -> Part:
        return (self.take(),)

    def read_reroll(self) -> Part:
        self.take()
        most = None
        if self.take("up"):
            self.need("to")
            most = self.atom()
            self.take("of")
        return ("reroll", "always" if self.take("always") else "once", most, self.faces())

    def read_each(self) -> Part:
        self.words("each", "at")
        return ("each", self.take("least", "most"), self.atom())

    def read_largest(self) -> Part:
        self.words("largest", "set")
        return ("largest",)

    def read_pairs(self) -> Part:
        self.take()
        return ("pairs", self.take(">", ">="), self.part())

    def read_count(self) -> Part:
        self.take()
        if self.token in COMPARISONS and self.tokens[self.at + 1] == "(":
            return ("beyond", self.take(), self.part())
        counts = [("count", self.faces())]
        while word := self.take("double", "triple", "cancel"):
            counts.append((word, self.faces()))
        return ("count", counts)

    def faces(self) -> Part:
        """Return faces as (is failing, [(least, most)]), each end a part or None; a symbol stands for itself."""
        failing = bool(self.take("failing"))
        ranges: list[Any] = []
        while not ranges or self.take(","):
            ranges.append(self.range())
        return (failing, ranges)

    def range(self) -> Any:
        if sign := self.take(*COMPARISONS):
            return (sign, self.signed())
        if self.token[0].isalpha() and self.token not in self.names and self.tokens[self.at + 1 : self.at + 2] != ["["]:
            return ("symbol", self.take())
        least = self.signed()
        if self.token == "+" and not self.begins(self.at + 1):
            self.take("+")
            return (">=", least)
        return ("range", least, self.signed() if self.take("-", "..") else least)

    def signed(self) -> Part:
        return ("sum", "-", ("number", 0), self.atom()) if self.take("-") else self.atom()

    def begins(self, at: int) -> bool:
        """Return whether a part of a sum begins at a token."""
        token = self.tokens[at] if at < len(self.tokens) else ""
        return token.isdigit() or token in ("(", "d", "if", "max", "min", *self.names)

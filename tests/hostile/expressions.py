"""Expressions of dice made from their grammar, and then mutated: most are valid, many are large."""

from __future__ import annotations

import random

SYMBOLS = "{hit,2 hit,crit+hit,-}"
SPOILT = "0123456789d!+-*/(){}[],.<>=%kx é\u0000🎲"
SIGNS = (">=", "<=", ">", "<", "=", "!=")


def _number(luck: random.Random, large: bool) -> int:
    return luck.choice((100, 365, 1000, 9999, 10_000)) if large and luck.random() < 0.3 else luck.randint(0, 8)


def _faces(luck: random.Random) -> str:
    value = luck.randint(1, 6)
    kinds = (
        f"{value}",
        f"{luck.choice(SIGNS)}{value}",
        f"{value}+",
        f"{value}-{value + luck.randint(0, 3)}",
        f"{value},6",
    )
    return f"{'failing ' if luck.random() < 0.1 else ''}{luck.choice(kinds)}"


def _together(luck: random.Random) -> str:
    """Return what is told of dice together."""
    return luck.choice((" largest set", f" sets of {luck.randint(1, 4)}", " longest run", " different"))


def _dice(luck: random.Random, large: bool) -> str:
    """Return dice with what is done with them, as a rule what can be."""
    many, kind = _number(luck, large), luck.random()
    if kind < 0.08:
        return f"{many}d{SYMBOLS} count {luck.choice(('hit', 'crit', 'blank'))}"
    if kind < 0.12:
        deck = luck.choice(("{1..13*4}", f"{{1..{max(1, _number(luck, large))}}}", "{hit*3,-*10}"))
        return f"{many} from {deck}{luck.choice(('', ' keep 1', ' count hit', ' count 3+', _together(luck)))}"
    side = max(1, _number(luck, large))
    begin = f"{luck.choice((many, many, '(d4)'))}d{luck.choice((6, 6, 10, 20, '%', 'F', '{0,0,1,2}', side, '(2d4)'))}"
    if kind < 0.2:
        return f"{begin}{luck.choice(('', ' keep 2', '!', ' reroll up to 2 of 1'))}{_together(luck)}"
    if kind < 0.24:
        return f"{begin} pairs {luck.choice(SIGNS)} {_number(luck, large)}d{luck.choice((6, 8))}"
    words = [_modifier(luck) for _ in range(luck.choice((0, 0, 1, 1, 2)))]
    if many < 5 and luck.random() < 0.9:
        words = [word for word in words if "keep" not in word and "drop" not in word]
    return begin + "".join(sorted(words, key=lambda word: word[0] != "!"))


def _modifier(luck: random.Random) -> str:
    return luck.choice(
        (
            f" keep {luck.randint(1, 4)}",
            f" keep lowest {luck.randint(1, 3)}",
            f" drop {luck.randint(1, 2)}",
            f" count {_faces(luck)}",
            f" count {_faces(luck)} {luck.choice(('double', 'triple', 'cancel'))} {luck.randint(1, 6)}",
            f" count {luck.choice(SIGNS)} (d{luck.randint(2, 8)})",
            f" reroll {luck.choice(('', 'always '))}{luck.randint(1, 2)}",
            f" reroll up to {luck.randint(1, 3)} of {_faces(luck)}",
            f" each at {luck.choice(('least', 'most'))} {luck.randint(0, 7)}",
            "!",
            f"!{luck.choice(('>=5', '6', ' at most 3', '!'))}",
            f" count {_faces(luck)} skip 6 then d6 count {_faces(luck)}",
        )
    )


def _part(luck: random.Random, deep: int, large: bool) -> str:
    kind = luck.random()
    if deep and kind < 0.12:
        inner = ", ".join(_part(luck, deep - 1, large) for _ in range(luck.randint(2, 4)))
        return f"{luck.choice(('max', 'min', 'highest 2 of ', 'lowest of '))}({inner})"
    if kind < 0.14:
        return f"({luck.randint(1, 4)}d6, d8, {luck.randint(1, 3)}d12){luck.choice((' keep 2', ' count 5+', ''))}"
    if deep and kind < 0.2:
        return f"{luck.choice(('', 'abs'))}({_expression(luck, deep - 1, large)})"
    if kind < 0.25:
        return str(_number(luck, large))
    if kind < 0.28:
        size = luck.choice(("", f" on figures of {luck.randint(1, 6)}"))
        return f"({_number(luck, large)} after ({_dice(luck, large)}) hits of d{luck.randint(1, 6)}{size})"
    if kind < 0.3:
        return f"({luck.randint(1, 9)}d{SYMBOLS} less {luck.randint(1, 9)}d{SYMBOLS}) count every hit"
    return _dice(luck, large)


def _expression(luck: random.Random, deep: int, large: bool) -> str:
    one, kind = _part(luck, deep, large), luck.random()
    if kind < 0.5:
        return one
    sign = luck.choice(("+", "-", "*", "// 2 +", "/ 3 rounded off +", "then d6 count", ">=", "=", "vs"))
    other = _faces(luck) if sign.startswith("then") else _part(luck, deep, large)
    return f"{one} {sign} {other}"


def expressions(seed: int, many: int, large: bool = True) -> list[str]:
    """Return so many expressions, one in four of them spoilt by a letter."""
    luck, found = random.Random(seed), list[str]()
    for number in range(many):
        letters = list(_expression(luck, 2, large))
        if number % 4 == 3:
            letters[luck.randrange(len(letters))] = luck.choice(SPOILT)
        found.append("".join(letters))
    return found

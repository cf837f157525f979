"""Game files drawn at random from the language: small enough to go through every way their dice can fall."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

FIELDS = {"skill": (2, 6), "dice_count": (0, 3), "strength": (-1, 3)}
KEYWORDS = ("brave", "cunning")


class Writer:
    """Writes one game: steps in order, each of which may use those before it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rolls: dict[str, int] = {}
        self.symbols: list[str] = []
        self.numbers: list[str] = []
        self.changed_rolls: set[str] = set()

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def name(self) -> str:
        """Return a name that stands for a number."""
        fields = [f"{owner}.{field}" for owner in ("me", "foe") for field in FIELDS]
        return self.pick(*fields, *self.numbers, "foe.marks", "bonus")

    def small(self) -> str:
        """Return a number of dice."""
        return self.pick("1", "2", "me.dice_count", "(foe.dice_count)", "(me.dice_count - 1)")

    def faces(self, sides: int) -> str:
        """Return faces to count, re-roll or choose by."""
        one, other = sorted(self.random.sample(range(1, sides + 1), 2))
        options = [
            f"{other}+",
            f"{one}-{other}",
            f"{one},{other}",
            f"<={one}",
            f"!={other}",
            "me.skill+",
            "failing me.skill+",
        ]
        return self.pick(*options, f"(me.skill - {one})+", f"{one}..{other}")

    def pool(self, sides: int) -> str:
        """Return dice with what is done while they are rolled."""
        return f"{self.small()} d{sides}{self.pick('', '', f' reroll {self.random.randint(1, sides - 1)}')}"

    def number(self, depth: int = 2) -> str:
        """Return an expression that is a number."""
        if depth == 0:
            return self.pick(str(self.random.randint(0, 3)), self.name())
        makers: Sequence[Callable[[int], str]] = (
            self.counted, self.counted, self.counted, self.kept, self.together, self.arithmetic, self.arithmetic,
            self.choice, self.branches, self.condition, self.looked_up, lambda _: self.number(0),
        )  # fmt: skip
        return self.random.choice(makers)(depth - 1)

    def counted(self, _depth: int) -> str:
        if self.symbols and self.random.random() < 0.3:
            return f"({self.random.choice(self.symbols)} count {self.pick('hit', 'crit', 'hit,crit', 'blank')})"
        if self.rolls and self.random.random() < 0.6:
            roll = self.random.choice([*self.rolls])
            return f"({roll} count {self.faces(self.rolls[roll])})"
        sides = self.random.choice([3, 4, 6])
        extra = self.pick("", f" double {sides}", f" cancel {1}")
        count = f"{sides - 1}+" if extra else self.faces(sides)
        return f"({self.pool(sides)} count {count}{extra})"

    def kept(self, _depth: int) -> str:
        return f"(2 d{self.pick('3', '4')} keep {self.pick('1', 'lowest 1', 'highest 1')})"

    def together(self, depth: int) -> str:
        """Return what is told of several dice or cards at once."""
        forms = (
            "(2 d4 pairs > 2 d4)", "(3 d3 largest set)", "(3 d4 each at least 2)", "(2 from {1..3*2, 5})",
            "(2 from {0, 1..4} keep 1)", "(3 d3 count > (d4))", "(3 d4 reroll up to 1 of 1-2 count 3+)",
        )  # fmt: skip
        if self.random.random() < 0.2:
            wounds, damage = self.random.randint(3, 9), self.pick("2", "d3")
            return f"({wounds} after {self.number(depth)} hits of {damage} on figures of 2)"
        return self.random.choice(forms)

    def looked_up(self, depth: int) -> str:
        return f"chart[{self.number(depth)}]"

    def arithmetic(self, depth: int) -> str:
        one, other = self.number(depth), self.number(depth)
        form = self.pick("({} + {})", "({} - {})", "max({}, {})", "min({}, {})", "abs(({}) - {})")
        return (
            form.format(one, other)
            if self.random.random() < 0.8
            else f"({one} / 2 rounded {self.pick('up', 'down', 'off')})"
        )

    def condition(self, depth: int) -> str:
        plain = f"({self.number(depth)} {self.pick('>=', '<', '=', '!=')} ({self.number(0)} + 0))"
        if self.random.random() < 0.4:
            return f"({plain} {self.pick('and', 'or')} {self.pick('', 'not ')}({self.name()} > 1))"
        return plain

    def choice(self, depth: int) -> str:
        return f"if({self.condition(depth)}, {self.number(depth)}, {self.number(depth)})"

    def branches(self, depth: int) -> str:
        return f"(({self.number(depth)}) gives (0: {self.number(0)}; 1-2: {self.number(0)}; else: {self.number(0)}))"

    def steps(self) -> list[tuple[str, str]]:
        """Return the steps of an attack."""
        steps = []
        for at in range(self.random.randint(3, 5)):
            name = f"step{at}"
            kind = self.random.random()
            if kind < 0.3:
                sides = self.random.choice([4, 6])
                steps.append((name, self.pool(sides)))
                self.rolls[name] = sides
            elif kind < 0.4:
                steps.append((name, f"{self.small()} red"))
                self.symbols.append(name)
            else:
                steps.append((name, self.number()))
                self.numbers.append(name)
        marks = " + ".join([f"({self.number()})", *(f"({roll} count hit)" for roll in self.symbols)])
        return [*steps, ("foe.life", f"foe.life - ({self.number()})"), ("foe.marks", marks)]

    def changes(self, steps: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Return what a keyword changes: one or two steps that are there; dice are rolled again for one reason only."""
        changes = {}
        for name, text in self.random.sample(steps[:-2], min(len(steps) - 2, 2)):
            if name in self.rolls and "reroll" not in text and name not in self.changed_rolls:
                changes[name] = "reroll 1"
                self.changed_rolls.add(name)
            elif name in self.numbers:
                changes[name] = self.pick("+ 1", f"max(0, {name} - 1)", "1", "- foe.strength")
        return changes


def random_game(seed: int, fights: bool = False) -> str:
    """Return the text of a game file; `fights` gives it turns that end soon, and marks that are few."""
    writer = Writer(seed)
    steps = writer.steps()
    if fights:
        steps[-1] = ("foe.marks", f"min(3, {steps[-1][1]})")
    lines = ['health = "life"', "[numbers]", "bonus = 1", "[dice]", 'red = "{hit,hit+crit,-}"', "[tokens]", "marks = 0"]
    lines += ["[tables.chart]", '"<= 0" = 2', '"1..2" = 0', '">= 3" = 1']
    for unit in ("ant", "bee"):
        fields = {field: writer.random.randint(*ends) for field, ends in FIELDS.items()}
        words = "; ".join(word for word in KEYWORDS if writer.random.random() < 0.6)
        lines += [f"[units.{unit}]", f"life = {3 if fights else 9}", f"keywords = {json.dumps(words)}"]
        lines += [f"{field} = {value}" for field, value in fields.items()]
    lines += section_of("attack", steps)
    for section in ("brave", "cunning.attacked"):
        if changes := writer.changes(steps):
            lines += section_of(f"keywords.{section}", [*changes.items()])
    return "\n".join([*lines, *(turns(writer) if fights else ())]) + "\n"


def section_of(name: str, steps: Sequence[tuple[str, str]]) -> list[str]:
    """Return a section of steps as lines."""
    return [f"[{name}]", *(f"{json.dumps(step)} = {json.dumps(text)}" for step, text in steps)]


def turns(writer: Writer) -> list[str]:
    """Return the sections that say how a duel goes, as lines."""
    lines = ["[ends]", f"rounds = {writer.random.randint(1, 3)}"]
    if writer.random.random() < 0.3:
        return [*lines, "[turns]", 'order = "simultaneous"']
    writer.rolls, writer.symbols, writer.numbers = {}, [], []
    acts = (
        f"if(me.marks > {writer.random.randint(0, 2)}, {writer.pick('0', '1', '(d4 >= 3)')}, {writer.pick('1', '2')})"
    )
    lines += section_of("turn", [("acts", acts), ("me.marks", writer.pick("me.marks - 1", "0", "me.marks - acts"))])
    if writer.random.random() < 0.5:
        lines += section_of("after", [("me.life", f"me.life - (me.marks >= {writer.random.randint(2, 3)})")])
    return lines

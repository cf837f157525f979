"""How each piece of a game file was read, in words: columns, values, steps, dice, tables, keywords and turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from balance.base.errors import BalanceError, comma_list
from balance.base.readings import FileReading, Reading
from balance.base.text import slug
from balance.catalogue.tables.toml_file import read_rules_file
from balance.chance.dice.reading import reading_of, readings_of
from balance.chance.dice.text.parsing import parse
from balance.game.local_games import is_game_file
from balance.rulebook.play.rules import Rules, compiled, flag_of, near, vocabulary_of
from balance.rulebook.play.script import change_of
from balance.rulebook.text import Line
from balance.rulebook.text.columns import BLANKS, SPELLINGS
from balance.rulebook.text.fields import UnitField
from balance.rulebook.text.reading import Draft, in_order, read_draft
from balance.rulebook.text.sections import STEPS
from balance.rulebook.text.units import Units

NOT_READ = "not read: it has a fault"
LAST = 10**9
"""The row of what is not written, as a piece of a file that is told last."""
STANDARD_MEANINGS = {
    "id": "what commands call the unit",
    "name": "the name of the unit",
    "cost_points": "what the unit costs, in points",
    "keywords": "the keywords of the unit",
}
ORDER_MEANINGS = {
    "alternate": "all units of a side act, then all of the other",
    "activations": "one unit of each side acts in turn",
    "simultaneous": "both sides act on what was before the round",
    "initiative": "each round the side with the higher initiative acts first",
    "attacker only": "the first side alone acts",
}
TARGET_MEANINGS = {
    "front": "a unit attacks the first foe in line",
    "weakest": "a unit attacks the foe with the least health left",
    "strongest": "a unit attacks the foe with the most health left",
    "spread": "the units of a side attack different foes as far as there are any",
}
ROLE_MEANINGS = {
    "attacking": "while a unit that has it acts",
    "attacked": "while a unit that has it is attacked",
    "friends": "while another unit of its army that has it lives",
}


def game_file_reading(path: Path) -> FileReading | None:
    """Return how a game file was read; None if the file is of another kind."""
    if not is_game_file(path):
        return None
    try:
        draft = read_draft(path)
    except BalanceError as error:
        return FileReading("game file", "not readable", faults=error.faults)
    faults = [*draft.faults]
    rules = compiled(draft, faults)
    book, units = draft.rulebook, draft.units
    n_units = len(units.ids) if units is not None else 0
    summary = f"{book.title}, {n_units} units, {len(book.attack)} steps of an attack, {len(book.keywords)} keywords"
    pieces = sorted(_Pieces(draft, rules, {fault.field for fault in faults}).all(), key=lambda piece: piece[0])
    return FileReading("game file", summary, tuple(piece for _, piece in pieces), (), tuple(in_order(faults)))


class _Pieces:
    """The pieces of a game file as (line, reading); `faulty` has keys of lines with faults, shown without meaning."""

    def __init__(self, draft: Draft, rules: Rules, faulty: set[str]) -> None:
        self.book, self.units, self.rules, self.faulty = draft.rulebook, draft.units, rules, faulty
        self.data, self.locate = read_rules_file(draft.rulebook.path)
        self.words, self.changes = _words_of_steps(rules)

    def piece(self, key: str, text: object, meaning: str) -> tuple[int, Reading]:
        """Return (line, reading) of a key; `attack.hits` is shown as `[attack] hits`."""
        section, _, name = key.partition(".")
        where, row = f"[{section}] {name}" if name else section, self.locate(key).row or LAST
        return row, Reading(where, str(text), NOT_READ if key in self.faulty else meaning)

    def written(self, section: str, name: str, value: int) -> object:
        """Return the value as the file has it, such as true, where reading has made it a number."""
        table = self.data.get(section)
        return table.get(name, value) if isinstance(table, Mapping) else value

    def all(self) -> Iterator[tuple[int, Reading]]:
        """Yield the pieces of all sections, unsorted."""
        book = self.book
        yield self.piece("title", book.title, "what the game is called")
        yield self.piece("health", book.health, "the field that is lost; a unit with none left is out")
        if self.units is not None:
            yield from _columns(self, self.units)
        yield from self._values()
        for section in STEPS:
            yield from map(self._step, getattr(book, section))
        for name, keyword in book.keywords.items():
            for role, lines in (("attacking", keyword.attacking), ("attacked", keyword.attacked)):
                flag = f"{'me' if role == 'attacking' else 'foe'}.{name}"
                yield from (self._change(line, flag, ROLE_MEANINGS[role]) for line in lines)
            yield from (self._change(line, f"me.{near(name)}", ROLE_MEANINGS["friends"]) for line in keyword.friends)
        yield from self._choices()
        yield from self._turns()

    def _values(self) -> Iterator[tuple[int, Reading]]:
        """Yield numbers, options, tokens, dice and tables."""
        book = self.book
        for name, number in book.numbers.items():
            written = self.written("numbers", name, number)
            yield self.piece(f"numbers.{name}", written, f"a number of the rulebook, which steps call {name}")
        for name, option in book.options.items():
            readings = "; ".join(f"{value}: {text}" for value, text in option.readings.items())
            yield self.piece(
                f"options.{name}", option.value, f"a reading of the rules, which steps call {name}; {readings}"
            )
        for name, start in book.tokens.items():
            written = self.written("tokens", name, start)
            yield self.piece(f"tokens.{name}", written, f"a value of every unit at the start: me.{name}, foe.{name}")
        for line in book.dice.values():
            yield self.piece(line.key, line.text, _die(line))
        for name, table in book.tables.items():
            what = f"a grid: {name}[row, column]" if table.columns else f"a look-up table: {name}[number]"
            yield self.piece(table.line.key, str(table), what)

    def _step(self, line: Line) -> tuple[int, Reading]:
        meaning = self._meaning(line)
        if line.assigns:
            meaning = f"{_possessive(line.name)} becomes {meaning}; never below 0"
        return self.piece(line.key, line.text or line.python, meaning)

    def _meaning(self, line: Line) -> str:
        if line.python:
            return f"a Python function: {line.python}"
        return self.words.get(line.key, line.text)

    def _change(self, line: Line, flag: str, when: str) -> tuple[int, Reading]:
        change = change_of(flag, line, vocabulary_of(self.book))
        step, text = line.name, change.line.text
        if change.kind == "operator":
            meaning = f"{when}, {step} becomes {step} {text}"
        elif change.kind == "result":
            meaning = f"{when}, {step} becomes {text}, worked out after its step"
        else:
            words = self.changes.get((step, flag), text)
            meaning = f"{when}, {step} is instead: {words}" if change.kind == "instead" else f"{when}: {words}"
        return self.piece(line.key, line.text or line.python, meaning)

    def _choices(self) -> Iterator[tuple[int, Reading]]:
        for name, choice in self.book.choices.items():
            for number, (option, lines) in enumerate(choice.options.items()):
                usual = ", the usual one" if number == 0 else ""
                yield self.piece(f"choices.{name}.{option}", option, f"an option of whoever acts{usual}")
                yield from (self._change(line, flag_of(name, option), f"where {option} is chosen") for line in lines)
            for option, line in choice.may.items():
                yield self.piece(line.key, line.text, f"{option} may be chosen where this is not 0")
            for policy, lines_of in choice.policies.items():
                for option, line in lines_of.items():
                    yield self.piece(line.key, line.text, f"{policy} takes {option} where this is not 0")

    def _turns(self) -> Iterator[tuple[int, Reading]]:
        turns, ends, armies = self.book.turns, self.book.ends, self.book.armies
        said = self.data.get("turns", {})
        order = turns.order if isinstance(said, Mapping) and "order" in said else f"{turns.order}, as usual"
        yield self.piece("turns.order", order, ORDER_MEANINGS[turns.order])
        conditions = {
            turns.strike_back: "a unit that was attacked and lives attacks back where this is not 0",
            ends.out: "a unit is out where this is not 0",
        }
        numbers = {
            turns.initiative: "what is higher for the side that acts first",
            ends.score: "what a unit that is not out is worth after the last round",
        }
        for line, meaning in conditions.items():
            if line is not None:
                yield self.piece(line.key, line.text, meaning)
        for line, meaning in numbers.items():
            if line is not None:
                yield self.piece(line.key, line.text, f"{meaning}: {self._meaning(line)}")
        if ends.rounds is not None:
            yield self.piece("ends.rounds", ends.rounds, "rounds after which the fight is over")
        if "armies" in self.data:
            front = "all units" if armies.front is None else f"the first {armies.front} units"
            yield self.piece("armies.front", armies.front or "all", f"{front} of a side act and can be attacked")
            yield self.piece("armies.target", armies.target, TARGET_MEANINGS[armies.target])
            excess = "goes to the next in line" if armies.excess == "carried" else "is lost"
            yield self.piece("armies.excess", armies.excess, f"what is lost beyond the health of a unit {excess}")
        for army, members in armies.lists.items():
            yield self.piece(f"armies.lists.{army}", ", ".join(members), f"an army called {armies.names[army]}")


def _columns(pieces: _Pieces, units: Units) -> Iterator[tuple[int, Reading]]:
    """Yield what each column of the units was taken for, with the range of its numbers."""
    (header_row, header), *body = units.table.rows
    fields = {field.name: field for field in pieces.book.fields}
    for place, cell in enumerate(header):
        name = slug(cell)
        field = fields.get(name)
        if name in SPELLINGS:
            meaning = STANDARD_MEANINGS[SPELLINGS[name]]
            if SPELLINGS[name] == "keywords" and pieces.book.good_keywords:
                meaning += f"; better to have: {comma_list(pieces.book.good_keywords)}"
        elif field is None:
            continue
        elif field.kind == "text":
            meaning = "texts, which no rule reads"
        else:
            cells = [cells[place] for _, cells in body if place < len(cells)]
            meaning = _number(field, cells, pieces.data.get(BLANKS, {}))
        row = header_row if units.table.path == str(pieces.book.path) else pieces.locate("units").row or 0
        yield row, Reading(f"column {cell.strip()}", cell.strip(), meaning)


def _number(field: UnitField, cells: Sequence[str], blanks: object) -> str:
    """Return what a column of numbers is: its range, its name, what a blank cell means, and which way it is better."""
    values = sorted({int(cell) for cell in cells if cell.strip().lstrip("+-").isdecimal()})
    span = f", {values[0]} to {values[-1]}" if len(values) > 1 else f", always {values[0]}" if values else ""
    blank = f"; a blank cell is {blanks[field.name]}" if isinstance(blanks, Mapping) and field.name in blanks else ""
    better = f"; {field.better} is better" if field.better else ""
    return f"a number of the unit{span}, which steps call me.{field.name} and foe.{field.name}{blank}{better}"


def _possessive(name: str) -> str:
    """Return a name such as `foe.wounds` in words.

    >>> _possessive("foe.wounds")
    'wounds of whoever is attacked'
    """
    side, _, value = name.partition(".")
    return f"{value} of {'whoever acts' if side == 'me' else 'whoever is attacked'}"


def _die(line: Line) -> str:
    """Return the faces of a named die in words."""
    try:
        return reading_of(parse(f"d{line.text}")).replace("roll one ", "a ")
    except BalanceError:
        return f"a die with the faces {line.text}"


def _words_of_steps(rules: Rules) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Return key -> what that line does in words, and (step, flag) -> what the step does where the flag is set."""
    words, changes = dict[str, str](), dict[tuple[str, str], str]()
    for script in rules.scripts:
        deeds = [deed for deed in script.deeds if deed.step is not None]
        steps = [deed.step for deed in deeds if deed.step is not None]
        for deed, reading in zip(deeds, readings_of(steps), strict=True):
            words.setdefault(deed.line.key, reading.words)
            changes |= {(deed.line.name, flag): text for flag, text in reading.changes}
    return words, changes

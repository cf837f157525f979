"""What a game file says, as data: every text with the place it stands at, so that later faults can name it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path

from balance.base.errors import Fault, UsageError
from balance.rulebook.text.fields import UnitField


@dataclass(frozen=True)
class Line:
    """A text of a game file: what is set, what it is set to, and its place.

    * `name`: what is set, such as `hits` or `foe.wounds`.
    * `text`: the expression; empty where a Python function stands for it.
    * `key`: section and name, such as `attack.hits`.
    * `row`: the line of the file, counted from 1.
    * `python`: the function in place of an expression, such as `package.module:function`; empty for none.
    """

    name: str
    text: str
    key: str
    path: str = ""
    row: int | None = None
    python: str = ""

    def fault(self, message: str, text: str | None = None, legal_text: str = "", tip: str = "") -> Fault:
        """Return a fault at this line; `text` is the piece concerned, None for none, and `legal_text` what is allowed.

        >>> print(Line("hits", "3d6", "attack.hits", "iron.toml", 4).fault("is too much", "3d6"))
        iron.toml, row 4, attack.hits: '3d6' is too much
        """
        return Fault(message, self.path, self.row, self.key, text, legal_text, tip)

    @property
    def assigns(self) -> bool:
        """Whether it sets a value of a unit: `foe.wounds` and not `hits`."""
        return "." in self.name


@dataclass(frozen=True)
class Option:
    """An ambiguity of the rulebook: the value in force, all values allowed, and a sentence on what each means."""

    name: str
    value: int
    allowed: tuple[int, ...]
    meaning: str
    readings: Mapping[int, str]


@dataclass(frozen=True)
class Band:
    """Whole numbers from `low` to `high`, both included; None where there is no end."""

    low: int | None
    high: int | None

    def has(self, value: int) -> bool:
        """Return whether a number lies in it.

        >>> Band(None, -3).has(-4), Band(1, 2).has(3)
        (True, False)
        """
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        """Return it as a file writes it.

        >>> str(Band(None, -3)), str(Band(1, 2)), str(Band(4, None)), str(Band(0, 0))
        ('<= -3', '1..2', '>= 4', '0')
        """
        if self.low == self.high:
            return str(self.low)
        if self.low is None:
            return f"<= {self.high}"
        return f">= {self.low}" if self.high is None else f"{self.low}..{self.high}"


@dataclass(frozen=True)
class LookUp:
    """A look-up table: a value for each band of a number, or for each pair of bands of two.

    `line`: its name and place. `columns`: bands of the second number; empty where there is none. `values`:
    `int[rows][columns]`, with one column where there is no second number. `otherwise`: the value of all other numbers;
    None where they have none.
    """

    line: Line
    rows: tuple[Band, ...]
    columns: tuple[Band, ...]
    values: tuple[tuple[int, ...], ...]
    otherwise: int | None = None

    @property
    def n_places(self) -> int:
        """Numbers that it is read by: 1, or 2 for rows and columns."""
        return 2 if self.columns else 1

    def at(self, *places: int) -> int:
        """Return the value at a number, or at a row and a column; `UsageError` if the table has none there."""
        row = next((number for number, band in enumerate(self.rows) if band.has(places[0])), None)
        columns = self.columns or (Band(None, None),)
        column = next((number for number, band in enumerate(columns) if band.has(places[-1])), None)
        if row is not None and column is not None:
            return self.values[row][column]
        if self.otherwise is not None:
            return self.otherwise
        problem, text = f"the table {self.line.name} has nothing for it", ", ".join(map(str, places))
        raise UsageError(Fault(problem, found=text, tip="add: else = 0"))

    def __str__(self) -> str:
        """Return it in one line, row by row."""
        rows = zip(self.rows, self.values, strict=True)
        texts = [f"{band}: {' '.join(map(str, values))}" for band, values in rows]
        heads = [f"({' '.join(map(str, self.columns))})"] if self.columns else []
        return ", ".join([*heads, *texts, *([f"else: {self.otherwise}"] if self.otherwise is not None else [])])


@dataclass(frozen=True)
class Keyword:
    """What a keyword changes.

    `attacking`, `attacked`, `friends`: steps changed while the unit that has it attacks, while it is attacked, and
    while another unit of its army with it is not out; in the order of the file.
    """

    name: str
    attacking: tuple[Line, ...] = ()
    attacked: tuple[Line, ...] = ()
    friends: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Turns:
    """Who acts when.

    * `order`: `alternate`: all units of a side, then all of the other; `activations`: one unit of each in turn;
      `simultaneous`; `initiative`: by `initiative`, each round; `attacker only`: the first side alone.
    * `initiative`: the side with the higher value goes first in a round.
    * `ties`: `random` or `simultaneous`.
    * `strike_back`: when a unit that was attacked and is not out strikes back at once.
    * `most_acts`: attacks that a unit makes at most in one activation, where a step `acts` says how many.
    """

    order: str = "alternate"
    initiative: Line | None = None
    ties: str = "random"
    strike_back: Line | None = None
    most_acts: int = 1

    @property
    def alternates(self) -> bool:
        """Whether sides act in turn, both of them, so that either may go first."""
        return self.order in ("alternate", "activations")


@dataclass(frozen=True)
class Ends:
    """When a unit is out, after how many rounds a fight ends, and the score that decides it then.

    None for the usual: out at health 0, no limit, and nobody wins on score.
    """

    out: Line | None = None
    rounds: int | None = None
    score: Line | None = None


@dataclass(frozen=True)
class Choice:
    """A decision of the active side.

    `options`: option -> the steps that it changes, in order; the first option is the usual one. `may`: option -> when
    it is allowed; always where nothing is said. `policies`: name of a policy -> option -> when it is taken.
    """

    name: str
    options: Mapping[str, tuple[Line, ...]]
    may: Mapping[str, Line] = field(default_factory=dict)
    policies: Mapping[str, Mapping[str, Line]] = field(default_factory=dict)


@dataclass(frozen=True)
class Armies:
    """How armies stand.

    `front`: units in front, which act and can be attacked; None for all. `target`: whom a unit attacks: front, weakest,
    strongest or spread. `excess`: what becomes of losses beyond the health of the target: `lost`, or `carried` to the
    next in line. `lists`, `names`, `rows`: id of a list -> the ids of its units, its name for people, and its line.
    """

    front: int | None = None
    target: str = "front"
    excess: str = "lost"
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, int | None] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Rulebook:
    """A game file, read and found sound in form; its expressions are texts still.

    * `name` and `title`: what commands and people call the game.
    * `health`: the field that is lost; empty where units are out by a test alone.
    * `fields`: the columns of the units beside id, name and cost.
    * `card_keywords`: keywords that some unit has; `good_keywords`: those that are better to have.
    * `attack`, `turn`, `after`, `round`: steps in the order of the file.
    * `digest`: 64 hexadecimal digits, which differ where anything but the values of the catalogue does.
    """

    path: Path = field(compare=False)
    name: str
    title: str
    health: str
    fields: tuple[UnitField, ...]
    card_keywords: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    dice: Mapping[str, Line] = field(default_factory=dict)
    tables: Mapping[str, LookUp] = field(default_factory=dict)
    attack: tuple[Line, ...] = ()
    keywords: Mapping[str, Keyword] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    turn: tuple[Line, ...] = ()
    after: tuple[Line, ...] = ()
    round: tuple[Line, ...] = ()
    turns: Turns = Turns()
    ends: Ends = Ends()
    choices: Mapping[str, Choice] = field(default_factory=dict)
    armies: Armies = Armies()
    good_keywords: tuple[str, ...] = ()
    digest: str = ""

    def __hash__(self) -> int:
        return hash((self.name, self.digest, self.fields))

    @property
    def numeric_fields(self) -> tuple[str, ...]:
        """Names of the fields that are numbers, such as `attacks`: what follows `me.` and `foe.`."""
        return tuple(field.name for field in self.fields if field.kind == "number")


def all_lines(part: object) -> Iterator[Line]:
    """Yield every expression of a rulebook, of one of its records, or of a tuple or mapping of them."""
    if isinstance(part, Line):
        yield from [part] if part.text or part.python else []
    elif isinstance(part, Mapping | tuple):
        for inner in part.values() if isinstance(part, Mapping) else part:
            yield from all_lines(inner)
    elif is_dataclass(part):
        for part_field in fields(part):
            yield from all_lines(getattr(part, part_field.name))
